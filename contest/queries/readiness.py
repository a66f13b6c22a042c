"""What is concluded about teams, from their applications and the runs that count (R 6.3)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.db.models import Count, Exists, OuterRef

from annotator.core.origins import OF_SESSION
from contest.core.readiness import Conclusion, Lines, Passed, conclude, missing_fields
from contest.models import (
    Annulment,
    Application,
    Contest,
    DataSet,
    ExchangeSession,
    Phase,
    Team,
    Upload,
)
from contest.queries.counting import other_runs
from contest.queries.parameters import parameters_in_force
from scoring.models import RunEntry, StandingBoard

FIELDS = ("name", "about", "email", "members", "agrees")
State = RunEntry.State


def conclusions_of(contest: Contest, teams: Iterable[Team]) -> dict[int, Conclusion]:
    """The conclusion about each of these teams of a contest, in as many queries as for one."""
    wanted = list(teams)
    parameters = parameters_in_force(contest)
    lines = parameters and Lines(parameters.annulled_to_qualify, parameters.star_to_qualify)
    numbers = tests_of(contest)
    apart = {run.pk for run, _rules in other_runs(contest, numbers)}
    passed = _passed(numbers, [each.account_id for each in wanted], apart)
    forms = _forms(wanted)
    scored = _scored(contest, wanted) if contest.scheme else {}
    return {
        each.pk: conclude(
            missing_fields(forms.get(each.pk, {})),
            [passed.get((each.account_id, number), Passed(None, None)) for number in numbers],
            lines or None,
            live=contest.live and not contest.scheme,
            scored=scored.get(each.pk, 0) if contest.scheme else None,
        )
        for each in wanted
    }


def tests_of(contest: Contest) -> list[int]:
    """The numbers of the essay sets of a contest's qualification."""
    sets = DataSet.objects.filter(contest=contest, role=DataSet.Role.TEST).order_by("pk")
    return list(sets.values_list("essay_set_id", flat=True))


def conclusion_of(team: Team) -> Conclusion:
    """The conclusion about one team; its contest is at hand."""
    return conclusions_of(team.contest, [team])[team.pk]


def _forms(teams: Iterable[Team]) -> dict[int, Mapping[str, Any]]:
    found = Application.objects.filter(team__in=[each.pk for each in teams])
    return {each["team_id"]: each for each in found.values("team_id", *FIELDS)}


def _scored(contest: Contest, teams: Iterable[Team]) -> dict[int, int]:
    """By team, how many of its uploads of the qualification were scored."""
    found = Upload.objects.filter(
        phase__contest=contest,
        phase__kind=Phase.Kind.QUALIFICATION,
        team__in=[each.pk for each in teams],
        state=Upload.State.SCORED,
    )
    standing = Annulment.objects.filter(upload=OuterRef("pk"), lifted_at=None)
    found = found.exclude(Exists(standing))
    return dict(found.order_by().values_list("team").annotate(Count("pk")))


def _passed(
    sets: Iterable[int], accounts: Iterable[int], apart: Collection[int]
) -> dict[tuple[int, int], Passed]:
    """By account and set: the entry that stands in the applied run, which is none of ``apart``."""
    boards = StandingBoard.objects.filter(essay_set__in=list(sets)).exclude(applied__in=apart)
    applied = boards.values("applied")
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
    numbers = [each.removeprefix(OF_SESSION) for each in origins if each.startswith(OF_SESSION)]
    found = ExchangeSession.objects.filter(pk__in=numbers, size__gt=0)
    rows = found.values_list("pk", "annulled", "size")
    return {f"{OF_SESSION}{number}": annulled / size for number, annulled, size in rows}
