"""What the desk lists and counts: states of essays as conditions of the database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    Max,
    Min,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    Sum,
    When,
)
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Coalesce, Now

from accounts.models import User
from annotator.models import Assignment, Essay, MarkupRecord
from annotator.models.imports import ImportedFile
from annotator.queries import (
    CHECKED,
    HANDED_IN,
    LATEST,
    LISTED,
    OPEN,
    OVERDUE,
    UNFINISHED,
)
from review.core.desk import (
    DECIDED,
    PLACES,
    STANDINGS,
    STATES,
    Asked,
    Held,
    Number,
    Order,
    Standing,
)
from review.core.forecast import DAYS, Pace
from review.models import ThirdCheck
from review.queries.essays import with_verdicts_of_clock

State = Assignment.State
ORDERS: Final[Mapping[Order, tuple[Any, ...]]] = {
    Order.LATE: (F("late_since").asc(nulls_last=True),),
    Order.NUMBER: (),
    Order.DUE: (F("due_at").asc(nulls_last=True),),
}


def _checks(*states: State) -> QuerySet[Assignment]:
    """Checks of the present round of an essay of an outer query."""
    found = Assignment.objects.filter(essay=OuterRef("pk"), round=OuterRef("round")).order_by()
    return found.filter(state__in=states) if len(states) > 1 else found.filter(state=states[0])


def overdue() -> QuerySet[Assignment]:
    """The overdue checks of an essay of an outer query."""
    found = Assignment.objects.filter(essay=OuterRef("pk"), round=OuterRef("round"))
    return found.filter(OVERDUE).order_by()


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


def _standing() -> CombinedExpression:
    """The code of an essay's ``Standing``: one look at its checks and one at its decision."""
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


def with_states(essays: QuerySet[Essay]) -> QuerySet[Essay]:
    """Essays with ``standing``, the code of a ``Standing``, and ``is_late`` and ``is_returned``."""
    return essays.annotate(standing=_standing(), is_late=_is_late(), is_returned=_handed_back())


def counted_in(number: Number) -> Q:
    """Essays ``with_states`` that are counted in a state."""
    codes = [code for code, standing in STANDINGS.items() if standing.number is number]
    return Q(standing__in=codes)


def _matching(essays: QuerySet[Essay], asked: Asked) -> QuerySet[Essay]:
    """The essays an address asks for, of any state."""
    named_set = LATEST & Q(essay_set__name=asked.set_name)  # the archive only where it is asked for
    essays = essays.filter(CHECKED, named_set if asked.set_name else LISTED)
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
        return found.filter(_is_late())
    if asked.number is Number.RETURNED:
        return found.filter(_handed_back())
    if asked.number:
        return found.alias(standing=_standing()).filter(counted_in(asked.number))
    return found


def essays_listed(asked: Asked) -> QuerySet[Essay]:
    """The same in the order asked for; what is shown of them is in ``essays_on_desk``."""
    due = _checks(*UNFINISHED).filter(~HANDED_IN, deadline_at__isnull=False).order_by("deadline_at")
    late = overdue().order_by("deadline_at")
    return (
        essays_asked(asked)
        .alias(
            late_since=Case(When(_is_late(), then=Subquery(late.values("deadline_at")[:1]))),
            due_at=Subquery(due.values("deadline_at")[:1]),
        )
        .order_by(*ORDERS[asked.order], "essay_set__name", "number", "pk")
    )


def essays_on_desk() -> QuerySet[Essay]:
    """Essays with what the lines of the desk show of them and of their checks, and nothing else."""
    shown = Assignment.objects.filter(state__in=[*Assignment.ACTIVE, State.RETURNED])
    checks = shown.select_related("expert").only(
        *("essay", "round", "role", "state", "deadline_at", "created_at", "submitted_at"),
        *("expert__full_name", "expert__username"),
    )
    markups = MarkupRecord.objects.filter(state=MarkupRecord.State.SUBMITTED)
    points = markups.select_related("criteria", "work_time").only(
        *("essay", "assignment", "source", "criteria__total"),
        *("work_time__seconds", "work_time__limit_seconds", "work_time__is_past"),
    )
    return (
        Essay.objects.select_related("essay_set")
        .only("number", "subject", "theme", "round", "essay_set__name")
        .annotate(now=Now())
        .prefetch_related(
            Prefetch("assignments", with_verdicts_of_clock(checks).order_by("round", "pk")),
            Prefetch("markups", points.order_by("pk")),
            "third_checks",
        )
    )


@dataclass(frozen=True, slots=True)
class Tally:
    """So many essays of a set stand alike, so many of them are late, or were handed back;
    ``now``: when this was so.
    """

    set_id: int
    standing: Standing
    n: int
    late: int
    returned: int
    now: datetime


def tallies_of(asked: Asked) -> list[Tally]:
    """The essays of a filter counted, whatever number it asks for; one query."""
    counted = (
        with_states(_matching(Essay.objects.order_by(), asked.counting(None)))
        .values_list("essay_set", "standing")
        .annotate(
            n=Count("pk"),
            late=Count("pk", filter=Q(is_late=True)),
            returned=Count("pk", filter=Q(is_returned=True)),
            now=Max(Now()),
        )
    )
    return [Tally(set_id, STANDINGS[code], *counts) for set_id, code, *counts in counted]


def numbers_of(tallies: Iterable[Tally]) -> dict[Number, int]:
    """How many essays each number counts."""
    found = dict.fromkeys(Number, 0)
    for each in tallies:
        found[each.standing.number] += each.n
        found[Number.LATE] += each.late
        found[Number.RETURNED] += each.returned
    return found


def total_of(numbers: Mapping[Number, int]) -> int:
    """All essays under a filter: each is in one state."""
    return sum(numbers[state] for state in STATES)


def experts_on_desk() -> QuerySet[User]:
    """Experts who hold checks, by their names."""
    holding = Assignment.objects.filter(expert=OuterRef("pk"), state__in=Assignment.ACTIVE)
    return User.objects.filter(Exists(holding)).order_by("full_name", "username")


def _came_by_import() -> Exists:
    """What a check holds was brought by an import: nobody has worked on it here."""
    submitted = Q(markup__state=MarkupRecord.State.SUBMITTED)
    return Exists(ImportedFile.objects.filter(submitted, markup__assignment=OuterRef("pk")))


def paces(tallies: Sequence[Tally]) -> dict[int, Pace]:
    """What is done and to do in each set whose essays are all counted; one query.

    The pace is that of experts at work: what an import brought is done, but foretells nothing.
    """
    left: Counter[int] = Counter()
    for each in tallies:
        left[each.set_id] += each.n * each.standing.left
    done = (
        Assignment.objects.filter(
            ~_came_by_import(),
            essay__essay_set__in=left,
            state=State.SUBMITTED,
            submitted_at__gte=Now() - timedelta(days=DAYS),
        )
        .order_by()
        .values_list("essay__essay_set")
        .annotate(recent=Count("pk"), since=Min("submitted_at"))
    )
    recent = {set_id: (count, since) for set_id, count, since in done}
    now = {each.set_id: each.now for each in tallies}
    return {
        set_id: Pace(*recent.get(set_id, (0, None)), left=count, now=now[set_id])
        for set_id, count in left.items()
    }


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
