"""Where two checks of one essay differ: counts first, of points and of marks.

Everything is counted from pairs of checks (``Compared``); what is counted can be asked for again by
a ``Question``, so that every number leads to the pairs it is made of.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import Final

from annotator.core.classifier import classifier_of
from annotator.core.values import Subject
from compare.core.comparison import Comparison
from compare.core.rows import State, rows
from review.core.kappa import LEAST_ESSAYS, Kappa, kappa_by_essay
from scoring.core.criteria.sheet import K_MAX, MAXIMA, CriteriaSheet

TOTAL: Final = "K"
"""The sum of all criteria, as it is named beside them."""
HIDDEN_BELOW: Final = 0.4
"""Equal points with an F1 of the marks below this are a hidden disagreement."""


class Kind(StrEnum):
    """How marks of two checks answer each other."""

    AGREED = "agreed"
    CODE = "code"
    BORDERS = "borders"
    ONLY_LEFT = "only_left"
    ONLY_RIGHT = "only_right"


KINDS: Final[Mapping[State, Kind]] = {
    State.SAME: Kind.AGREED,
    State.SUBCODE: Kind.AGREED,
    State.CORRECTION: Kind.AGREED,
    State.CODE: Kind.CODE,
    State.BORDERS: Kind.BORDERS,
    State.ONLY_LEFT: Kind.ONLY_LEFT,
    State.ONLY_RIGHT: Kind.ONLY_RIGHT,
}
"""The gravest difference of a pair names its kind; details do not undo an agreement."""


@dataclass(frozen=True, slots=True)
class Compared:
    """Two checks of one essay, made apart from each other; ids are numbers of rows.

    ``points``: of both by criterion, the same criteria in the same order. ``marks``: pairs and
    lone marks by ``Kind``. ``codes``: by code, how often both, only the left and only the right
    one marked it. ``third``: was a third check needed, ``None`` while that is not decided.
    """

    essay: int
    subject: Subject
    markups: tuple[int, int]
    experts: tuple[int, int]
    points: tuple[Mapping[str, int], Mapping[str, int]]
    marks: Mapping[str, int]
    codes: Mapping[str, tuple[int, int, int]]
    third: bool | None

    def points_for(self, criterion: str) -> tuple[int, int]:
        """What both gave for a criterion, or in all (``TOTAL``)."""
        left, right = self.points
        if criterion == TOTAL:
            return sum(left.values()), sum(right.values())
        return left[criterion], right[criterion]

    def gap(self, criterion: str) -> int:
        """The left check's points less the right one's."""
        left, right = self.points_for(criterion)
        return left - right

    @property
    def f1(self) -> float:
        """Of the marks: agreement on place and code, wherever the borders; 1 where none is made."""
        found = self.marks[Kind.AGREED] + self.marks[Kind.BORDERS]
        alone = self.marks[Kind.ONLY_LEFT] + self.marks[Kind.ONLY_RIGHT]
        both = 2 * (found + self.marks[Kind.CODE]) + alone
        return 2 * found / both if both else 1.0

    @property
    def is_hidden(self) -> bool:
        """Equal points for other reasons: every criterion is equal, and the marks are not."""
        return dict(self.points[0]) == dict(self.points[1]) and self.f1 < HIDDEN_BELOW


@dataclass(frozen=True, slots=True)
class Side:
    """One of two checks: its row, who made it, the points it gives."""

    markup: int
    expert: int
    sheet: CriteriaSheet


def marks_of(comparison: Comparison) -> dict[str, int]:
    """How many pairs and lone marks there are of every kind, 0 too."""
    counts = Counter(KINDS[row.state] for row in rows(comparison))
    return {kind.value: counts[kind] for kind in Kind}


def codes_of(comparison: Comparison, subject: Subject) -> dict[str, tuple[int, int, int]]:
    """By code: marked by both in one place, by the left check only, by the right one only.

    A pair of two codes is marked by one side only under each of them.
    """
    found: dict[str, list[int]] = {}
    for row in rows(comparison):
        codes = [
            None if index is None else _name(markup.fragments[index].code, subject)
            for markup, index in (
                (comparison.left, row.left),
                (comparison.right, row.right),
            )
        ]
        if codes[0] == codes[1] and codes[0] is not None:
            _of_code(found, codes[0])[0] += 1
            continue
        for side, code in enumerate(codes, 1):
            if code is not None:
                _of_code(found, code)[side] += 1
    return {code: (both, left, right) for code, (both, left, right) in found.items()}


def _name(code: str, subject: Subject) -> str:
    """A code as the classifier writes it, in whatever letters it was marked."""
    category = classifier_of(subject).find(code)
    return category.code if category else code.strip()


@dataclass(frozen=True, slots=True)
class Gaps:
    """How the points of a criterion differ over ``n`` pairs, left less right.

    ``signed``, ``absolute``: sums. ``spread``: how many pairs are so far apart.
    """

    criterion: str
    maximum: int
    n: int
    signed: int
    absolute: int
    spread: Mapping[int, int]
    kappa: Kappa | None

    @property
    def exact(self) -> int:
        """Pairs with equal points."""
        return self.spread.get(0, 0)

    @property
    def apart(self) -> int:
        """Pairs with other points."""
        return self.n - self.exact


@dataclass(frozen=True, slots=True)
class CodeGap:
    """How often a code was marked by both checks, or by one and not by the other."""

    code: str
    both: int
    only_left: int
    only_right: int

    @property
    def alone(self) -> int:
        """Marks the other check has nothing of."""
        return self.only_left + self.only_right


@dataclass(frozen=True, slots=True)
class TwoExperts:
    """Two people who checked the same essays, the lower number first.

    Gaps are the first one's points less the second one's.

    ``agreed`` of ``marks`` are marks both made alike; ``thirds`` pairs called a third check.
    """

    experts: tuple[int, int]
    pairs: int
    exact: int
    signed: int
    absolute: int
    agreed: int
    marks: int
    thirds: int


@dataclass(frozen=True, slots=True)
class Agreement:
    """All counts of one subject; ``thirds`` of ``decided`` pairs called a third check."""

    subject: Subject
    essays: int
    pairs: int
    gaps: tuple[Gaps, ...]
    marks: Mapping[str, int]
    codes: tuple[CodeGap, ...]
    experts: tuple[TwoExperts, ...]
    thirds: int
    decided: int
    hidden: int

    @property
    def is_enough(self) -> bool:
        """Are there essays enough for coefficients?"""
        return self.essays >= LEAST_ESSAYS


@dataclass(frozen=True, slots=True)
class Question:
    """Which pairs a number is made of; what is ``None`` or false asks nothing.

    ``gap``: exactly so far apart in ``criterion``; ``apart``: not equal there. ``side``: of a
    ``code``, 0 for both, 1 for the left check only, 2 for the right one only. ``third``: it called
    a third check; ``decided``: whether it did is known.
    """

    subject: Subject | None = None
    criterion: str | None = None
    gap: int | None = None
    apart: bool = False
    kind: Kind | None = None
    code: str | None = None
    side: int | None = None
    experts: frozenset[int] | None = None
    third: bool = False
    decided: bool = False
    hidden: bool = False

    def keeps(self, pair: Compared) -> bool:
        """Is this one of the pairs?"""
        return (
            self.subject in (None, pair.subject)
            and self._keeps_points(pair)
            and (self.kind is None or pair.marks[self.kind] > 0)
            and (self.code is None or self._keeps_code(pair, self.code))
            and self.experts in (None, frozenset(pair.experts))
            and (not self.third or pair.third is True)
            and (not self.decided or pair.third is not None)
            and (not self.hidden or pair.is_hidden)
        )

    def marks_in(self, pairs: Iterable[Compared]) -> int | None:
        """How many marks of these pairs the number counts; ``None`` where it counts pairs."""
        if self.kind is not None:
            return sum(pair.marks[self.kind] for pair in pairs)
        if self.code is not None and self.side is not None:
            return sum(pair.codes[self.code][self.side] for pair in pairs)
        return None

    def _keeps_points(self, pair: Compared) -> bool:
        if self.criterion is None:
            return True
        if self.criterion != TOTAL and self.criterion not in pair.points[0]:
            return False
        gap = pair.gap(self.criterion)
        return self.gap in (None, gap) and not (self.apart and gap == 0)

    def _keeps_code(self, pair: Compared, code: str) -> bool:
        counts = pair.codes.get(code, (0, 0, 0))
        return any(counts) if self.side is None else counts[self.side] > 0


def compared(
    comparison: Comparison,
    sides: tuple[Side, Side],
    *,
    essay: int,
    subject: Subject,
    third: bool | None,
) -> Compared:
    """Two checks as counts; the left one is the comparison's left side."""
    left, right = sides
    criteria = MAXIMA[subject]
    return Compared(
        essay=essay,
        subject=subject,
        markups=(left.markup, right.markup),
        experts=(left.expert, right.expert),
        points=(
            {name: left.sheet.points[name] for name in criteria},
            {name: right.sheet.points[name] for name in criteria},
        ),
        marks=marks_of(comparison),
        codes=codes_of(comparison, subject),
        third=third,
    )


def agreement(pairs: Iterable[Compared], *, random: Random) -> tuple[Agreement, ...]:
    """The counts of each subject, in the order of the subjects; kappa where essays are enough."""
    by_subject: dict[Subject, list[Compared]] = defaultdict(list)
    for pair in pairs:
        by_subject[pair.subject].append(pair)
    return tuple(
        _agreement(subject, by_subject[subject], random)
        for subject in Subject
        if subject in by_subject
    )


def _agreement(subject: Subject, pairs: Sequence[Compared], random: Random) -> Agreement:
    marks: Counter[str] = Counter()
    for pair in pairs:
        marks.update(pair.marks)
    maxima = {**MAXIMA[subject], TOTAL: K_MAX[subject]}
    return Agreement(
        subject=subject,
        essays=len({pair.essay for pair in pairs}),
        pairs=len(pairs),
        gaps=tuple(_gaps(name, maximum, pairs, random) for name, maximum in maxima.items()),
        marks={kind.value: marks[kind] for kind in Kind},
        codes=_codes(pairs),
        experts=_experts(pairs),
        thirds=sum(pair.third is True for pair in pairs),
        decided=sum(pair.third is not None for pair in pairs),
        hidden=sum(pair.is_hidden for pair in pairs),
    )


def _gaps(criterion: str, maximum: int, pairs: Sequence[Compared], random: Random) -> Gaps:
    spread = Counter(pair.gap(criterion) for pair in pairs)
    by_essay: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for pair in pairs:
        by_essay[pair.essay].append(pair.points_for(criterion))
    return Gaps(
        criterion=criterion,
        maximum=maximum,
        n=len(pairs),
        signed=sum(gap * count for gap, count in spread.items()),
        absolute=sum(abs(gap) * count for gap, count in spread.items()),
        spread=dict(sorted(spread.items())),
        kappa=kappa_by_essay([*by_essay.values()], maximum, random=random),
    )


def _codes(pairs: Iterable[Compared]) -> tuple[CodeGap, ...]:
    """Every code that was marked; those that one check has and the other has not come first."""
    found: dict[str, list[int]] = {}
    for pair in pairs:
        for code, counts in pair.codes.items():
            sums = _of_code(found, code)
            sums[:] = [total + count for total, count in zip(sums, counts, strict=True)]
    listed = [CodeGap(code, *counts) for code, counts in found.items()]
    return tuple(sorted(listed, key=lambda each: (-each.alone, -each.both, each.code)))


def _experts(pairs: Iterable[Compared]) -> tuple[TwoExperts, ...]:
    """Who checked the same essays, those with the most of them first."""
    found: dict[tuple[int, int], list[Compared]] = defaultdict(list)
    for pair in pairs:
        low, high = sorted(pair.experts)
        found[low, high].append(pair)
    listed = [_two(experts, together) for experts, together in found.items()]
    return tuple(sorted(listed, key=lambda each: (-each.pairs, each.experts)))


def _two(experts: tuple[int, int], together: Sequence[Compared]) -> TwoExperts:
    gaps = [pair.gap(TOTAL) * (1 if pair.experts == experts else -1) for pair in together]
    return TwoExperts(
        experts=experts,
        pairs=len(together),
        exact=gaps.count(0),
        signed=sum(gaps),
        absolute=sum(map(abs, gaps)),
        agreed=sum(pair.marks[Kind.AGREED] for pair in together),
        marks=sum(sum(pair.marks.values()) for pair in together),
        thirds=sum(pair.third is True for pair in together),
    )


def _of_code(found: dict[str, list[int]], code: str) -> list[int]:
    return found.setdefault(code, [0, 0, 0])
