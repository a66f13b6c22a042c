"""What is concluded about teams, from their applications and the runs that count (R 6.3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from contest.core.readiness import Conclusion, Lines, Passed, conclude, missing_fields
from contest.models import Application, Contest, DataSet, ExchangeSession, Team
from contest.models.sessions import ORIGIN
from contest.queries.parameters import parameters_in_force
from scoring.models import RunEntry, StandingBoard

FIELDS = ("name", "about", "email", "members", "agrees")
State = RunEntry.State


def conclusions_of(contest: Contest, teams: Iterable[Team]) -> dict[int, Conclusion]:
    """The conclusion about each of these teams of a contest, in as many queries as for one."""
    wanted = list(teams)
    parameters = parameters_in_force(contest)
    lines = parameters and Lines(parameters.annulled_to_qualify, parameters.star_to_qualify)
    sets = DataSet.objects.filter(contest=contest, role=DataSet.Role.TEST).order_by("pk")
    numbers = list(sets.values_list("essay_set_id", flat=True))
    passed = _passed(numbers, [each.account_id for each in wanted])
    forms = _forms(wanted)
    return {
        each.pk: conclude(
            missing_fields(forms.get(each.pk, {})),
            [passed.get((each.account_id, number), Passed(None, None)) for number in numbers],
            lines or None,
            live=contest.live and not contest.scheme,
        )
        for each in wanted
    }


def conclusion_of(team: Team) -> Conclusion:
    """The conclusion about one team; its contest is at hand."""
    return conclusions_of(team.contest, [team])[team.pk]


def _forms(teams: Iterable[Team]) -> dict[int, Mapping[str, Any]]:
    found = Application.objects.filter(team__in=[each.pk for each in teams])
    return {each["team_id"]: each for each in found.values("team_id", *FIELDS)}


def _passed(sets: Iterable[int], accounts: Iterable[int]) -> dict[tuple[int, int], Passed]:
    """By account and set: the entry that stands in the applied run."""
    applied = StandingBoard.objects.filter(essay_set__in=list(sets)).values("applied")
    entries = RunEntry.objects.filter(run__in=applied, participant__in=list(accounts))
    fields = ("participant_id", "run__essay_set_id", "state", "star", "origin")
    rows = list(entries.exclude(state=State.FORMER).values_list(*fields))
    shares = _shares({origin for *_, origin in rows if origin})
    return {
        (person, number): Passed(
            shares.get(origin) if origin else 0.0, star if state == State.RANKED else None
        )
        for person, number, state, star, origin in rows
    }


def _shares(origins: Iterable[str]) -> dict[str, float]:
    """The share of annulled files of sessions, by the origins their markups bear."""
    numbers = [each.removeprefix(ORIGIN) for each in origins if each.startswith(ORIGIN)]
    found = ExchangeSession.objects.filter(pk__in=numbers, size__gt=0)
    rows = found.values_list("pk", "annulled", "size")
    return {f"{ORIGIN}{number}": annulled / size for number, annulled, size in rows}
