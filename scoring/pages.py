"""What the pages of this app show, put together from queries and the core's values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from annotator.core.values import Fragment, Markup, Subject
from annotator.models import Assignment, Essay, MarkupRecord, RuleSet
from compare.core.comparison import Comparison
from scoring.core.counts import Counts, count
from scoring.core.criteria import explain, grade
from scoring.core.criteria.grader import Reasons
from scoring.core.criteria.reasons import describe
from scoring.core.criteria.sheet import K_MAX, CriteriaSheet
from scoring.core.metrics import Metrics, m1, measure, pairwise_accuracy
from scoring.core.third_expert import Decision, third_check
from scoring.services.pairs import weights_of


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
class Measured:
    """Two markups compared in figures: counts, metrics, points of both, the third-check rule."""

    counts: Counts
    metrics: Metrics
    accuracy: float | None
    rules: RuleSet
    sheets: tuple[CriteriaSheet, CriteriaSheet]
    decision: Decision


def measured(comparison: Comparison, subject: Subject, rules: RuleSet) -> Measured:
    """The left markup assessed against the right one."""
    sheets = (grade(subject, comparison.left), grade(subject, comparison.right))
    counts = count(comparison)
    metrics = measure(counts, m1=m1(sheets[0].total, sheets[1].total, K_MAX[subject]))
    accuracy = pairwise_accuracy(metrics, weights_of(rules))
    decision = third_check(subject, *sheets, third_total=rules.third_total)
    return Measured(counts, metrics, accuracy, rules, sheets, decision)


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
