"""By which rules the score runs of a contest's sets count, and which go by others (R 2.17)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import Final

from django.db.models import QuerySet

from annotator.models import RuleSet
from contest.models import Contest, DataSet, ParameterSet, Phase
from scoring.models import ScoreRun, StandingBoard
from scoring.queries.runs import parameters_of

PHASES: Final = {
    DataSet.Role.TEST: Phase.Kind.QUALIFICATION,
    DataSet.Role.FINAL: Phase.Kind.FINALS,
}


def parameters_of_set(data_set: DataSet) -> ParameterSet | None:
    """Those in force, or in force when the results of the set's phase were approved."""
    return parameters_of_sets([data_set])[data_set.pk]


def parameters_of_sets(data_sets: Iterable[DataSet]) -> dict[int, ParameterSet | None]:
    """The same of several sets, by their numbers, in two queries."""
    wanted = list(data_sets)
    contests = {each.contest_id for each in wanted}
    phases = Phase.objects.filter(contest__in=contests, closed_at__isnull=False).order_by()
    closed = {(each.contest_id, each.kind): each.closed_at for each in phases}
    found = ParameterSet.objects.filter(contest__in=contests, in_force_at__isnull=False)
    versions: dict[int, list[ParameterSet]] = defaultdict(list)
    for each in found.select_related("rules").order_by("-version"):
        versions[each.contest_id].append(each)
    return {
        each.pk: _in_force_at(
            closed.get((each.contest_id, PHASES.get(DataSet.Role(each.role), ""))),
            versions[each.contest_id],
        )
        for each in wanted
    }


def _in_force_at(moment: datetime | None, versions: Iterable[ParameterSet]) -> ParameterSet | None:
    """The first of these, the latest first, that was in force at a moment; now where it is none."""
    in_time = (
        each
        for each in versions
        if moment is None or (each.in_force_at is not None and each.in_force_at <= moment)
    )
    return next(in_time, None)


def rules_of_parameters(set_id: int) -> int | None:
    """The number of the rules by which the results of an essay set count; ``None``: no parameters
    say it.
    """
    found = DataSet.objects.select_related("contest").filter(essay_set=set_id).first()
    parameters = parameters_of_set(found) if found else None
    return parameters.rules_id if parameters else None


def goes_by_others(run: ScoreRun, rules: RuleSet) -> bool:
    """True where a run has other weights or another H than these rules."""
    return parameters_of(run.rules) != parameters_of(rules)


def other_runs(
    contest: Contest, sets: Iterable[int] | None = None
) -> list[tuple[ScoreRun, RuleSet]]:
    """The runs that count for sets of a contest by other weights or H than its parameters say, and
    the rules these name; ``sets``: of these essay sets alone.
    """
    found = contest.data_sets.all()
    return other_runs_of(found if sets is None else found.filter(essay_set__in=sets))


def other_runs_of(data_sets: QuerySet[DataSet]) -> list[tuple[ScoreRun, RuleSet]]:
    """The same of sets of several contests, by the names of the sets."""
    known = list(data_sets.order_by("essay_set__name"))
    boards = StandingBoard.objects.filter(essay_set__in=[each.essay_set_id for each in known])
    boards = boards.select_related("applied__rules", "applied__essay_set")
    applied = {each.essay_set_id: each.applied for each in boards}
    counted = [each for each in known if applied.get(each.essay_set_id)]
    parameters = parameters_of_sets(counted) if counted else {}
    told = []
    for each in counted:
        run, said = applied[each.essay_set_id], parameters[each.pk]
        if run and said and goes_by_others(run, said.rules):
            told.append((run, said.rules))
    return told


def sets_with_other_rules(contest: Contest, rules: RuleSet) -> list[DataSet]:
    """The sets of a contest that are marked by other rules than these."""
    found = contest.data_sets.exclude(essay_set__rules=rules).select_related("essay_set__rules")
    return list(found.order_by("role", "essay_set__name"))


def set_with_rules(contest: Contest) -> DataSet | None:
    """A set that goes by rules of the parameters: their next version is made from its page."""
    found = contest.data_sets.filter(
        essay_set__rules__in=contest.parameter_sets.values("rules")
    ).order_by("-essay_set__rules__version", "pk")
    return found.first()
