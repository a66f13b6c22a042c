"""The solutions of a contest's teams: organisers annul one or exclude a team, after a question."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import get_language
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.places import own_address
from accounts.roles import Visit, open_to
from contest.access import ORGANISING, RUNNING, may_run_contests
from contest.forms import DecisionForm
from contest.models import Contest
from contest.pages.deciding import asked_of_solution, asked_of_team, asked_of_upload
from contest.queries.solutions_of_teams import solutions_listed, uploads_listed
from contest.queries.teams import teams_of
from contest.services.annulling import (
    annul_solution,
    exclude_team,
    lift_annulment,
    take_team_back,
)
from contest.services.teams.letters import Post
from contest.views.contest_doors import of_contest
from web.asking import Question
from web.forms import sent_in, status_of
from web.paging import page_of
from web.refusals import Conflict, Refused, about


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
    asked = asked_of_solution(session, contest)
    do = partial(annul_solution, contest=contest, solution=session, actor=request.user)
    return _decided(request, contest, asked, do)


@require_POST
@open_to(ORGANISING)
@of_contest
def lift(request: Visit, contest: Contest, pk: int) -> HttpResponse:
    session = get_object_or_404(solutions_listed(contest), pk=pk)
    asked = asked_of_solution(session, contest)
    do = partial(lift_annulment, contest=contest, solution=session, actor=request.user)
    return _decided(request, contest, asked, do, ("reason",))


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
    upload = get_object_or_404(uploads_listed(contest), pk=pk)
    do = partial(lift_annulment, contest=contest, solution=upload, actor=request.user)
    return _decided(request, contest, asked_of_upload(upload, contest), do, ("reason",))


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
    post = Post(own_address(request), get_language() or "ru")
    do = partial(take_team_back, contest=contest, team=team, actor=request.user, post=post)
    return _decided(request, contest, asked_of_team(team, contest.slug), do, ("reason",))


def _decided(
    request: Visit,
    contest: Contest,
    asked: Question,
    do: Callable[..., object],
    names: Iterable[str] = ("reason", "protocol"),
) -> HttpResponse:
    """Ask for what is to be said, by the ``names`` of its fields, and do what was asked."""
    form = DecisionForm(sent_in(request))
    if request.method == "POST" and form.is_valid():
        try:
            with about(asked.back):
                do(**{name: form.cleaned_data[name] for name in names})
        except Conflict:  # somebody was quicker: the question is another one by now
            raise
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            return redirect("contest:solutions", slug=contest.slug)
    context = {"contest": contest, "asked": asked, "form": form}
    return render(request, "contest/running/decide.html", context, status=status_of(form))
