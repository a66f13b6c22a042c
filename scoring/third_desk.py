"""What the third expert's desk shows, and what became of the two earlier checks (R 7.9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from annotator.core.classifier import classifier_of
from annotator.core.values import Markup, Span
from annotator.models import Assignment, FragmentRecord, MarkupRecord
from annotator.pages import Mark, marks_of
from annotator.queries import earlier_checks
from compare.core.matcher import match
from compare.core.rows import State, rows
from scoring.core.settling import Outcome, Settled, settled
from scoring.models import Ruling, ThirdCheck


@dataclass(frozen=True, slots=True)
class Choice:
    """A pair of the two earlier checks, or a fragment only one of them has; ``number`` from 1."""

    number: int
    state: State
    differences: tuple[State, ...]
    first: Mark | None
    second: Mark | None
    reason: str

    @property
    def words(self) -> str:
        """What is marked; nothing where it is the whole text."""
        return next((mark.words for mark in self._marks if mark.words), "")

    @property
    def places(self) -> list[Span | None]:
        """Where the first and the second fragment lie."""
        return [mark.fragment.span if mark else None for mark in (self.first, self.second)]

    @property
    def has_other_borders(self) -> bool:
        return State.BORDERS in self.differences

    @property
    def _marks(self) -> list[Mark]:
        return [mark for mark in (self.first, self.second) if mark]


@dataclass(frozen=True, slots=True)
class ThirdDesk:
    """The earlier checks beside a third expert's draft, and why there is a third check."""

    choices: tuple[Choice, ...]
    taken: Mapping[int, int]
    decision: ThirdCheck | None

    @property
    def states(self) -> list[State]:
        """The states there are, gravest first."""
        found = {choice.state for choice in self.choices}
        return [state for state in State if state in found]


def third_desk(record: MarkupRecord) -> ThirdDesk | None:
    """The desk of a third expert's draft; ``None`` where no earlier check may be seen."""
    earlier = earlier_checks(record).prefetch_related("fragments")
    by_role = {each.assignment.role: each for each in earlier if each.assignment}
    if not by_role:
        return None
    empty = Markup(record.essay.text)
    sides = [
        by_role[role].to_core() if role in by_role else empty
        for role in (Assignment.Role.FIRST, Assignment.Role.SECOND)
    ]
    decisions = ThirdCheck.objects.filter(essay=record.essay_id, round=record.essay.round)
    return ThirdDesk(_choices(record, *sides), taken_in(record), decisions.first())


def taken_in(record: MarkupRecord) -> dict[int, int]:
    """The fragments of the earlier checks that a draft has taken, with the numbers of its own."""
    rows_ = FragmentRecord.objects.filter(markup=record, taken_from__isnull=False)
    return dict(rows_.values_list("taken_from_id", "pk"))


def _choices(record: MarkupRecord, first: Markup, second: Markup) -> tuple[Choice, ...]:
    classifier = classifier_of(record.essay.core_subject)
    marks = {mark.number: mark for side in (first, second) for mark in marks_of(side, classifier)}
    reasons = dict(Ruling.objects.filter(markup=record).values_list("fragment_id", "reason"))
    found = []
    for number, row in enumerate(rows(match(first, second)), 1):
        one = None if row.left is None else marks[first.fragments[row.left].id]
        other = None if row.right is None else marks[second.fragments[row.right].id]
        given = (reasons.get(mark.number, "") for mark in (one, other) if mark)
        reason = next(filter(None, given), "")
        found.append(Choice(number, row.state, row.differences, one, other, reason))
    return tuple(found)


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
    def counts(self) -> list[tuple[Outcome, int]]:
        """How many fragments were kept, changed, dropped and added."""
        found = Counter(line.outcome for line in self.lines)
        return [(outcome, found[outcome]) for outcome in Outcome]


def settled_checks(third: MarkupRecord) -> list[SettledCheck]:
    """The earlier checks of a submitted third one, fragment by fragment."""
    rulings = Ruling.objects.filter(markup=third).values_list("fragment_id", "reason")
    origins = third.fragments.select_related("taken_from__markup__assignment")
    roles = {row.pk: _role_of_source(row) for row in origins}
    return [
        _settled_check(earlier, third, dict(rulings), roles)
        for earlier in earlier_checks(third).select_related("author").prefetch_related("fragments")
    ]


def _settled_check(
    earlier: MarkupRecord, third: MarkupRecord, reasons: Mapping[int, str], roles: Mapping[int, str]
) -> SettledCheck:
    sides = earlier.to_core(), third.to_core()
    classifier = classifier_of(third.essay.core_subject)
    marks = {mark.number: mark for side in sides for mark in marks_of(side, classifier)}

    def line(found: Settled) -> SettledLine:
        one = None if found.earlier is None else marks[sides[0].fragments[found.earlier].id]
        other = None if found.third is None else marks[sides[1].fragments[found.third].id]
        reason = reasons.get(one.number, "") if one else ""
        origin = roles.get(other.number, "") if other else ""
        return SettledLine(found.outcome, found.differences, one, other, reason, origin)

    return SettledCheck(earlier, tuple(line(each) for each in settled(*sides)))


def _role_of_source(row: FragmentRecord) -> str:
    source = row.taken_from.markup.assignment if row.taken_from else None
    return str(source.get_role_display()) if source else ""
