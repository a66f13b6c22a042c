"""What the pages of this app show, put together from queries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from django.utils.translation import gettext_lazy as _

from annotator.models import Assignment, Essay, EssaySet, MarkupRecord
from review.core.desk import Asked, Held, Number, Progress
from review.core.forecast import Forecast, Pace, forecast
from review.models.deadlines import WorkTime
from review.queries.desk import (
    Around,
    Tally,
    around_essays,
    numbers_listed,
    numbers_of,
    tallies_of,
)
from review.queries.pace import paces
from review.services.reopening import why_not_reopened

LABELS = {
    Number.LATE: _("Late"),
    Number.RETURNED: _("Handed back"),
    Number.UNASSIGNED: _("Not assigned"),
    Number.WORKING: _("In work"),
    Number.THIRD: _("Wait for the third"),
    Number.SETTLED: _("Settled"),
}


STATES = {
    Number.UNASSIGNED: _("not assigned"),
    Number.WORKING: _("in work"),
    Number.THIRD: _("waits for the third check"),
    Number.SETTLED: _("settled"),
}
"""The state of one essay in words."""


@dataclass(frozen=True, slots=True)
class Check:
    """A check of an essay on the desk: who has it, how far it is, which points came out.

    ``time``: how long it took, of a submitted one whose subject has a limit.
    """

    assignment: Assignment | None
    total: int | None
    time: WorkTime | None = None

    @property
    def is_late(self) -> bool:
        """Open after its deadline, by the database's clock."""
        return self.assignment is not None and self.assignment.is_overdue  # type: ignore[attr-defined]

    @property
    def stays_closed(self) -> str:
        """Why a check that is submitted cannot be reopened; nothing where it can."""
        return why_not_reopened(self.assignment) if self.assignment else ""

    @property
    def look(self) -> str:
        """The form of its frame."""
        if self.assignment is None:
            return "nobody"
        if self.is_late:
            return "late"
        return {"submitted": "done", "working": "doing"}.get(self.assignment.state, "todo")


@dataclass(frozen=True)
class DeskLine:
    """An essay on the coordinator's desk; without slots, so that what is asked twice is kept.

    ``is_returned``: a check was handed back and nobody has it since.
    """

    essay: Essay
    first: Check
    second: Check
    third: Check
    third_needed: bool | None
    algorithms: int
    is_returned: bool

    @property
    def are_both_submitted(self) -> bool:
        """True once plans have nothing left to do for the essay."""
        two = (self.first.assignment, self.second.assignment)
        return all(each and each.state == Assignment.State.SUBMITTED for each in two)

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

    @cached_property
    def checks(self) -> list[Check]:
        """The checks a line shows: the first two, and the third where there is or should be one."""
        has_third = self.third.assignment is not None or self.number is Number.THIRD
        return [self.first, self.second, *([self.third] if has_third else [])]

    @cached_property
    def progress(self) -> Progress:
        """How far the checks are."""
        held = (_held(check) for check in (self.first, self.second, self.third))
        return Progress(*held, self.third_needed)

    @property
    def number(self) -> Number:
        """The state the essay is counted in."""
        return self.progress.number

    @cached_property
    def late(self) -> list[Assignment]:
        """Its overdue checks, the latest first."""
        checks = (self.first, self.second, self.third)
        found = [check.assignment for check in checks if check.assignment and check.is_late]
        return sorted(found, key=lambda each: each.deadline_at or each.created_at)

    @cached_property
    def due_at(self) -> datetime | None:
        """The next deadline of its open checks."""
        checks = (check.assignment for check in (self.first, self.second, self.third))
        deadlines = [each.deadline_at for each in checks if each and each.is_open]  # type: ignore[attr-defined]
        return min((each for each in deadlines if each), default=None)


def _held(check: Check) -> Held:
    if check.assignment is None:
        return Held.NOBODY
    is_in = check.assignment.state == Assignment.State.SUBMITTED
    return Held.SUBMITTED if is_in else Held.OPEN


def desk_lines(essays: Iterable[Essay]) -> list[DeskLine]:
    """Essays of ``review.queries.essays_with_checks`` as lines of the desk."""
    return [
        _desk_line(
            Around(each, each.assignments.all(), each.markups.all(), each.third_checks.all())  # type: ignore[arg-type]
        )
        for each in essays
    ]


def lines_of(numbers: Iterable[int]) -> list[DeskLine]:
    """The same of essays by their numbers, which read no more than a list shows."""
    return [_desk_line(each) for each in around_essays(numbers)]


def _desk_line(around: Around) -> DeskLine:
    essay = around.essay
    held = {item.role: item for item in around.checks if _counts(item, essay)}
    of_checks = [record for record in around.markups if record.assignment_id]
    totals = {
        record.assignment_id: record.criteria.total
        for record in of_checks
        if hasattr(record, "criteria")
    }
    times = {
        record.assignment_id: record.work_time
        for record in of_checks
        if hasattr(record, "work_time")
    }
    checks = {
        role: Check(held[role], totals.get(held[role].pk), times.get(held[role].pk))
        if role in held
        else Check(None, None)
        for role in Assignment.Role
    }
    decisions = [item.needed for item in around.decisions if item.round == essay.round]
    back = {item.role for item in around.checks if _was_handed_back(item, essay)}
    return DeskLine(
        essay=essay,
        first=checks[Assignment.Role.FIRST],
        second=checks[Assignment.Role.SECOND],
        third=checks[Assignment.Role.THIRD],
        third_needed=decisions[0] if decisions else None,
        algorithms=sum(record.source == MarkupRecord.Source.ALGORITHM for record in around.markups),
        is_returned=bool(back - held.keys()),
    )


def _counts(assignment: Assignment, essay: Essay) -> bool:
    return assignment.is_active and assignment.round == essay.round


def _was_handed_back(assignment: Assignment, essay: Essay) -> bool:
    return assignment.state == Assignment.State.RETURNED and assignment.round == essay.round


@dataclass(frozen=True, slots=True)
class Counted:
    """One of the six numbers: a word, how many essays, the address that lists them."""

    number: Number
    count: int
    query: str
    is_chosen: bool

    @property
    def label(self) -> Any:
        return LABELS[self.number]

    @property
    def look(self) -> str:
        """Nothing to count is quiet."""
        return f"n-{self.number}" if self.count else "none"


@dataclass(frozen=True, slots=True)
class SetForecast:
    """When the checks of a set will be done, or ``None`` where too little is known."""

    essay_set: EssaySet
    pace: Pace
    forecast: Forecast | None


@dataclass(frozen=True, slots=True)
class Listed:
    """The lines of a list whose number the six numbers know already.

    Which stand on a page is found first, in narrow rows; then all that is shown of these is read.
    ``late``: so many at its head are late, where that is known.
    """

    asked: Asked
    number: int
    late: int

    def count(self) -> int:
        return self.number

    def __len__(self) -> int:
        return self.number

    def __getitem__(self, place: slice) -> list[DeskLine]:
        numbers = numbers_listed(self.asked, place, of=self.number, late=self.late)
        return lines_of(numbers)


class DeskPage:
    """The desk under a filter: six numbers, and what is foretold of the sets it is about."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked

    @cached_property
    def tallies(self) -> list[Tally]:
        return tallies_of(self.asked)

    @cached_property
    def counts(self) -> dict[Number, int]:
        return numbers_of(self.tallies)

    @property
    def total(self) -> int:
        """How many essays the filter without a number lists."""
        return sum(each.n for each in self.tallies)

    @property
    def listed(self) -> int:
        """How many essays are listed."""
        return self.total if self.asked.number is None else self.counts[self.asked.number]

    @property
    def rows(self) -> Listed:
        """The lines that are listed."""
        is_known = self.asked.number in (None, Number.LATE)
        return Listed(self.asked, self.listed, self.counts[Number.LATE] if is_known else 0)

    @property
    def numbers(self) -> list[Counted]:
        """The six, each with its filter; the chosen one leads back to all."""
        return [self._counted(number) for number in Number]

    def _counted(self, number: Number) -> Counted:
        is_chosen = self.asked.number is number
        query = self.asked.counting(None if is_chosen else number).query
        return Counted(number, self.counts[number], query, is_chosen)

    @property
    def chosen(self) -> Any:
        """What is listed, in a word; nothing for all essays."""
        return LABELS[self.asked.number] if self.asked.number else ""

    @cached_property
    def forecasts(self) -> list[SetForecast]:
        """Of the chosen set, else of all that have checks to do, by their names; above a list of
        some of their essays nothing is foretold.
        """
        if self.asked.is_narrow:
            return []
        found = {pk: pace for pk, pace in paces(self.tallies).items() if pace.left}
        sets = EssaySet.objects.filter(pk__in=found).order_by("name")
        return [SetForecast(each, found[each.pk], forecast(found[each.pk])) for each in sets]
