"""The solutions of a contest's teams: organisers annul one or exclude a team, after a question."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.roles import Visit, open_to
from contest.access import ORGANISING, RUNNING, may_run_contests
from contest.forms import DecisionForm
from contest.models import Contest, ExchangeSession, Upload
from contest.pages.deciding import asked_of_solution, asked_of_team, asked_of_upload
from contest.queries.solutions_of_teams import solutions_listed, uploads_listed
from contest.queries.teams import teams_of
from contest.services.annulling import (
    annul_solution,
    exclude_team,
    lift_annulment,
    take_team_back,
)
from contest.views.contest_doors import of_contest
from web.asking import Question
from web.paging import page_of
from web.refusals import Conflict, Refused


@require_GET
@open_to(RUNNING)
@of_contest
def solutions(request: Visit, contest: Contest) -> HttpResponse:
    context = {
        "contest": contest,
        "page": page_of(
            request,
            uploads_listed(contest) if contest.takes_uploads else solutions_listed(contest),
        ),
        "teams": page_of(request, teams_of(contest), "teams"),
        "may_run": may_run_contests(request.user) and not contest.is_final,
    }
    return render(request, "contest/running/solutions.html", context)


@require_http_methods(["GET", "POST"])
@open_to(ORGANISING)
@of_contest
def annul(request: Visit, contest: Contest, pk: int) -> HttpResponse:
    session = get_object_or_404(solutions_listed(contest), pk=pk)
    asked = asked_of_solution(session, contest.slug)
    do = partial(annul_solution, contest=contest, solution=session, actor=request.user)
    return _decided(request, contest, asked, do)


@require_POST
@open_to(ORGANISING)
@of_contest
def lift(request: Visit, contest: Contest, pk: int) -> HttpResponse:
    return _lifted(request, contest, get_object_or_404(solutions_listed(contest), pk=pk))


@require_http_methods(["GET", "POST"])
@open_to(ORGANISING)
@of_contest
def annul_upload(request: Visit, contest: Contest, pk: int) -> HttpResponse:
    upload = get_object_or_404(uploads_listed(contest), pk=pk)
    do = partial(annul_solution, contest=contest, solution=upload, actor=request.user)
    return _decided(request, contest, asked_of_upload(upload, contest), do)


@require_POST
@open_to(ORGANISING)
@of_contest
def lift_upload(request: Visit, contest: Contest, pk: int) -> HttpResponse:
    return _lifted(request, contest, get_object_or_404(uploads_listed(contest), pk=pk))


@require_http_methods(["GET", "POST"])
@open_to(ORGANISING)
@of_contest
def exclude(request: Visit, contest: Contest, pk: int) -> HttpResponse:
    team = get_object_or_404(teams_of(contest), pk=pk)
    do = partial(exclude_team, contest=contest, team=team, actor=request.user)
    return _decided(request, contest, asked_of_team(team, contest.slug), do)


@require_POST
@open_to(ORGANISING)
@of_contest
def take_back(request: Visit, contest: Contest, pk: int) -> HttpResponse:
    team = get_object_or_404(teams_of(contest), pk=pk)
    reason = _reason_of(request)
    take_team_back(contest=contest, team=team, reason=reason, actor=request.user)
    return redirect("contest:solutions", slug=contest.slug)


def _lifted(request: Visit, contest: Contest, solution: ExchangeSession | Upload) -> HttpResponse:
    reason = _reason_of(request)
    lift_annulment(contest=contest, solution=solution, reason=reason, actor=request.user)
    return redirect("contest:solutions", slug=contest.slug)


def _decided(
    request: Visit, contest: Contest, asked: Question, do: Callable[..., object]
) -> HttpResponse:
    """Ask with a reason and a protocol, and do what was asked."""
    form = DecisionForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            do(**form.cleaned_data)
        except Conflict:  # somebody was quicker: the question is another one by now
            raise
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            return redirect("contest:solutions", slug=contest.slug)
    context = {"contest": contest, "asked": asked, "form": form}
    status = 422 if form.errors else 200
    return render(request, "contest/running/decide.html", context, status=status)


def _reason_of(request: Visit) -> str:
    form = DecisionForm(request.POST)
    return form.cleaned_data["reason"] if form.is_valid() else ""
