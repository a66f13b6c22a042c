"""Teams: the list of all, one with its verdicts, a verdict of several at once (R 8.1)."""

from __future__ import annotations

from typing import Final

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.places import own_address
from accounts.roles import Visit, open_to
from contest.access import (
    DECIDES_ON_TEAMS,
    ORGANISING,
    may_run_contests,
    step_of,
    teams_seen_by,
    waiting_teams,
)
from contest.core.admission import Step
from contest.forms import MemberForm, TeamVerdictForm
from contest.models import Contest, Team, TeamVerdict
from contest.pages.team_questions import asked_of_team_verdict, asked_of_teams
from contest.pages.teams import DOING, WAITS, TeamLine, TeamPage, asked_back, team_lines
from contest.services.teams.joining import ask_leader
from contest.services.teams.letters import Post
from contest.services.teams.verdicts import SAID_AT, Said, say_of_team, say_of_teams, seen_of
from web.forms import asked_words, is_number_of_row, status_of, told_in
from web.paging import page_of
from web.refusals import Refused, about

DECIDING: Final = frozenset(DECIDES_ON_TEAMS)
FILTERS: Final = {step.value: words for step, words in WAITS.items()}
RETURNED: Final = "returned"
AT_ONCE: Final = 50
"""Teams one question is about: a page of the list."""


@require_GET
@open_to(DECIDING)
def teams(request: Visit, slug: str) -> HttpResponse:
    contest = get_object_or_404(Contest, slug=slug)
    found = teams_seen_by(request.user, contest)
    wanted = asked_words(request.GET, "step", 20)
    if wanted in FILTERS:
        found = found.filter(step=wanted, excluded_at=None)
    elif wanted == RETURNED:
        found = found.filter(last=RETURNED, excluded_at=None)
    page = page_of(request, found)
    step = step_of(request.user)
    lines = team_lines(page.object_list)
    context = {
        "contest": contest,
        "page": page,
        "lines": lines,
        "filters": [("", _("All")), *FILTERS.items(), (RETURNED, TeamVerdict.Kind.RETURNED.label)],
        "wanted": wanted,
        "choices": [(each.value, DOING[each]) for each in _kinds(step)],
        "may_tick": {each.team.pk for each in lines if each.waits_for(step)},
        "waiting": len(waiting_teams(request.user, contest)),
    }
    return render(request, "contest/teams/list.html", context)


@require_GET
@open_to(DECIDING)
def team(request: Visit, slug: str, pk: int) -> HttpResponse:
    return _shown(request, _seen(request, slug, pk))


@require_POST
@open_to(ORGANISING)
def ask_leader_of(request: Visit, slug: str, pk: int) -> HttpResponse:
    found, form = _seen(request, slug, pk), MemberForm(request.POST)
    if form.is_valid():
        post = Post(own_address(request), get_language() or "ru")
        asked = form.cleaned_data
        with told_in(form):
            ask_leader(team=found, **asked, actor=request.user, post=post)
            messages.success(request, _("A letter is on its way to %s.") % asked["email"])
            return redirect("contest:team", slug=slug, pk=pk)
    return _shown(request, found, form)


@require_http_methods(["GET", "POST"])
@open_to(DECIDING)
def say(request: Visit, slug: str, pk: int) -> HttpResponse:
    contest = get_object_or_404(Contest, slug=slug)
    found = get_object_or_404(contest.teams.select_related("contest"), pk=pk)
    if request.method == "GET":
        return _question(request, found)
    form = TeamVerdictForm(request.POST)
    with about(reverse("contest:team", args=[slug, pk])):
        if not form.is_valid():
            raise Refused(_("Open the page of the team again and say it there."))
        asked = form.cleaned_data
        said = Said(TeamVerdict.Kind(asked["kind"]), asked["seen"], asked["reason"])
        verdict = say_of_team(team=found, said=said, actor=request.user)
    messages.success(request, _("It is written down: %s.") % verdict.get_kind_display())
    return redirect("contest:team", slug=slug, pk=pk)


@require_http_methods(["GET", "POST"])
@open_to(DECIDING)
def say_of_several(request: Visit, slug: str) -> HttpResponse:
    contest = get_object_or_404(Contest, slug=slug)
    if request.method == "POST":
        return _said_of_several(request, contest)
    ticked = {each for each in request.GET.getlist("team") if is_number_of_row(each)}
    step = step_of(request.user) or Step.JUDGES
    kind = asked_words(request.GET, "kind", 20)
    if not ticked or kind not in _kinds(step):
        messages.error(request, _("Tick the teams first: the question is about those."))
        return redirect("contest:teams", slug=slug)
    waiting = teams_seen_by(request.user, contest).filter(step=step.value, excluded_at=None)
    lines = team_lines(waiting.filter(pk__in=ticked)[:AT_ONCE])
    if not lines:
        messages.error(request, _("No ticked team waits for your word."))
        return redirect("contest:teams", slug=slug)
    context = {
        "contest": contest,
        "asked": asked_of_teams(contest, lines, TeamVerdict.Kind(kind)),
        "teams": _as_seen(lines),
        "others": len(ticked) - len(lines),
    }
    return render(request, "contest/teams/question.html", context)


def _seen(request: Visit, slug: str, pk: int) -> Team:
    contest = get_object_or_404(Contest, slug=slug)
    found = teams_seen_by(request.user, contest).select_related("contest")
    team: Team = get_object_or_404(found, pk=pk)
    return team


def _shown(request: Visit, team: Team, form: MemberForm | None = None) -> HttpResponse:
    seen = TeamPage.of(team)
    context = {
        "contest": team.contest,
        "seen": seen,
        "choices": seen.choices_for(request.user),
        "asks": (seen.is_led_by_nobody or form is not None) and may_run_contests(request.user),
        "form": form or MemberForm(initial=asked_back(team)),
    }
    return render(request, "contest/teams/team.html", context, status=status_of(form))


def _question(request: Visit, team: Team) -> HttpResponse:
    """What is asked before a verdict; ``seen`` is that of the page it was pressed on."""
    seen = asked_words(request.GET, "seen", 64)
    kind = asked_words(request.GET, "kind", 20)
    asked = asked_of_team_verdict(TeamPage.of(team), request.user, kind, seen)
    if asked is None:  # somebody else was first: the page says what it waits for
        return redirect("contest:team", slug=team.contest.slug, pk=team.pk)
    return render(request, "question.html", {"asked": asked})


def _kinds(step: Step | None) -> list[TeamVerdict.Kind]:
    """What somebody says of a team that waits for this step."""
    return [SAID_AT[step], TeamVerdict.Kind.RETURNED] if step in SAID_AT else []


def _as_seen(lines: list[TeamLine]) -> list[tuple[TeamLine, str]]:
    """The teams of a question, each with the digest of what it shows."""
    said = TeamVerdict.objects.filter(team__in=[each.team.pk for each in lines])
    last = dict(said.order_by("pk").values_list("team_id", "pk"))
    return [(each, seen_of(each.concluded.conclusion, last.get(each.team.pk))) for each in lines]


def _said_of_several(request: Visit, contest: Contest) -> HttpResponse:
    named = [each.partition(":") for each in request.POST.getlist("team")[:AT_ONCE]]
    seen = {int(number): digest for number, _colon, digest in named if is_number_of_row(number)}
    form = TeamVerdictForm({**request.POST.dict(), "seen": "-"})
    if not form.is_valid() or not seen:
        with about(reverse("contest:teams", args=[contest.slug])):
            raise Refused(_("Tick the teams in the list and say it on the next page."))
    asked = form.cleaned_data
    request.in_parts = True
    refused = say_of_teams(
        contest=contest,
        seen=seen,
        kind=TeamVerdict.Kind(asked["kind"]),
        reason=asked["reason"],
        actor=request.user,
    )
    known = dict(contest.teams.filter(pk__in=refused).values_list("pk", "name"))
    done = contest.teams.filter(pk__in=seen).count() - len(refused)
    if done:
        words = ngettext("Written down of %d team.", "Written down of %d teams.", done)
        messages.success(request, words % done)
    for number, reason in refused.items():
        messages.error(request, f"{known[number]}: {reason}")
    return redirect("contest:teams", slug=contest.slug)
