"""What becomes of a score run: stopped, proposed, decided, vouched for, published."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.roles import MANAGERS, STAFF, Role, Visit, open_to
from scoring.access import DECIDING, PUBLISHING, verdict_of_runs
from scoring.forms import DecisionForm, ProposalForm, RunVerdictForm
from scoring.models import RunVerdict, ScoreRun
from scoring.services.run_acts import (
    decide_run,
    freeze_board,
    give_verdict,
    propose_run,
    publish_board,
    withdraw_proposal,
)
from scoring.services.run_ordering import stop_run
from web.refusals import Refused


@require_POST
@open_to(MANAGERS)
def stop(request: Visit, pk: int) -> HttpResponse:
    stop_run(run_id=_run(pk).pk, actor=request.user)
    return redirect("scoring:run", pk=pk)


@require_POST
@open_to(MANAGERS)
def propose(request: Visit, pk: int) -> HttpResponse:
    run, form = _run(pk), ProposalForm(request.POST)
    if not form.is_valid():
        raise _not_whole()
    proposal = ScoreRun.Proposal(form.cleaned_data["proposal"])
    propose_run(run=run, proposal=proposal, reason=form.cleaned_data["reason"], actor=request.user)
    return redirect("scoring:run", pk=pk)


@require_POST
@open_to(STAFF)
def withdraw(request: Visit, pk: int) -> HttpResponse:
    withdraw_proposal(run=_run(pk), actor=request.user)
    return redirect("scoring:run", pk=pk)


@require_POST
@open_to(DECIDING)
def decide(request: Visit, pk: int) -> HttpResponse:
    run, form = _run(pk), DecisionForm(request.POST)
    if not form.is_valid():
        raise _not_whole()
    proposal = ScoreRun.Proposal(form.cleaned_data["proposal"])
    decide_run(run=run, proposal=proposal, against=form.cleaned_data["against"], actor=request.user)
    return redirect("scoring:run", pk=pk)


@require_POST
@open_to(frozenset({Role.JUDGE, Role.COMMISSION}))
def say(request: Visit, pk: int) -> HttpResponse:
    run, form = _run(pk), RunVerdictForm(request.POST)
    if not form.is_valid():
        raise _not_whole()
    kind = RunVerdict.Kind(form.cleaned_data["kind"])
    if kind not in (verdict_of_runs(request.user), RunVerdict.Kind.RETURNED):
        raise Refused(_("Judges check and the commission verifies: this is for the others to say."))
    give_verdict(run=run, kind=kind, reason=form.cleaned_data["reason"], actor=request.user)
    return redirect("scoring:run", pk=pk)


@require_POST
@open_to(PUBLISHING)
def publish(request: Visit, pk: int) -> HttpResponse:
    run = _run(pk)
    publish_board(essay_set=run.essay_set, run=run, actor=request.user)
    return redirect("scoring:run", pk=pk)


@require_POST
@open_to(PUBLISHING)
def freeze(request: Visit, pk: int) -> HttpResponse:
    frozen = request.POST.get("frozen") == "1"
    freeze_board(essay_set=_run(pk).essay_set, frozen=frozen, actor=request.user)
    return redirect("scoring:run", pk=pk)


def _run(pk: int) -> ScoreRun:
    return get_object_or_404(ScoreRun.objects.select_related("essay_set"), pk=pk)


def _not_whole() -> Refused:
    return Refused(_("Open the page of the run again and do it there: the form was not whole."))
