"""What came of an essay's checks: points, the gap of the first two, and the final grade."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from accounts.queries import known_as
from annotator.models import Assignment, Essay
from annotator.models.rules import FINAL_RULES
from review.models import FinalGrade, ThirdCheck
from review.queries.grades import standing_grades
from scoring.core.criteria.sheet import K_MAX, MAXIMA
from scoring.models import CriteriaRecord
from scoring.queries.tables import points_of_checks

TOTAL_GAP: Final = "total-gap"
"""The cause of a third check that names every criterion of the total."""


@dataclass(frozen=True, slots=True)
class OutcomeLine:
    """One check: who has it, and its points as far as they are there."""

    assignment: Assignment
    sheet: CriteriaRecord | None
    names: Sequence[str]
    is_counted: bool

    @property
    def points(self) -> list[int | None]:
        """By criterion, in the subject's order."""
        found: Mapping[str, int] = self.sheet.points if self.sheet else {}
        return [found.get(name) for name in self.names]

    @property
    def minutes(self) -> int:
        """How long somebody was seen at work on it."""
        return self.sheet.markup.active_seconds // 60 if self.sheet else 0


@dataclass(frozen=True, slots=True)
class GapCell:
    """How far the first two are apart in a criterion; ``made_it``: it called the third expert."""

    width: int
    made_it: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """The checks of an essay's present round and what they came to."""

    essay: Essay
    lines: Sequence[OutcomeLine]
    decision: ThirdCheck | None
    grade: FinalGrade | None

    @property
    def names(self) -> list[str]:
        """The criteria of the subject."""
        return list(MAXIMA[self.essay.core_subject])

    @property
    def maximum(self) -> int:
        """The highest total."""
        return K_MAX[self.essay.core_subject]

    @property
    def first_two(self) -> list[OutcomeLine]:
        """The lines above the gap."""
        return [line for line in self.lines if line.assignment.role != Assignment.Role.THIRD]

    @property
    def third(self) -> OutcomeLine | None:
        """The line below it."""
        third = [line for line in self.lines if line.assignment.role == Assignment.Role.THIRD]
        return third[0] if third else None

    @property
    def gap(self) -> list[GapCell] | None:
        """The first two against each other by criterion, once both are graded."""
        sheets = [line.sheet for line in self.first_two if line.sheet]
        if len(sheets) < 2:
            return None
        one, other = (sheet.points for sheet in sheets)
        widths = {name: abs(one.get(name, 0) - other.get(name, 0)) for name in self.names}
        made = _criteria_that_made(self.decision, widths)
        return [GapCell(width, name in made) for name, width in widths.items()]

    @property
    def total_gap(self) -> int:
        """How far their totals are apart."""
        totals = [line.sheet.total for line in self.first_two if line.sheet]
        return abs(totals[0] - totals[-1]) if totals else 0

    @property
    def third_came(self) -> bool:
        """True once the third check is submitted."""
        state = self.third.assignment.state if self.third else None
        return state == Assignment.State.SUBMITTED

    @property
    def grade_points(self) -> list[int | None]:
        """The points of the final grade by criterion, where its rule gives them."""
        points = (self.grade.points if self.grade else None) or {}
        return [points.get(name) for name in self.names]

    @property
    def rule(self) -> str:
        """How the rules make final grades, in words; empty where it is not stated."""
        rule = self.essay.essay_set.rules.final_rule(self.essay.core_subject)
        return str(dict(FINAL_RULES)[rule.code]) if rule else ""


def outcome_of(essay: Essay) -> Outcome:
    """The outcome as it is by now, in a constant number of queries."""
    sheets = points_of_checks(essay)
    grade = standing_grades().filter(essay=essay).first()
    held = essay.assignments.filter(round=essay.round, state__in=Assignment.ACTIVE)
    by_role = {each.role: each for each in held.select_related("expert")}
    names = list(MAXIMA[essay.core_subject])
    counted = grade.counted if grade else []
    lines = [
        OutcomeLine(by_role[role], sheets.get(role), names, role in counted)
        for role in Assignment.Role.values
        if role in by_role
    ]
    decision = essay.third_checks.filter(round=essay.round).first()
    return Outcome(essay, lines, decision, grade)


def shown_outcome(essay: Essay, *, to_staff: bool) -> dict[str, Any]:
    """What the templates of an outcome need; staff read who of one name is whom."""
    found = outcome_of(essay)
    decided = found.decision if found.gap else None
    names = known_as(line.assignment.expert for line in found.lines) if to_staff else {}
    return {
        "essay": essay,
        "outcome": found,
        "decision": decided,
        "came": found.third_came,
        "names": names,
    }


def _criteria_that_made(decision: ThirdCheck | None, widths: Mapping[str, int]) -> set[str]:
    """The criteria that called the third expert; for the total those that are widest apart."""
    if decision is None or not decision.needed:
        return set()
    alone = [each for each in decision.reasons if each["cause"] != TOTAL_GAP]
    if alone:
        return {name for reason in alone for name in reason["criteria"]}
    widest = max(widths.values())
    return {name for name, width in widths.items() if width == widest > 0}
