"""What becomes of a score run: stopped, proposed, decided, vouched for, published."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.roles import MANAGERS, STAFF, Role, Visit, open_to
from scoring.access import DECIDING, PUBLISHING, verdict_of_runs
from scoring.forms import (
    DecisionForm,
    FreezingForm,
    ProposalForm,
    RunVerdictForm,
    WithdrawalForm,
)
from scoring.models import RunVerdict, ScoreRun
from scoring.pages.run_acts import (
    asked_of_decision,
    asked_of_freezing,
    asked_of_going_on,
    asked_of_publication,
    asked_of_verdict,
    asked_of_withdrawal,
)
from scoring.services.run_acts import (
    decide_run,
    freeze_board,
    give_verdict,
    propose_run,
    publish_board,
    withdraw_proposal,
)
from scoring.services.run_ordering import stop_run
from web.asking import Question
from web.refusals import Refused, about

Act = Callable[[Visit, int], HttpResponse]


def leading_to_the_run(view: Act) -> Act:
    """What is refused of a run leads to its page, which tells how it stands."""

    @wraps(view)
    def answer(request: Visit, pk: int) -> HttpResponse:
        with about(reverse("scoring:run", args=[pk])):
            return view(request, pk)

    return answer


@require_POST
@open_to(MANAGERS)
@leading_to_the_run
def stop(request: Visit, pk: int) -> HttpResponse:
    stop_run(run_id=_run(pk).pk, actor=request.user)
    return redirect("scoring:run", pk=pk)


@require_POST
@open_to(MANAGERS)
@leading_to_the_run
def propose(request: Visit, pk: int) -> HttpResponse:
    run, form = _run(pk), ProposalForm(request.POST)
    if not form.is_valid():
        raise _not_whole()
    proposal = ScoreRun.Proposal(form.cleaned_data["proposal"])
    propose_run(run=run, proposal=proposal, reason=form.cleaned_data["reason"], actor=request.user)
    return redirect("scoring:run", pk=pk)


@require_http_methods(["GET", "POST"])
@open_to(STAFF)
@leading_to_the_run
def withdraw(request: Visit, pk: int) -> HttpResponse:
    run = _run(pk)
    if request.method == "GET":
        return _asked(request, run, asked_of_withdrawal(run, request.user))
    form = WithdrawalForm(request.POST)
    if not form.is_valid():
        raise _not_whole()
    whose = form.cleaned_data["whose"]
    withdraw_proposal(run=run, whose=whose, reason=form.cleaned_data["reason"], actor=request.user)
    return redirect("scoring:run", pk=pk)


@require_http_methods(["GET", "POST"])
@open_to(DECIDING)
@leading_to_the_run
def decide(request: Visit, pk: int) -> HttpResponse:
    run = _run(pk)
    if request.method == "GET":
        asked = DecisionForm(request.GET)
        given = asked.cleaned_data if asked.is_valid() else None
        return _asked(request, run, given and asked_of_decision(run, request.user, given))
    form = DecisionForm(request.POST)
    if not form.is_valid():
        raise _not_whole()
    proposal = ScoreRun.Proposal(form.cleaned_data["proposal"])
    decide_run(run=run, proposal=proposal, against=form.cleaned_data["against"], actor=request.user)
    return redirect("scoring:run", pk=pk)


@require_http_methods(["GET", "POST"])
@open_to(frozenset({Role.JUDGE, Role.COMMISSION}))
@leading_to_the_run
def say(request: Visit, pk: int) -> HttpResponse:
    run = _run(pk)
    if request.method == "GET":
        kind = request.GET.get("kind", "")
        return _asked(request, run, asked_of_verdict(run, request.user, kind))
    form = RunVerdictForm(request.POST)
    if not form.is_valid():
        raise _not_whole()
    kind = RunVerdict.Kind(form.cleaned_data["kind"])
    if kind not in (verdict_of_runs(request.user), RunVerdict.Kind.RETURNED):
        raise Refused(_("Judges check and the commission verifies: this is for the others to say."))
    give_verdict(run=run, kind=kind, reason=form.cleaned_data["reason"], actor=request.user)
    return redirect("scoring:run", pk=pk)


@require_http_methods(["GET", "POST"])
@open_to(PUBLISHING)
@leading_to_the_run
def publish(request: Visit, pk: int) -> HttpResponse:
    run = _run(pk)
    if request.method == "GET":
        return _asked(request, run, asked_of_publication(run, request.user))
    publish_board(essay_set=run.essay_set, run=run, actor=request.user)
    return redirect("scoring:run", pk=pk)


@require_http_methods(["GET", "POST"])
@open_to(PUBLISHING)
@leading_to_the_run
def freeze(request: Visit, pk: int) -> HttpResponse:
    run = _run(pk)
    if request.method == "GET":
        is_freezing = request.GET.get("frozen") == "1"
        asked_of = asked_of_freezing if is_freezing else asked_of_going_on
        return _asked(request, run, asked_of(run, request.user))
    form = FreezingForm(request.POST)
    if not form.is_valid():
        raise _not_whole()
    freeze_board(run=run, actor=request.user, **form.cleaned_data)
    return redirect("scoring:run", pk=pk)


def _asked(request: Visit, run: ScoreRun, asked: Question | None) -> HttpResponse:
    """The question; where there is none any more, the page of the run says why."""
    if asked is None:
        return redirect("scoring:run", pk=run.pk)
    return render(request, "question.html", {"asked": asked})


def _run(pk: int) -> ScoreRun:
    return get_object_or_404(ScoreRun.objects.select_related("essay_set", "proposed_by"), pk=pk)


def _not_whole() -> Refused:
    return Refused(_("Open the page of the run again and do it there: the form was not whole."))
