"""Is a third expert needed? (Appendix 3, 3, for English; markup.md 2 for the other subjects)

Every threshold is inclusive: a difference as great as the threshold calls the third expert.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal

from annotator.core.values import Subject
from scoring.core.criteria.sheet import MAXIMA, CriteriaSheet
from scoring.core.errors import MissingCriteriaError

ThirdTotal = Literal["nomination", "all", "auto"]
"""The total of an English essay whose difference counts: K3+K4, K1 to K5, or the latter when
both sheets have it and the former otherwise."""

TOTAL_GAP: Final = {
    Subject.RUSSIAN: 8,
    Subject.RUSSIAN_FREE: 8,
    Subject.LITERATURE: 7,
    Subject.SOCIAL_SCIENCE: 3,
    Subject.HISTORY: 5,
    Subject.ENGLISH: 4,
    Subject.ENGLISH_FREE: 4,
}
CRITERION_GAP: Final[Mapping[Subject, Mapping[str, int]]] = {
    Subject.RUSSIAN: {"K7": 2, "K8": 2},
    Subject.LITERATURE: {"K1": 2, "K2": 2, "K3": 2, "K4": 2, "K5": 2},
    Subject.SOCIAL_SCIENCE: {"K2": 2, "K4": 2},
    Subject.HISTORY: {"K1": 2, "K2": 2, "K3": 2, "K6": 2},
}
ONE_ZERO: Final = {Subject.LITERATURE: "K1", Subject.SOCIAL_SCIENCE: "K1"}
"""A criterion that must not be 0 with one expert only."""
CRITERIA_APART: Final = {Subject.HISTORY: 4}
"""How many criteria may not differ, however little."""
NOMINATION: Final = ("K3", "K4")
ENGLISH: Final = frozenset({Subject.ENGLISH, Subject.ENGLISH_FREE})


class Cause(StrEnum):
    """What calls for a third expert; the values are stable codes."""

    TOTAL_GAP = "total-gap"
    CRITERION_GAP = "criterion-gap"
    ONE_ZERO = "one-zero"
    CRITERIA_APART = "criteria-apart"


@dataclass(frozen=True, slots=True)
class Reason:
    """One condition that is met: by ``difference``, which reaches ``threshold``.

    ``criteria`` are those concerned: those summed, the one criterion, or all that differ.
    """

    cause: Cause
    criteria: tuple[str, ...]
    difference: int
    threshold: int


@dataclass(frozen=True, slots=True)
class Decision:
    """The answer, and the totals it rests on: sums of ``criteria``, against ``threshold``."""

    reasons: tuple[Reason, ...]
    criteria: tuple[str, ...]
    totals: tuple[int, int]
    threshold: int

    @property
    def needed(self) -> bool:
        """True when any condition is met."""
        return bool(self.reasons)

    @property
    def difference(self) -> int:
        """How far the two totals are apart."""
        return abs(self.totals[0] - self.totals[1])


def third_check(
    subject: Subject,
    first: CriteriaSheet,
    second: CriteriaSheet,
    *,
    third_total: ThirdTotal = "auto",
) -> Decision:
    """Compare two experts' sheets; the order of the two does not matter.

    ``third_total`` chooses the total of an English essay and means nothing to other subjects.
    """
    names = _summed(subject, third_total, first, second)
    absent = [name for name in names if not (name in first.points and name in second.points)]
    if absent:
        raise MissingCriteriaError("criteria-missing", criteria=absent)
    totals = (
        sum(first.points[name] for name in names),
        sum(second.points[name] for name in names),
    )
    gaps = {name: abs(first.points[name] - second.points[name]) for name in names}
    reasons = (
        *_total_gap(subject, names, abs(totals[0] - totals[1])),
        *_criterion_gaps(subject, gaps),
        *_one_zero(subject, first, second),
        *_criteria_apart(subject, gaps),
    )
    return Decision(reasons, names, totals, TOTAL_GAP[subject])


def _summed(
    subject: Subject, third_total: ThirdTotal, first: CriteriaSheet, second: CriteriaSheet
) -> tuple[str, ...]:
    """The criteria whose sum is the total that counts."""
    names = tuple(MAXIMA[subject])
    if subject not in ENGLISH or third_total == "all":
        return names
    known = first.points.keys() & second.points.keys()
    return names if third_total == "auto" and known.issuperset(names) else NOMINATION


def _total_gap(subject: Subject, names: tuple[str, ...], difference: int) -> Iterator[Reason]:
    if difference >= TOTAL_GAP[subject]:
        yield Reason(Cause.TOTAL_GAP, names, difference, TOTAL_GAP[subject])


def _criterion_gaps(subject: Subject, gaps: Mapping[str, int]) -> Iterator[Reason]:
    for name, threshold in CRITERION_GAP.get(subject, {}).items():
        if gaps[name] >= threshold:
            yield Reason(Cause.CRITERION_GAP, (name,), gaps[name], threshold)


def _one_zero(subject: Subject, first: CriteriaSheet, second: CriteriaSheet) -> Iterator[Reason]:
    name = ONE_ZERO.get(subject)
    if name:
        lower, higher = sorted((first.points[name], second.points[name]))
        if lower == 0 < higher:
            yield Reason(Cause.ONE_ZERO, (name,), higher, 1)


def _criteria_apart(subject: Subject, gaps: Mapping[str, int]) -> Iterator[Reason]:
    apart = tuple(name for name, gap in gaps.items() if gap)
    threshold = CRITERIA_APART.get(subject)
    if threshold and len(apart) >= threshold:
        yield Reason(Cause.CRITERIA_APART, apart, len(apart), threshold)
