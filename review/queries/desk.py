"""What the desk lists and counts: states of essays as conditions of the database."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import Any, Final

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    IntegerField,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Cast, Coalesce, Now, Substr

from accounts.models import User
from annotator.models import Assignment, Essay, MarkupRecord
from annotator.queries.essays import CHECKED, LATEST, LISTED
from annotator.queries.sets import idle_essays
from annotator.queries.work import HANDED_IN, OPEN, OVERDUE, UNFINISHED
from review.core.desk import (
    BY_CODE,
    DECIDED,
    PLACES,
    STATES,
    URGENCIES,
    Asked,
    Held,
    Number,
    Order,
    Progress,
)
from review.models import ThirdCheck
from review.queries.essays import with_verdicts_of_clock
from web.core.batches import batched
from web.paging import PER_PAGE
from web.prepared import Given, GivenAny, Prepared

State = Assignment.State
ORDERS: Final[Mapping[Order, tuple[Any, ...]]] = {
    Order.LATE: ("urgency", F("due_at").asc(nulls_last=True)),
    Order.NUMBER: (),
    Order.DUE: (F("due_at").asc(nulls_last=True),),
}
LAST: Final = ("essay_set__name", "number", "pk")


def _checks(*states: State) -> QuerySet[Assignment]:
    """Checks of the present round of an essay of an outer query."""
    found = Assignment.objects.filter(essay=OuterRef("pk"), round=OuterRef("round")).order_by()
    return found.filter(state__in=states) if len(states) > 1 else found.filter(state=states[0])


def _is_late() -> Q:
    """Some check is overdue; asked once of all, for most essays have none."""
    found = Assignment.objects.filter(OVERDUE, round=F("essay__round"))
    return Q(pk__in=found.order_by().values("essay"))


def _handed_back() -> Q:
    """Some check was handed back and nobody has it since; the same."""
    taken_since = Assignment.objects.filter(
        essay=OuterRef("essay"),
        round=OuterRef("round"),
        role=OuterRef("role"),
        state__in=Assignment.ACTIVE,
    )
    found = Assignment.objects.filter(
        ~Exists(taken_since), round=F("essay__round"), state=State.RETURNED
    )
    return Q(pk__in=found.order_by().values("essay"))


def _held_by(**whom: Any) -> Q:
    """Somebody has an active check; the same."""
    found = Assignment.objects.filter(round=F("essay__round"), state__in=Assignment.ACTIVE, **whom)
    return Q(pk__in=found.order_by().values("essay"))


def _progress() -> CombinedExpression:
    """The code of an essay's ``Progress``: one look at its checks and one at its decision."""
    place = Case(
        *(When(role=role, then=at) for role, at in zip(Assignment.Role, PLACES, strict=True))
    )
    times = Case(When(state=State.SUBMITTED, then=int(Held.SUBMITTED)), default=int(Held.OPEN))
    held = _checks(*Assignment.ACTIVE).values("essay").annotate(code=Sum(place * times))
    needed = Case(When(needed=True, then=2 * DECIDED), default=DECIDED)
    decided = ThirdCheck.objects.filter(essay=OuterRef("pk"), round=OuterRef("round"))
    return Coalesce(Subquery(held.values("code")), 0) + Coalesce(
        Subquery(decided.annotate(code=needed).values("code")), 0
    )


def _is_idle() -> Case:
    """No check of an essay is wanted."""
    return Case(When(idle_essays(), then=True), default=False)


def with_progress(essays: QuerySet[Essay]) -> QuerySet[Essay]:
    """Essays with ``progress``, the code of a ``Progress``."""
    return essays.annotate(progress=_progress())


def with_states(essays: QuerySet[Essay]) -> QuerySet[Essay]:
    """The same with ``is_late`` and ``is_returned`` too."""
    return with_progress(essays).annotate(is_late=_is_late(), is_returned=_handed_back())


def counted_in(number: Number) -> Q:
    """Essays ``with_progress`` that are counted in a state."""
    codes = [code for code, progress in BY_CODE.items() if progress.number is number]
    return Q(progress__in=codes)


def being_decided() -> Q:
    """Essays ``with_progress`` of which it is not said yet whether they need a third check."""
    return Q(progress__in=[code for code, each in BY_CODE.items() if each.is_being_decided])


_GIVEN: Final[Mapping[str, Any]] = {
    name: Given(name) for name in ("set_name", "subject", "expert", "words")
}


def _values(asked: Asked) -> dict[str, Any]:
    """What an address asks for, without the kind of list."""
    return {name: value for name in _GIVEN if (value := getattr(asked, name))}


def _form(asked: Asked) -> Asked:
    """A filter with places for its values: of few forms, each of whose statements is made once."""
    return replace(asked, **{name: _GIVEN[name] for name in _values(asked)})


def _matching(essays: QuerySet[Essay], asked: Asked) -> QuerySet[Essay]:
    """The essays an address asks for, of any state."""
    named_set = LATEST & Q(essay_set__name=asked.set_name)  # the archive only where it is asked for
    essays = essays.filter(CHECKED, named_set if asked.set_name else LISTED)
    if asked.subject:
        essays = essays.filter(subject=asked.subject)
    if asked.expert:
        essays = essays.filter(_held_by(expert=asked.expert))
    if asked.words:
        named = User.objects.filter(
            Q(full_name__icontains=asked.words) | Q(username__icontains=asked.words)
        )
        essays = essays.filter(
            Q(number__icontains=asked.words)
            | Q(theme__icontains=asked.words)
            | _held_by(expert__in=named.order_by().values("pk"))
        )
    return essays


def essays_asked(asked: Asked) -> QuerySet[Essay]:
    """The essays of a filter, bare and in no order."""
    found = _matching(Essay.objects.order_by(), asked)
    if asked.number is Number.LATE:
        return found.filter(_is_late())
    if asked.number is Number.RETURNED:
        return found.filter(_handed_back())
    if asked.number:
        found = found.alias(progress=_progress()).filter(counted_in(asked.number))
    return found.exclude(idle_essays()) if asked.number is Number.UNASSIGNED else found


def essays_listed(asked: Asked) -> QuerySet[Essay]:
    """The same in the order asked for; what is shown of them is ``around_essays``."""
    due = _checks(*UNFINISHED).filter(~HANDED_IN, deadline_at__isnull=False).order_by("deadline_at")
    due_at = Subquery(due.values("deadline_at")[:1])
    return (
        essays_asked(asked)
        .alias(late_since=Case(When(_is_late(), then=due_at)), due_at=due_at)
        .alias(urgency=_urgency(is_known=asked.number in STATES))
        .order_by(*ORDERS[asked.order], *LAST)
    )


def _urgency(*, is_known: bool) -> Case:
    """How soon somebody is to look at an essay: a digit, the smaller the sooner; ``is_known``: all
    that are listed are in one state.
    """
    of_state = Substr(Value(URGENCIES), Cast(_progress() + 1, IntegerField()), 1)
    return Case(
        When(_is_late(), then=Value("0")),
        When(_handed_back(), then=Value("1")),
        When(idle_essays(), then=Value(max(URGENCIES))),
        default=Value("2") if is_known else of_state,
    )


def numbers_listed(asked: Asked, place: slice, *, of: int, late: int) -> list[int]:
    """The numbers of the essays that stand at a place of a list ``of`` so many; so many at its
    head are ``late``: of these nobody asks the database how far they are, which takes as long as
    the rest. What is nearer to the end is counted from there: only as much as that is sorted.
    """
    low, high, _step = place.indices(of)
    are_late = high <= late
    from_end = low > of - high
    if from_end:
        low, high = of - high, of - low
    found = _listed(_form(asked), are_late, from_end).between(low, high, **_values(asked))
    return found[::-1] if from_end else found


def numbers_between(asked: Asked, first: int, stop: int) -> list[int]:
    """The numbers of the essays between two places of a list of which nothing is counted."""
    return list(_listed(_form(asked), False, False).between(first, stop, **_values(asked)))


@cache
def _listed(form: Asked, are_late: bool, from_end: bool) -> Prepared[int]:
    def listed() -> QuerySet[Essay, int]:
        found = essays_listed(form)
        if are_late and form.order is Order.LATE:
            found = found.order_by(F("late_since").asc(nulls_last=True), *LAST)
        return (found.reverse() if from_end else found).values_list("pk", flat=True)

    return Prepared(listed)


@dataclass(frozen=True, slots=True)
class Around:
    """An essay with its checks in the order of rounds, its submitted markups and the decisions
    about third checks.
    """

    essay: Essay
    checks: Sequence[Assignment]
    markups: Sequence[MarkupRecord]
    decisions: Sequence[ThirdCheck]


def around_essays(numbers: Iterable[int]) -> list[Around]:
    """What the lines of the desk show of these essays and of their checks, and nothing else; so
    many essays at once as a page has, in four queries.
    """
    return [each for batch in batched(numbers, PER_PAGE) for each in _around(batch)]


def _around(numbers: list[int]) -> Iterator[Around]:
    essays = {essay.pk: essay for essay in _ESSAYS(numbers=numbers)}
    found = [_by_essay(read(numbers=numbers)) for read in (_CHECKS, _MARKUPS, _DECISIONS)]
    for number in numbers:
        if number in essays:
            yield Around(essays[number], *(rows[number] for rows in found))


def _by_essay(rows: Iterable[Any]) -> Mapping[int, list[Any]]:
    found = defaultdict(list)
    for row in rows:
        found[row.essay_id].append(row)
    return found


_PAGE: Final = GivenAny("numbers", PER_PAGE)
_ESSAYS: Final = Prepared(
    lambda: (
        Essay.objects.filter(pk__in=_PAGE)
        .select_related("essay_set")
        .only("number", "subject", "theme", "round", "essay_set__name")
        .annotate(now=Now(), is_idle=_is_idle())
    )
)
_CHECKS: Final = Prepared(
    lambda: (
        with_verdicts_of_clock(Assignment.objects.filter(essay__in=_PAGE))
        .filter(state__in=[*Assignment.ACTIVE, State.RETURNED])
        .select_related("expert")
        .only(
            *("essay", "round", "role", "state", "deadline_at", "created_at", "submitted_at"),
            *("expert__full_name", "expert__username"),
        )
        .order_by("round", "pk")
    )
)
_MARKUPS: Final = Prepared(
    lambda: (
        MarkupRecord.objects.filter(essay__in=_PAGE, state=MarkupRecord.State.SUBMITTED)
        .select_related("criteria", "work_time")
        .only(
            *("essay", "assignment", "source", "criteria__total"),
            *("work_time__seconds", "work_time__limit_seconds", "work_time__is_past"),
        )
        .order_by("pk")
    )
)
_DECISIONS: Final = Prepared(
    lambda: ThirdCheck.objects.filter(essay__in=_PAGE).only("essay", "round", "needed")
)


@dataclass(frozen=True, slots=True)
class Tally:
    """So many essays of a set stand alike, so many of them are late, or were handed back;
    ``is_idle``: no check of them is wanted; ``now``: when this was so.
    """

    set_id: int
    progress: Progress
    is_idle: bool
    n: int
    late: int
    returned: int
    now: datetime


def tallies_of(asked: Asked) -> list[Tally]:
    """The essays of a filter counted, whatever number it asks for; one query."""
    counted = _counted(_form(replace(asked, number=None, order=Order.LATE)))
    found = counted(**_values(asked))
    return [Tally(set_id, BY_CODE[code], *rest) for set_id, code, *rest in found]


@cache
def _counted(form: Asked) -> Prepared[tuple[Any, ...]]:
    return Prepared(
        lambda: (
            with_states(_matching(Essay.objects.order_by(), form))
            .annotate(is_idle=_is_idle())
            .values_list("essay_set", "progress", "is_idle")
            .annotate(
                n=Count("pk"),
                late=Count("pk", filter=Q(is_late=True)),
                returned=Count("pk", filter=Q(is_returned=True)),
                now=Max(Now()),
            )
        )
    )


def numbers_of(tallies: Iterable[Tally]) -> dict[Number, int]:
    """How many essays each number counts."""
    found = dict.fromkeys(Number, 0)
    for each in tallies:
        if counted := each.progress.counted(is_idle=each.is_idle):
            found[counted] += each.n
        found[Number.LATE] += each.late
        found[Number.RETURNED] += each.returned
    return found


def checks_chosen(
    essays: QuerySet[Essay], *, expert: int | None, late_only: bool
) -> QuerySet[Assignment]:
    """The checks of essays in their present round that are not final: of one expert, or the overdue
    ones only.

    ``has_draft``: somebody has begun it; ``is_open``: it was not handed in either.
    """
    found = Assignment.objects.filter(
        essay__in=essays.values("pk"), round=F("essay__round"), state__in=UNFINISHED
    )
    if expert:
        found = found.filter(expert=expert)
    if late_only:
        found = found.filter(OVERDUE)
    return (
        found.annotate(
            has_draft=Exists(MarkupRecord.objects.filter(assignment=OuterRef("pk"))), is_open=OPEN
        )
        .select_related("expert", "essay__essay_set__rules")
        .defer("essay__text", "essay__task_text", "essay__theme")
        .order_by("pk")
    )
