"""What the pages of this app show, put together from queries and the core's values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

from django.db.models import prefetch_related_objects
from django.utils.translation import gettext as _

from annotator.core.values import Fragment, Markup, Subject
from annotator.models import Assignment, Essay, MarkupRecord, RuleSet
from annotator.pages import excerpt
from compare.core.comparison import Comparison
from compare.core.matcher import match
from compare.core.rows import rows
from scoring.core.counts import Counts, count
from scoring.core.criteria import explain
from scoring.core.criteria.grader import Reasons
from scoring.core.criteria.reasons import describe
from scoring.core.criteria.sheet import K_MAX, CriteriaSheet
from scoring.core.gap import Gap, gaps
from scoring.core.metrics import Metrics, m1, measure, pairwise_accuracy
from scoring.core.third_expert import (
    CRITERIA_APART,
    CRITERION_GAP,
    ONE_ZERO,
    Decision,
    third_check,
)
from scoring.queries import accuracies_of
from scoring.services.pairs import weights_of

MEASURED_AT_ONCE: Final = 8
"""Up to so many markups of an essay are all measured against each other on the page."""


@dataclass(frozen=True, slots=True)
class Lost:
    """Why some criteria have not all their points, and the fragments that cost them."""

    sentence: str
    names: list[str]
    fragments: list[Fragment]


@dataclass(frozen=True, slots=True)
class Points:
    """The points of a markup as they stand, criterion by criterion, with their reasons."""

    subject: Subject
    markup: Markup
    criteria: Mapping[str, Reasons]
    sheet: CriteriaSheet
    maximum: int
    stated: Mapping[str, int]

    @property
    def lost(self) -> list[Lost]:
        """Why points are missing; criteria that lost them for the same reason stand together."""
        found: dict[str, Lost] = {}
        for name, why in self.criteria.items():
            if why.points < why.maximum:
                sentence = describe(self.subject, why, _)
                marks = [self.markup.fragments[index] for index in why.fragments]
                found.setdefault(sentence, Lost(sentence, [], marks)).names.append(name)
        return list(found.values())

    @property
    def mismatches(self) -> dict[str, tuple[int, int]]:
        """Criteria an expert stated otherwise: stated, computed."""
        points = self.sheet.points
        return {
            name: (value, points[name])
            for name, value in self.stated.items()
            if name in points and points[name] != value
        }


def points_of(record: MarkupRecord) -> Points:
    """The points of a markup, be it a draft."""
    subject = record.essay.core_subject
    markup = record.to_core()
    criteria = explain(subject, markup)
    sheet = CriteriaSheet({name: why.points for name, why in criteria.items()})
    return Points(subject, markup, criteria, sheet, K_MAX[subject], record.stated)


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
    def lines(self) -> list[tuple[MarkupRecord, list[tuple[MarkupRecord, float | None]]]]:
        """Each assessed markup with the references and its M against them."""
        return [
            (each, [(other, self.cells.get((each.pk, other.pk))) for other in self.references])
            for each in self.markups
        ]


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
class Check:
    """A check of an essay on the desk: who has it, how far it is, which points came out."""

    assignment: Assignment | None
    total: int | None


@dataclass(frozen=True, slots=True)
class DeskLine:
    """An essay on the coordinator's desk."""

    essay: Essay
    first: Check
    second: Check
    third: Check
    third_needed: bool | None
    algorithms: int

    @property
    def gap(self) -> int | None:
        """How far the first two totals are apart."""
        if self.first.total is None or self.second.total is None:
            return None
        return abs(self.first.total - self.second.total)


def desk_lines(essays: Iterable[Essay]) -> list[DeskLine]:
    """Essays of ``scoring.queries.essays_on_desk`` as lines of the desk."""
    return [_desk_line(essay) for essay in essays]


def _desk_line(essay: Essay) -> DeskLine:
    held = {item.role: item for item in essay.assignments.all() if _counts(item, essay)}
    totals = {
        record.assignment_id: record.criteria.total
        for record in essay.markups.all()
        if record.assignment_id and hasattr(record, "criteria")
    }
    checks = {
        role: Check(held.get(role), totals.get(held[role].pk) if role in held else None)
        for role in Assignment.Role
    }
    decisions = [item.needed for item in essay.third_checks.all() if item.round == essay.round]
    return DeskLine(
        essay=essay,
        first=checks[Assignment.Role.FIRST],
        second=checks[Assignment.Role.SECOND],
        third=checks[Assignment.Role.THIRD],
        third_needed=decisions[0] if decisions else None,
        algorithms=sum(
            record.source == MarkupRecord.Source.ALGORITHM for record in essay.markups.all()
        ),
    )


def _counts(assignment: Assignment, essay: Essay) -> bool:
    return assignment.is_active and assignment.round == essay.round
