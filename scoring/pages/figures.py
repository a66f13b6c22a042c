"""What the pages of this app show, put together from queries and the core's values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from typing import Any, Final

from django.db.models import prefetch_related_objects
from django.utils.translation import gettext as _

from accounts.models import User
from annotator.access import markups_seen_by
from annotator.core import messages
from annotator.core.stated import Stated, frozen
from annotator.core.values import Fragment, Markup, Subject
from annotator.models import Essay, MarkupRecord, RuleSet
from annotator.pages.marks import excerpt
from compare.core.comparison import Comparison
from compare.core.matcher import match
from compare.core.rows import rows
from scoring.core.counts import Counts, count
from scoring.core.criteria import explain
from scoring.core.criteria.grader import Reasons
from scoring.core.criteria.limits import limits_of
from scoring.core.criteria.reasons import describe, stated_otherwise
from scoring.core.criteria.sheet import K_MAX, CriteriaSheet
from scoring.core.criteria.tally import Tally
from scoring.core.gap import Gap, gaps
from scoring.core.metrics import Metrics, m1, measure, pairwise_accuracy
from scoring.core.third_expert import (
    CRITERIA_APART,
    CRITERION_GAP,
    ONE_ZERO,
    Decision,
    third_check,
)
from scoring.forms import StatedForm
from scoring.queries.tables import accuracies_of
from scoring.services.pairs import weights_of

MEASURED_AT_ONCE: Final = 8
"""Up to so many markups of an essay are all measured against each other on the page."""


@dataclass(frozen=True, slots=True)
class Lost:
    """Why some criteria have not all their points, and the fragments that cost them.

    ``names``: each criterion with the points it has, ``K4 = 0``.
    """

    sentence: str
    names: list[str]
    fragments: list[Fragment]


@dataclass(frozen=True)
class Points:
    """The points of a markup as they stand, criterion by criterion, with their reasons.

    ``lost`` is put together once, however often a template asks whether there is any.
    """

    subject: Subject
    markup: Markup
    criteria: Mapping[str, Reasons]
    sheet: CriteriaSheet
    maximum: int
    stated: Mapping[str, Stated]

    @property
    def own(self) -> dict[str, str]:
        """The points an expert stated, in words."""
        return {name: messages.points_in_words(points, _) for name, points in self.stated.items()}

    @cached_property
    def lost(self) -> list[Lost]:
        """Why points are missing; criteria that lost them for the same reason stand together."""
        found: dict[str, Lost] = {}
        tally = Tally(self.markup)
        for name, why in self.criteria.items():
            if why.points < why.maximum:
                limits = limits_of(self.subject, tally, name, why)
                sentence = describe(self.subject, why, _, limits)
                marks = [self.markup.fragments[index] for index in why.fragments]
                lost = found.setdefault(sentence, Lost(sentence, [], marks))
                lost.names.append(f"{name} = {why.points}")
        return list(found.values())

    @property
    def mismatches(self) -> list[str]:
        """What an expert stated otherwise than it was computed, in sentences."""
        found = stated_otherwise(self.stated, self.criteria)
        return [messages.describe(problem, _) for problem in found]


def points_of(record: MarkupRecord, markup: Markup) -> Points:
    """The points of a record's markup, be it a draft."""
    subject = record.essay.core_subject
    criteria = explain(subject, markup)
    sheet = CriteriaSheet({name: why.points for name, why in criteria.items()})
    return Points(subject, markup, criteria, sheet, K_MAX[subject], frozen(record.stated))


def shown_points(
    record: MarkupRecord,
    points: Points,
    *,
    editable: bool,
    swap: bool = False,
    refused: StatedForm | None = None,
) -> dict[str, Any]:
    """The criteria of a record's markup as they stand; ``swap`` renews them within an htmx answer.

    Own points that were ``refused`` stand in their fields as they were typed, with the reason.
    """
    shown = {
        "points": points,
        "record": record,
        "editable": editable,
        "swap": swap,
    }
    if not refused:
        return {**shown, "errors": {}}
    return {**shown, "errors": dict(refused.errors), "typed": refused.data}


@dataclass(frozen=True, slots=True)
class GapMark:
    """A mark that makes a difference in points; ``row`` is its number in the comparison."""

    fragment: Fragment
    words: str
    row: int


@dataclass(frozen=True, slots=True)
class GapLine:
    """A criterion two markups differ in: why each side has its points, and the marks."""

    gap: Gap
    sentences: tuple[str, str]
    left: list[GapMark]
    right: list[GapMark]


@dataclass(frozen=True, slots=True)
class Measured:
    """Two markups compared in figures: counts, metrics, points of both, the third-check rule."""

    comparison: Comparison
    subject: Subject
    counts: Counts
    metrics: Metrics
    accuracy: float | None
    rules: RuleSet
    criteria: tuple[Mapping[str, Reasons], Mapping[str, Reasons]]
    sheets: tuple[CriteriaSheet, CriteriaSheet]
    decision: Decision

    @property
    def k_max(self) -> int:
        """The highest total of the subject."""
        return K_MAX[self.subject]

    @property
    def totals(self) -> tuple[int, int]:
        """K of the left and of the right markup, as M1 takes it."""
        return self.sheets[0].total, self.sheets[1].total

    @property
    def lines(self) -> list[tuple[str, float | None, float]]:
        """Name, value and weight of M1 to M6."""
        weights = weights_of(self.rules).values
        pairs = zip(self.metrics.values[:6], weights[:6], strict=True)
        return [(f"M{number}", *pair) for number, pair in enumerate(pairs, 1)]

    @property
    def points(self) -> list[tuple[str, int, int, int]]:
        """Criterion, the points on the left, on the right, and the most there are."""
        left, right = self.criteria
        return [(name, left[name].points, right[name].points, left[name].maximum) for name in left]

    @property
    def rule(self) -> str:
        """When the subject's rule calls a third expert."""
        return rule_of(self.subject, self.decision)

    @property
    def gaps(self) -> list[GapLine]:
        """The criteria that differ, with the marks that cause it."""
        numbers: tuple[dict[int, int], dict[int, int]] = {}, {}
        for number, row in enumerate(rows(self.comparison), 1):
            for of_side, index in zip(numbers, (row.left, row.right), strict=True):
                if index is not None:
                    of_side[index] = number
        return [self._gap_line(gap, numbers) for gap in gaps(self.comparison, *self.criteria)]

    def _gap_line(self, gap: Gap, numbers: tuple[dict[int, int], dict[int, int]]) -> GapLine:
        why = [criteria[gap.criterion] for criteria in self.criteria]
        left, right = self.comparison.left, self.comparison.right
        return GapLine(
            gap,
            (describe(self.subject, why[0], _), describe(self.subject, why[1], _)),
            _gap_marks(left, gap.left, numbers[0]),
            _gap_marks(right, gap.right, numbers[1]),
        )


def measured(comparison: Comparison, subject: Subject, rules: RuleSet) -> Measured:
    """The left markup assessed against the right one."""
    criteria = explain(subject, comparison.left), explain(subject, comparison.right)
    sheets = _sheet(criteria[0]), _sheet(criteria[1])
    counts = count(comparison)
    metrics = measure(counts, m1=m1(sheets[0].total, sheets[1].total, K_MAX[subject]))
    accuracy = pairwise_accuracy(metrics, weights_of(rules))
    decision = third_check(subject, *sheets, third_total=rules.third_total)
    return Measured(
        comparison, subject, counts, metrics, accuracy, rules, criteria, sheets, decision
    )


def rule_of(subject: Subject, decision: Decision) -> str:
    """The rule of the third check in words (Appendix 3, 3): all thresholds are inclusive."""
    names = " + ".join(decision.criteria)
    conditions = [
        _("the totals {names} differ by {n} or more").format(names=names, n=decision.threshold)
    ]
    conditions += [
        _("{name} differs by {n} or more").format(name=name, n=n)
        for name, n in CRITERION_GAP.get(subject, {}).items()
    ]
    if subject in ONE_ZERO:
        conditions.append(_("{name} is 0 with one of them only").format(name=ONE_ZERO[subject]))
    if subject in CRITERIA_APART:
        conditions.append(_("{n} criteria or more differ").format(n=CRITERIA_APART[subject]))
    return _("A third expert checks when {conditions}.").format(
        conditions=_(", or ").join(conditions)
    )


def _sheet(criteria: Mapping[str, Reasons]) -> CriteriaSheet:
    return CriteriaSheet({name: why.points for name, why in criteria.items()})


def _gap_marks(markup: Markup, indices: Iterable[int], numbers: Mapping[int, int]) -> list[GapMark]:
    fragments = [(markup.fragments[index], numbers[index]) for index in indices]
    return [GapMark(each, excerpt(markup.covered(each)), row) for each, row in fragments]


@dataclass(frozen=True, slots=True)
class Matrix:
    """M of every markup of an essay against every other one, in percent.

    ``references`` are the experts' markups, and all of them where there are few enough to measure
    algorithms against each other as well. ``None``: undefined, or not measured yet.
    """

    markups: Sequence[MarkupRecord]
    references: Sequence[MarkupRecord]
    cells: Mapping[tuple[int, int], float | None]

    @property
    def rows(self) -> list[MatrixRow]:
        """The lines with the steps of their colours and their means."""
        return [
            MatrixRow(each, [Cell(other, value) for other, value in cells])
            for each, cells in self.lines
        ]

    @property
    def lines(self) -> list[tuple[MarkupRecord, list[tuple[MarkupRecord, float | None]]]]:
        """Each assessed markup with the references and its M against them."""
        return [
            (each, [(other, self.cells.get((each.pk, other.pk))) for other in self.references])
            for each in self.markups
        ]


@dataclass(frozen=True, slots=True)
class Cell:
    """How exactly a markup repeats ``reference``; ``None`` against itself or where unknown."""

    reference: MarkupRecord
    accuracy: float | None

    @property
    def heat(self) -> int:
        """The step of its colour, 1 to 5; 0 without a figure."""
        return 0 if self.accuracy is None else min(5, int(self.accuracy // 20) + 1)


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """One markup against every reference, and the mean of what is known against experts."""

    assessed: MarkupRecord
    cells: Sequence[Cell]

    @property
    def mean(self) -> float | None:
        known = [
            cell.accuracy
            for cell in self.cells
            if cell.reference.source == MarkupRecord.Source.EXPERT
            and cell.reference.pk != self.assessed.pk
            and cell.accuracy is not None
        ]
        return sum(known) / len(known) if known else None


def matrix_of(markups: Sequence[MarkupRecord]) -> Matrix:
    """The pairwise accuracy of all markups of an essay, measured now where no score is stored."""
    cells = accuracies_of(markups)
    if len(markups) > MEASURED_AT_ONCE:
        experts = [each for each in markups if each.source == MarkupRecord.Source.EXPERT]
        return Matrix(markups, experts, cells)
    prefetch_related_objects(markups, "fragments")
    core = {each.pk: each.to_core() for each in markups}
    for one, other in permutations(markups, 2):
        if (one.pk, other.pk) not in cells:
            subject, rules = one.essay.core_subject, one.essay.essay_set.rules
            comparison = match(core[one.pk], core[other.pk])
            cells[one.pk, other.pk] = measured(comparison, subject, rules).accuracy
    return Matrix(markups, markups, cells)


@dataclass(frozen=True, slots=True)
class Try:
    """A submitted try of a practice essay, measured by its key."""

    record: MarkupRecord
    key: MarkupRecord
    measured: Measured


def tries_measured(user: User, essay: Essay, markups: Sequence[MarkupRecord]) -> list[Try]:
    """The submitted tries among these against the essay's key, as far as somebody sees it.

    Measured now: of practice nothing is stored.
    """
    submitted = [
        each for each in markups if each.is_try and each.state == MarkupRecord.State.SUBMITTED
    ]
    seen = markups_seen_by(user).filter(essay=essay, source=MarkupRecord.Source.KEY)
    key = seen.filter(state=MarkupRecord.State.SUBMITTED).first() if submitted else None
    if key is None:
        return []
    prefetch_related_objects([key, *submitted], "fragments")
    subject, rules, value = essay.core_subject, essay.essay_set.rules, key.to_core()
    return [
        Try(each, key, measured(match(each.to_core(), value), subject, rules)) for each in submitted
    ]
