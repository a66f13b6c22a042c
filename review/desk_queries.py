"""What the desk lists and counts: states of essays as conditions of the database."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from django.db.models import (
    Case,
    CharField,
    Count,
    Exists,
    F,
    IntegerField,
    Max,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce, Now

from accounts.models import User
from annotator.models import Assignment, Essay, EssaySet, MarkupRecord
from annotator.queries import FIRST_TWO, LATEST, LISTED, UNFINISHED
from review.core.desk import STATES, Asked, Number, Order
from review.core.forecast import DAYS, Pace
from review.models import ThirdCheck
from review.queries import essays_with_checks

State = Assignment.State
ORDERS: Final[Mapping[Order, tuple[Any, ...]]] = {
    Order.LATE: (F("late_since").asc(nulls_last=True),),
    Order.NUMBER: (),
    Order.DUE: (F("due_at").asc(nulls_last=True),),
}


def _checks(*states: State) -> QuerySet[Assignment]:
    """Checks of the present round of an essay of an outer query."""
    found = Assignment.objects.filter(essay=OuterRef("pk"), round=OuterRef("round"))
    return found.filter(state__in=states).order_by()


def _number_of_first_two(*states: State) -> Coalesce:
    """How many of the first and the second check are in one of these states."""
    found = _checks(*states).filter(role__in=FIRST_TWO).values("essay").annotate(n=Count("pk"))
    return Coalesce(Subquery(found.values("n"), output_field=IntegerField()), 0)


def overdue() -> QuerySet[Assignment]:
    """Checks of an essay that are not submitted after their deadline, by the database's clock."""
    return _checks(*UNFINISHED).filter(deadline_at__lt=Now())


def _handed_back() -> Exists:
    """Some check was handed back and nobody has it since."""
    taken_since = Assignment.objects.filter(
        essay=OuterRef("essay"),
        round=OuterRef("round"),
        role=OuterRef("role"),
        state__in=Assignment.ACTIVE,
    )
    return Exists(_checks(State.RETURNED).filter(~Exists(taken_since)))


def _state() -> Case:
    decided = ThirdCheck.objects.filter(essay=OuterRef("pk"), round=OuterRef("round"))
    third_came = Exists(_checks(State.SUBMITTED).filter(role=Assignment.Role.THIRD))
    return Case(
        When(held__lt=2, then=Value(Number.UNASSIGNED.value)),
        When(handed_in__lt=2, then=Value(Number.WORKING.value)),
        When(third_came, then=Value(Number.SETTLED.value)),
        When(Exists(decided.filter(needed=True)), then=Value(Number.THIRD.value)),
        When(Exists(decided.filter(needed=False)), then=Value(Number.SETTLED.value)),
        default=Value(Number.WORKING.value),  # it is being decided
        output_field=CharField(),
    )


def with_states(essays: QuerySet[Essay]) -> QuerySet[Essay]:
    """Essays with ``desk_state``, one of ``STATES``, and ``is_late`` and ``is_returned``."""
    return essays.alias(
        held=_number_of_first_two(*Assignment.ACTIVE),
        handed_in=_number_of_first_two(State.SUBMITTED),
    ).annotate(desk_state=_state(), is_late=Exists(overdue()), is_returned=_handed_back())


def _matching(essays: QuerySet[Essay], asked: Asked) -> QuerySet[Essay]:
    """The essays an address asks for, of any state."""
    named_set = LATEST & Q(essay_set__name=asked.set_name)  # the archive only where it is asked for
    essays = essays.filter(named_set if asked.set_name else LISTED)
    if asked.subject:
        essays = essays.filter(subject=asked.subject)
    held = _checks(*Assignment.ACTIVE)
    if asked.expert:
        essays = essays.filter(Exists(held.filter(expert=asked.expert)))
    if asked.words:
        named = Q(expert__full_name__icontains=asked.words)
        named |= Q(expert__username__icontains=asked.words)
        essays = essays.filter(
            Q(number__icontains=asked.words)
            | Q(theme__icontains=asked.words)
            | Exists(held.filter(named))
        )
    return essays


def essays_asked(asked: Asked) -> QuerySet[Essay]:
    """The essays of a filter, bare and in no order."""
    found = _matching(Essay.objects.order_by(), asked)
    if asked.number is Number.LATE:
        return found.filter(Exists(overdue()))
    if asked.number is Number.RETURNED:
        return found.filter(_handed_back())
    if asked.number:
        return with_states(found).filter(desk_state=asked.number.value)
    return found


def essays_listed(asked: Asked) -> QuerySet[Essay]:
    """The same with all that the lines of the desk show, in the order asked for."""
    due = _checks(*UNFINISHED).filter(deadline_at__isnull=False).order_by("deadline_at")
    late = overdue().order_by("deadline_at")
    return (
        essays_with_checks()
        .filter(pk__in=essays_asked(asked).values("pk"))
        .alias(
            late_since=Subquery(late.values("deadline_at")[:1]),
            due_at=Subquery(due.values("deadline_at")[:1]),
        )
        .annotate(now=Now())
        .defer("text", "task_text")
        .order_by(*ORDERS[asked.order], "essay_set__name", "number", "pk")
    )


def numbers_of(asked: Asked) -> dict[Number, int]:
    """How many essays each number counts under the rest of the filter; one query."""
    counted = (
        with_states(_matching(Essay.objects.order_by(), asked.counting(None)))
        .values("desk_state")
        .annotate(
            n=Count("pk"),
            late=Count("pk", filter=Q(is_late=True)),
            returned=Count("pk", filter=Q(is_returned=True)),
        )
    )
    found = dict.fromkeys(Number, 0)
    for line in counted:
        found[Number(line["desk_state"])] = line["n"]
        found[Number.LATE] += line["late"]
        found[Number.RETURNED] += line["returned"]
    return found


def total_of(numbers: Mapping[Number, int]) -> int:
    """All essays under a filter: each is in one state."""
    return sum(numbers[state] for state in STATES)


def experts_on_desk() -> QuerySet[User]:
    """Experts who hold checks, by their names."""
    holding = Assignment.objects.filter(expert=OuterRef("pk"), state__in=Assignment.ACTIVE)
    return User.objects.filter(Exists(holding)).order_by("full_name", "username")


def paces(sets: QuerySet[EssaySet]) -> dict[int, Pace]:
    """What is done and to do in each set; two queries, however many sets there are."""
    of_round = Q(round=F("essay__round"))
    first_two = of_round & Q(role__in=FIRST_TWO, state=State.SUBMITTED)
    recent = Q(state=State.SUBMITTED, submitted_at__gte=Now() - timedelta(days=DAYS))
    done = (
        Assignment.objects.filter(essay__essay_set__in=sets)
        .order_by()
        .values("essay__essay_set")
        .annotate(
            checked=Count("pk", filter=first_two),
            recent=Count("pk", filter=recent),
            since=Min("submitted_at", filter=recent),
        )
    )
    found = {line["essay__essay_set"]: line for line in done}
    third_came = Assignment.objects.filter(
        essay=OuterRef("pk"),
        round=OuterRef("round"),
        role=Assignment.Role.THIRD,
        state=State.SUBMITTED,
    )
    wanted = ThirdCheck.objects.filter(essay=OuterRef("pk"), round=OuterRef("round"), needed=True)
    waits = Exists(wanted) & ~Exists(third_came)
    essays = Essay.objects.filter(essay_set__in=sets).order_by().values("essay_set")
    counted = essays.annotate(n=Count("pk"), thirds=Count("pk", filter=Q(waits)), now=Max(Now()))
    none = {"checked": 0, "recent": 0, "since": None}
    return {
        line["essay_set"]: Pace(
            recent=known["recent"],
            since=known["since"],
            left=2 * line["n"] + line["thirds"] - known["checked"],
            now=line["now"],
        )
        for line in counted
        for known in [found.get(line["essay_set"], none)]
    }


def checks_chosen(
    essays: QuerySet[Essay], *, expert: int | None, late_only: bool
) -> QuerySet[Assignment]:
    """The open checks of essays in their present round: of one expert, or the overdue ones only.

    ``has_draft``: somebody has begun it.
    """
    found = Assignment.objects.filter(
        essay__in=essays.values("pk"), round=F("essay__round"), state__in=UNFINISHED
    )
    if expert:
        found = found.filter(expert=expert)
    if late_only:
        found = found.filter(deadline_at__lt=Now())
    return (
        found.annotate(has_draft=Exists(MarkupRecord.objects.filter(assignment=OuterRef("pk"))))
        .select_related("expert", "essay__essay_set__rules")
        .defer("essay__text", "essay__task_text", "essay__theme")
        .order_by("pk")
    )
