"""What the third expert's desk shows, and what became of the two earlier checks (R 7.9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from annotator.core.classifier import Classifier, classifier_of
from annotator.core.values import Span
from annotator.models import FragmentRecord, MarkupRecord
from annotator.pages.marks import Mark, marks_of
from annotator.queries.third_checks import earlier_checks
from annotator.services.taking import uid_of_copy
from compare.core.matcher import match
from compare.core.rows import State, rows
from review.core.settling import Decisions, Outcome, Settled, settled
from review.models import ThirdCheck
from review.queries.settling import (
    decisions_of,
    edited_in,
    reasons_of,
    rulings_of,
    sides_beside,
    taken_in,
)


@dataclass(frozen=True, slots=True)
class Choice:
    """A pair of the two earlier checks, or a fragment only one of them has; ``number`` from 1.

    ``copies``: the uids the first and the second fragment have in the third markup once taken.
    """

    number: int
    state: State
    differences: tuple[State, ...]
    first: Mark | None
    second: Mark | None
    reason: str
    copies: tuple[str, str]

    @property
    def words(self) -> str:
        """What is marked; nothing where it is the whole text."""
        return next((mark.words for mark in self._marks if mark.words), "")

    @property
    def places(self) -> list[Span | None]:
        """Where the first and the second fragment lie."""
        return [mark.fragment.span if mark else None for mark in (self.first, self.second)]

    @property
    def numbers(self) -> list[int]:
        """The fragments of the pair."""
        return [mark.number for mark in self._marks]

    @property
    def has_other_borders(self) -> bool:
        return State.BORDERS in self.differences

    @property
    def _marks(self) -> list[Mark]:
        return [mark for mark in (self.first, self.second) if mark]


@dataclass(frozen=True, slots=True)
class ThirdDesk:
    """The earlier checks beside a third expert's draft, and why there is a third check.

    ``edited``: the fragments whose copies are not as they were taken.
    """

    choices: tuple[Choice, ...]
    taken: Mapping[int, int]
    ruled: Collection[int]
    reasons: Mapping[int, str]
    edited: Collection[int]
    decision: ThirdCheck | None

    @property
    def undecided(self) -> int:
        """How many pairs nothing was decided about."""
        touched = {*self.taken, *self.ruled}
        return sum(touched.isdisjoint(choice.numbers) for choice in self.choices)

    @property
    def decided(self) -> int:
        """How many pairs something was decided about."""
        return len(self.choices) - self.undecided

    @property
    def states(self) -> list[State]:
        """The states there are, gravest first."""
        found = {choice.state for choice in self.choices}
        return [state for state in State if state in found]


def third_desk(record: MarkupRecord) -> ThirdDesk | None:
    """The desk of a third expert's draft; ``None`` where no earlier check may be seen."""
    if not earlier_checks(record).exists():
        return None
    ruled, reasons = rulings_of(record)
    classifier = classifier_of(record.essay.core_subject)
    choices = _choices(record, reasons, classifier)
    decisions = ThirdCheck.objects.filter(essay=record.essay_id, round=record.essay.round)
    taken, edited = taken_in(record), edited_in(record)
    return ThirdDesk(choices, taken, ruled, reasons, edited, decisions.first())


def decided_in(record: MarkupRecord) -> dict[str, Any]:
    """What the desk is told after a change: what is taken, edited and ruled, and why."""
    ruled, reasons = rulings_of(record)
    return {
        "record": record,
        "taken": taken_in(record),
        "ruled": ruled,
        "reasons": reasons,
        "edited": edited_in(record),
    }


def _choices(
    record: MarkupRecord, reasons: Mapping[int, str], classifier: Classifier
) -> tuple[Choice, ...]:
    first, second = sides_beside(record)
    marks = {mark.number: mark for side in (first, second) for mark in marks_of(side, classifier)}
    found = []
    for number, row in enumerate(rows(match(first, second)), 1):
        one = None if row.left is None else marks[first.fragments[row.left].id]
        other = None if row.right is None else marks[second.fragments[row.right].id]
        given = (reasons.get(mark.number, "") for mark in (one, other) if mark)
        reason = next(filter(None, given), "")
        copies = _uid_in(record, one), _uid_in(record, other)
        found.append(Choice(number, row.state, row.differences, one, other, reason, copies))
    return tuple(found)


def _uid_in(record: MarkupRecord, mark: Mark | None) -> str:
    return str(uid_of_copy(record, mark.number)) if mark else ""


@dataclass(frozen=True, slots=True)
class SettledLine:
    """A fragment of an earlier check, what the third expert made of it, and why.

    ``origin``: the check an added fragment was taken from, if it was.
    """

    outcome: Outcome
    differences: tuple[State, ...]
    earlier: Mark | None
    third: Mark | None
    reason: str
    origin: str

    @property
    def words(self) -> str:
        """What is marked; nothing where it is the whole text."""
        mark = self.earlier or self.third
        return mark.words if mark else ""


@dataclass(frozen=True, slots=True)
class SettledCheck:
    """An earlier check and what became of it."""

    record: MarkupRecord
    lines: tuple[SettledLine, ...]

    @property
    def changes(self) -> list[SettledLine]:
        """The lines of what did not stay as it was, and of what was kept with a reason."""
        return [line for line in self.lines if line.outcome is not Outcome.KEPT or line.reason]

    @property
    def has_undecided(self) -> bool:
        """True where the third markup lacks a fragment nothing was said of at the desk."""
        return any(line.outcome is Outcome.UNDECIDED for line in self.lines)

    @property
    def counts(self) -> list[tuple[Outcome, int]]:
        """How many fragments were kept, changed, dropped and added; and undecided, if any."""
        found = Counter(line.outcome for line in self.lines)
        shown = [each for each in Outcome if each is not Outcome.UNDECIDED or found[each]]
        return [(outcome, found[outcome]) for outcome in shown]


def settled_checks(third: MarkupRecord) -> list[SettledCheck]:
    """The earlier checks of a submitted third one, fragment by fragment."""
    reasons, decisions = reasons_of(third), decisions_of(third)
    origins = third.fragments.select_related("taken_from__markup__assignment")
    added = {
        row.pk: (_role_of_source(row), reasons.get(row.taken_from_id or 0, "")) for row in origins
    }
    return [
        _settled_check(earlier, third, reasons, added, decisions)
        for earlier in earlier_checks(third).select_related("author").prefetch_related("fragments")
    ]


def _settled_check(
    earlier: MarkupRecord,
    third: MarkupRecord,
    reasons: Mapping[int, str],
    added: Mapping[int, tuple[str, str]],
    decisions: Decisions,
) -> SettledCheck:
    sides = earlier.to_core(), third.to_core()
    classifier = classifier_of(third.essay.core_subject)
    marks = {mark.number: mark for side in sides for mark in marks_of(side, classifier)}

    def line(found: Settled) -> SettledLine:
        one = None if found.earlier is None else marks[sides[0].fragments[found.earlier].id]
        other = None if found.third is None else marks[sides[1].fragments[found.third].id]
        origin, given = added.get(other.number, ("", "")) if other else ("", "")
        reason = reasons.get(one.number, "") if one else given
        return SettledLine(found.outcome, found.differences, one, other, reason, origin)

    return SettledCheck(earlier, tuple(line(each) for each in settled(*sides, decisions)))


def _role_of_source(row: FragmentRecord) -> str:
    source = row.taken_from.markup.assignment if row.taken_from else None
    return str(source.get_role_display()) if source else ""
