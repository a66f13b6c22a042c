"""What is concluded about teams, from their applications and the runs that count (R 6.3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Count, Exists, OuterRef, QuerySet

from annotator.core.origins import OF_SESSION
from contest.core.readiness import Conclusion, Lines, Passed, conclude, missing_fields
from contest.models import (
    Annulment,
    Application,
    Contest,
    DataSet,
    ExchangeSession,
    ParameterSet,
    Phase,
    Team,
    Upload,
)
from contest.queries.counting import other_runs_of
from scoring.models import RunEntry, StandingBoard

FIELDS = ("name", "about", "email", "members", "agrees")
State = RunEntry.State


def conclusions_of(teams: Iterable[Team]) -> dict[int, Conclusion]:
    """The conclusion about each of these teams, whose contests are at hand, in as many queries as
    for one.
    """
    wanted = list(teams)
    contests = {each.contest_id for each in wanted}
    lines, tests = _lines(contests), _tests(contests)
    passed = _passed(tests, [each.account_id for each in wanted])
    forms = _forms(wanted)
    scored = _scored([each for each in wanted if each.contest.scheme])
    return {
        each.pk: conclude(
            missing_fields(forms.get(each.pk, {})),
            [
                passed.get((each.account_id, test.essay_set_id), Passed(None, None))
                for test in tests
                if test.contest_id == each.contest_id
            ],
            lines.get(each.contest_id),
            live=each.contest.live and not each.contest.scheme,
            scored=scored.get(each.pk, 0) if each.contest.scheme else None,
        )
        for each in wanted
    }


def conclusion_of(team: Team) -> Conclusion:
    """The conclusion about one team."""
    return conclusions_of([team])[team.pk]


def concluded_among(teams: Iterable[Team]) -> list[Team]:
    """Those of these teams about which something is concluded, which judges check (R 8.1.1)."""
    wanted = list(teams)
    found = conclusions_of(wanted)
    return [each for each in wanted if found[each.pk].is_concluded]


def tests_of(contest: Contest) -> list[int]:
    """The numbers of the essay sets of a contest's qualification."""
    return [each.essay_set_id for each in _tests([contest.pk])]


def _tests(contests: Iterable[int]) -> QuerySet[DataSet]:
    found = DataSet.objects.filter(contest__in=list(contests), role=DataSet.Role.TEST)
    return found.order_by("pk")


def _lines(contests: Iterable[int]) -> dict[int, Lines]:
    """The lines of the parameters in force, by contest: the newest come last."""
    found = ParameterSet.objects.filter(contest__in=list(contests), in_force_at__isnull=False)
    rows = found.order_by("version").values_list(
        "contest_id", "annulled_to_qualify", "star_to_qualify"
    )
    return {contest: Lines(annulled, star) for contest, annulled, star in rows}


def _forms(teams: Iterable[Team]) -> dict[int, Mapping[str, Any]]:
    found = Application.objects.filter(team__in=[each.pk for each in teams])
    return {each["team_id"]: each for each in found.values("team_id", *FIELDS)}


def _scored(teams: Iterable[Team]) -> dict[int, int]:
    """By team, how many of its uploads of the qualification were scored."""
    found = Upload.objects.filter(
        phase__kind=Phase.Kind.QUALIFICATION,
        team__in=[each.pk for each in teams],
        state=Upload.State.SCORED,
    )
    standing = Annulment.objects.filter(upload=OuterRef("pk"), lifted_at=None)
    found = found.exclude(Exists(standing))
    return dict(found.order_by().values_list("team").annotate(Count("pk")))


def _passed(tests: QuerySet[DataSet], accounts: Iterable[int]) -> dict[tuple[int, int], Passed]:
    """By account and set: the entry that stands in the run that counts by the parameters."""
    apart = {run.pk for run, _rules in other_runs_of(tests)}
    boards = StandingBoard.objects.filter(essay_set__in=[each.essay_set_id for each in tests])
    applied = boards.exclude(applied__in=apart).values("applied")
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
