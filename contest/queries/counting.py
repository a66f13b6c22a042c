"""By which rules the score runs of a contest's sets count, and which go by others (R 2.17)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

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
    contest = data_set.contest
    found = contest.parameter_sets.filter(in_force_at__isnull=False)
    phase = contest.phases.filter(kind=PHASES.get(DataSet.Role(data_set.role), ""))
    closed_at = phase.values_list("closed_at", flat=True).first()
    if closed_at is not None:
        found = found.filter(in_force_at__lte=closed_at)
    return found.select_related("rules").order_by("-version").first()


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
    found = contest.data_sets.select_related("contest").order_by("essay_set__name")
    known = list(found if sets is None else found.filter(essay_set__in=sets))
    boards = StandingBoard.objects.filter(essay_set__in=[each.essay_set_id for each in known])
    boards = boards.select_related("applied__rules", "applied__essay_set")
    applied = {each.essay_set_id: each.applied for each in boards}
    told = []
    for each in known:
        run = applied.get(each.essay_set_id)
        parameters = parameters_of_set(each) if run else None
        if run and parameters and goes_by_others(run, parameters.rules):
            told.append((run, parameters.rules))
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
