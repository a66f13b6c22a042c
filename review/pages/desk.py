"""What the pages of this app show, put together from queries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from annotator.models import Assignment, Essay, MarkupRecord
from review.deadline_models import WorkTime


@dataclass(frozen=True, slots=True)
class Check:
    """A check of an essay on the desk: who has it, how far it is, which points came out.

    ``time``: how long it took, of a submitted one whose subject has a limit.
    """

    assignment: Assignment | None
    total: int | None
    time: WorkTime | None = None


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
    def third_came(self) -> bool:
        """True once the third check is submitted: it is needed no more."""
        third = self.third.assignment
        return third is not None and third.state == Assignment.State.SUBMITTED

    @property
    def gap(self) -> int | None:
        """How far the first two totals are apart."""
        if self.first.total is None or self.second.total is None:
            return None
        return abs(self.first.total - self.second.total)


def desk_lines(essays: Iterable[Essay]) -> list[DeskLine]:
    """Essays of ``review.queries.essays_on_desk`` as lines of the desk."""
    return [_desk_line(essay) for essay in essays]


def _desk_line(essay: Essay) -> DeskLine:
    held = {item.role: item for item in essay.assignments.all() if _counts(item, essay)}
    totals = {
        record.assignment_id: record.criteria.total
        for record in essay.markups.all()
        if record.assignment_id and hasattr(record, "criteria")
    }
    times = {
        record.assignment_id: record.work_time
        for record in essay.markups.all()
        if record.assignment_id and hasattr(record, "work_time")
    }
    checks = {
        role: Check(held[role], totals.get(held[role].pk), times.get(held[role].pk))
        if role in held
        else Check(None, None)
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
