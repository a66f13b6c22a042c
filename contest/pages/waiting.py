"""What of contests waits for somebody, in lines that lead there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from accounts.models import User
from contest.access import body_of, may_run_contests, verdict_of_phases, waiting_teams
from contest.core.moments import at
from contest.models import Contest, Phase, PhaseVerdict
from contest.queries.teams import teams_nobody_leads
from contest.queries.waiting import Turn, contests_run, phases_for, proposals_for, runs_for
from contest.services.sessions.clock import moment_now
from contest.services.teams.letters import GOOD_FOR
from contest.services.unchecked import why_each_unchecked
from scoring.access import may_decide_runs, may_publish_boards, verdict_of_runs
from scoring.models import ScoreRun

SHOWN = 20
"""So many lines of a kind stand there; the first ones are the oldest."""
WORDS: Final = {
    Turn.DECIDE: gettext_noop("Score run %(number)d of “%(set)s” is proposed: do it or not"),
    Turn.SAY: gettext_noop("Score run %(number)d of “%(set)s”"),
    Turn.PUBLISH: gettext_noop("Score run %(number)d of “%(set)s”: publish its board"),
}


@dataclass(frozen=True, slots=True)
class Line:
    """Something that waits: in words, and where it is done."""

    words: str
    address: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits for somebody, and the contests organisers run."""

    lines: tuple[Line, ...]
    contests: tuple[Contest, ...]
    may_run: bool


def waiting_for(person: User) -> Waiting | None:
    """``None`` for those who have nothing to say of contests, and where nothing waits."""
    may_run = may_run_contests(person)
    lines = tuple(_lines(person))
    contests = tuple(contests_run()[:SHOWN]) if may_run else ()
    return Waiting(lines, contests, may_run) if lines or may_run else None


def _lines(person: User) -> Iterator[Line]:
    body = body_of(person)
    if body is not None:
        for each in proposals_for(person, body)[:SHOWN]:
            words = _("Parameters of “%(contest)s”, version %(n)d: agree or not")
            address = reverse("contest:parameters", args=[each.contest.slug])
            yield Line(words % {"contest": each.contest, "n": each.version}, address)
    kind = verdict_of_phases(person)
    if kind is None:
        return
    for phase in _phases(person, kind)[:SHOWN]:
        fields = {"phase": phase.get_kind_display(), "contest": phase.contest}
        address = reverse("contest:phase_protocol", args=[phase.contest.slug, phase.kind])
        yield Line(_("Results of the %(phase)s of “%(contest)s”") % fields, address)
    for run in _runs(person)[:SHOWN]:
        words = _(WORDS[run.turn]) % {"number": run.pk, "set": run.essay_set}
        yield Line(words, reverse("scoring:run", args=[run.pk]))
    yield from _teams(person)
    if may_run_contests(person):
        yield from _led_by_nobody()


def _phases(person: User, kind: PhaseVerdict.Kind) -> list[Phase]:
    """Those whose results somebody may say something of; judges check them once nothing is
    missing.
    """
    found = list(phases_for(person, kind))
    if kind != PhaseVerdict.Kind.CHECKED:
        return found
    missing = why_each_unchecked(found)
    return [each for each in found if not missing[each.pk]]


def _runs(person: User) -> QuerySet[ScoreRun]:
    return runs_for(
        person,
        verdict_of_runs(person),
        may_decide=may_decide_runs(person),
        may_publish=may_publish_boards(person),
    )


def _teams(person: User) -> Iterator[Line]:
    numbers: dict[Contest, int] = {}
    for each in waiting_teams(person):
        numbers[each.contest] = numbers.get(each.contest, 0) + 1
    for contest, n in numbers.items():
        words = ngettext("%(n)d team of “%(contest)s”", "%(n)d teams of “%(contest)s”", n)
        address = reverse("contest:teams", args=[contest.slug])
        yield Line(words % {"n": n, "contest": contest}, address)


def _led_by_nobody() -> Iterator[Line]:
    for team in teams_nobody_leads(at(moment_now()) - GOOD_FOR)[:SHOWN]:
        words = _("Nobody leads the team “%(team)s” of “%(contest)s”: ask somebody into it")
        address = reverse("contest:team", args=[team.contest.slug, team.pk])
        yield Line(words % {"team": team.name, "contest": team.contest}, address)
