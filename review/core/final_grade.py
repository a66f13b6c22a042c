"""The final grade of an essay from the points of its checks.

The regulation says when a third expert checks (Appendix 3, 3) and states no rule for the grade
that follows: the policies are the platform's own, chosen by name in a rule set.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from annotator.core.final_rule import Basis, FinalRule, Policy
from scoring.core.criteria.sheet import CriteriaSheet
from scoring.core.errors import MissingCriteriaError

THIRD: Final = 2
"""The place of the third check among the sheets."""


@dataclass(frozen=True, slots=True)
class FinalPoints:
    """A final grade: ``total`` points; ``points`` by criterion, where the rule is applied to each.

    ``counted``: the places of the checks that entered, 0 the first, 2 the third one.
    """

    total: int
    points: Mapping[str, int] | None
    counted: tuple[int, ...]


Choice = tuple[int, frozenset[int]]
"""Points, and the places of the checks they come from."""


def final_grade(
    rule: FinalRule | None,
    first: CriteriaSheet | None,
    second: CriteriaSheet | None,
    third: CriteriaSheet | None = None,
    *,
    needs_third: bool = False,
) -> FinalPoints | None:
    """The grade of two graded checks, or of three.

    ``None`` where no rule is stated, or a check that is needed has no points yet. Raises
    ``MissingCriteriaError`` where the sheets do not have the same criteria.
    """
    if rule is None or first is None or second is None or (needs_third and third is None):
        return None
    sheets = (first, second) if third is None else (first, second, third)
    _refuse_different(sheets)
    choose = POLICIES[rule.policy]
    if rule.basis is Basis.TOTAL:
        total, counted = choose([sheet.total for sheet in sheets])
        return FinalPoints(total, None, tuple(sorted(counted)))
    chosen = {name: choose([sheet.points[name] for sheet in sheets]) for name in first.points}
    points = {name: value for name, (value, _) in chosen.items()}
    counted = frozenset[int]().union(*(places for _, places in chosen.values()))
    return FinalPoints(sum(points.values()), points, tuple(sorted(counted)))


def mean_unless_third(values: Sequence[int]) -> Choice:
    """The mean of two, rounded up; of three the last one."""
    if len(values) > THIRD:
        return values[THIRD], frozenset({THIRD})
    return _mean(values, (0, 1))


def mean_of_nearest(values: Sequence[int]) -> Choice:
    """The mean of the two that are nearest to each other, rounded up; of equally near the higher
    two.
    """

    def apart(pair: tuple[int, ...]) -> tuple[int, int]:
        one, other = (values[place] for place in pair)
        return abs(one - other), -(one + other)

    return _mean(values, min(combinations(range(len(values)), 2), key=apart))


def median(values: Sequence[int]) -> Choice:
    """The middle one of three, from the latest check that has it; the mean of two, rounded up."""
    if len(values) <= THIRD:
        return _mean(values, (0, 1))
    middle = sorted(values)[1]
    latest = max(place for place, value in enumerate(values) if value == middle)
    return middle, frozenset({latest})


def _mean(values: Sequence[int], places: tuple[int, ...]) -> Choice:
    total = sum(values[place] for place in places)
    return -(-total // len(places)), frozenset(places)


def _refuse_different(sheets: Sequence[CriteriaSheet]) -> None:
    known = [frozenset(sheet.points) for sheet in sheets]
    absent = {name for names in known for name in names if any(name not in one for one in known)}
    if absent:
        raise MissingCriteriaError("criteria-missing", criteria=sorted(absent))


POLICIES: Final[Mapping[Policy, Callable[[Sequence[int]], Choice]]] = {
    Policy.MEAN_THIRD: mean_unless_third,
    Policy.NEAREST_TWO: mean_of_nearest,
    Policy.MEDIAN: median,
}
