"""What the pages of plans show: loads as bars, reasons with the press that helps, what changed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Count, Q
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.queries import told_apart
from annotator.models import Assignment, Essay
from review.core.plan_options import Options
from review.core.plan_values import Load, Reason
from review.models.plans import ExpertLimit, Pin, Plan
from review.pages.pins import pins_by_place, why_left_out
from review.queries.experts import shares_of
from review.queries.plans import not_begun

WIDTH: Final = 200
"""Units a bar is wide."""
NAMED: Final = 20
"""So many checks of one reason are named beside it; all of them on a list of their own."""
State = Assignment.State


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a bar, in tenths of a unit as the drawing wants them."""

    kind: str
    x: float
    width: float


@dataclass(frozen=True, slots=True)
class LoadLine:
    """An expert with what is open, before and after; ``limit``: where the bar must end.

    ``name``: what to call the expert, no two of a plan alike.
    """

    expert: User
    name: str
    begun: int
    waiting: int
    planned: int
    taken: int
    before: Load
    limit: int | None
    limit_at: float | None
    parts: tuple[Part, ...]
    is_out: bool
    is_absent: bool


@dataclass(frozen=True, slots=True)
class UnfilledLine:
    """A check for nobody, the people it is about, and what would help.

    ``raise_to``: a limit of the plan that would do; ``pin``: what could be taken out; ``cause``:
    why its expert cannot have it, in words, where that is known.
    """

    essay: Essay
    role: str
    reason: str
    people: tuple[User, ...]
    more: int
    raise_to: int | None
    pin: Pin | None
    cause: str = ""


@dataclass(frozen=True, slots=True)
class UnfilledGroup:
    """Checks for nobody of one reason about the same people: the first of them, and how many.

    ``named``: those named beside it; ``number``: where the group stands among all of a plan.
    """

    line: UnfilledLine
    count: int
    named: Sequence[UnfilledLine]
    number: int


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """What a plan does otherwise than somebody saw."""

    essay: Essay
    role: str
    before: User | None
    after: User | None
    is_gone: bool
    is_new: bool


def loads_of(plan: Plan) -> list[Load]:
    """The loads of a plan, the largest first."""
    loads = [Load(*each) for each in plan.outcome["loads"]]
    return sorted(loads, key=lambda each: (-each.checks_after, -each.words_after, each.person))


def load_lines(plan: Plan, loads: Sequence[Load], longest: int) -> list[LoadLine]:
    """Loads of a page as bars; ``longest``: the checks that fill a whole bar."""
    begun = Q(assignments__state=State.WORKING)
    experts = (
        User.objects.select_related("check_limit")
        .annotate(begun=Count("assignments", filter=begun))
        .in_bulk([row[0] for row in plan.outcome["loads"]])
    )
    names = told_apart(experts.values())
    options, taken = Options.from_json(plan.options), _counted(plan.outcome["taken"])
    return [
        _load_line(
            (experts[each.person], names[each.person]),
            each,
            options,
            taken.get(each.person, 0),
            longest,
        )
        for each in loads
        if each.person in experts
    ]


def longest_bar(plan: Plan) -> int:
    """So many checks fill a whole bar: the longest there is, or the plan's limit near it.

    What is taken away stands in a bar beside what is had afterwards.
    """
    loads, taken = [Load(*each) for each in plan.outcome["loads"]], _counted(plan.outcome["taken"])
    most = max([1, *(each.checks_after + taken.get(each.person, 0) for each in loads)])
    limit = plan.options["limit"] or 0
    return limit if most < limit <= 2 * most else most


def _load_line(
    called: tuple[Any, str], load: Load, options: Options, lost: int, longest: int
) -> LoadLine:
    expert, name = called
    planned = load.checks_after - load.checks + lost
    begun = min(expert.begun, load.checks)
    waiting = load.checks - begun
    own = getattr(expert, "check_limit", None)
    limits = [each for each in (own and own.checks, options.limit) if each is not None]
    limit = min(limits) if limits else None
    pieces = [("solid", begun), ("soft", waiting - lost), ("lost", lost), ("planned", planned)]
    return LoadLine(
        expert=expert,
        name=name,
        begun=begun,
        waiting=waiting,
        planned=planned,
        taken=lost,
        before=load,
        limit=limit,
        limit_at=_units(limit, longest) if limit is not None and limit <= longest else None,
        parts=tuple(_parts(pieces, longest)),
        is_out=load.person in options.out,
        is_absent=not expert.has_usable_password(),
    )


def _parts(pieces: Iterable[tuple[str, int]], longest: int) -> Iterable[Part]:
    at = 0
    for kind, count in pieces:
        if count > 0:
            yield Part(kind, _units(at, longest), _units(count, longest))
        at += count


def _units(checks: int, longest: int) -> float:
    return round(checks * (WIDTH - 2) / longest, 1)


def _counted(rows: Iterable[Sequence[Any]]) -> dict[int, int]:
    found: dict[int, int] = {}
    for _work, _role, person in rows:
        found[person] = found.get(person, 0) + 1
    return found


def unfilled_lines(plan: Plan, rows: Sequence[Sequence[Any]]) -> list[UnfilledLine]:
    """Checks for nobody, of one page, with their reasons in words."""
    essays = Essay.objects.in_bulk([row[0] for row in rows])
    people = User.objects.in_bulk({each for row in rows for each in row[3][:3]})
    pins = pins_by_place(essays)
    options = Options.from_json(plan.options)
    after = {load[0]: load[3] for load in plan.outcome["loads"]}
    own = dict(ExpertLimit.objects.values_list("expert", "checks"))
    full = Reason.LIMITS
    held = {each for each, checks in own.items() if checks <= (options.limit or 0)}
    more = _shared([row for row in plan.outcome["unfilled"] if row[2] == full], held)
    after = {each: has + more for each, has in after.items()}
    return [
        UnfilledLine(
            essay=essays[work],
            role=Assignment.Role(role).label,
            reason=reason,
            people=tuple(people[each] for each in about[:3] if each in people),
            more=max(0, count - 3),
            raise_to=_limit_that_helps(about, options, after, own) if reason == full else None,
            pin=next((pins[work, each] for each in about if (work, each) in pins), None),
            cause=_cause(pins, work, about, options) if reason == Reason.PINNED else "",
        )
        for work, role, reason, about, count in rows
        if work in essays
    ]


def _cause(
    pins: Mapping[tuple[int, int], Pin], work: int, about: Iterable[int], options: Options
) -> str:
    """Why the first of a pinned check's experts cannot have it."""
    pin = next((pins[work, each] for each in about if (work, each) in pins), None)
    if pin is None:
        return ""
    if pin.expert_id in options.out:
        return _("is left out of the plan")
    return why_left_out(pin)


def grouped(rows: Sequence[Sequence[Any]]) -> list[tuple[int, Sequence[Sequence[Any]]]]:
    """Checks for nobody by reason and people, numbered; a pin is taken out by itself."""
    groups: dict[object, list[Sequence[Any]]] = {}
    for row in rows:
        work, role, reason, about, count = row
        alone = (work, role) if reason == Reason.PINNED else None
        groups.setdefault((reason, tuple(about), count, alone), []).append(row)
    return list(enumerate(groups.values()))


def unfilled_groups(
    plan: Plan, groups: Iterable[tuple[int, Sequence[Sequence[Any]]]]
) -> list[UnfilledGroup]:
    """The groups of a page, each with the first checks it is about."""
    shown = list(groups)
    rows = [row for _number, several in shown for row in several[:NAMED]]
    lines = {(line.essay.pk, line.role): line for line in unfilled_lines(plan, rows)}
    found = []
    for number, several in shown:
        keys = [(row[0], Assignment.Role(row[1]).label) for row in several[:NAMED]]
        if named := [lines[key] for key in keys if key in lines]:
            found.append(UnfilledGroup(named[0], len(several), named, number))
    return found


def _shared(rows: Sequence[Sequence[Any]], held: Collection[int]) -> int:
    """Checks more for each of the people who are at their limits, were all of these theirs; whom a
    limit of their own holds back gets none.
    """
    people = max((count - len({*about} & {*held}) for *_row, about, count in rows), default=1)
    return -(-len(rows) // max(people, 1))


def _limit_that_helps(
    people: Sequence[int], options: Options, after: Mapping[int, int], own: Mapping[int, int]
) -> int | None:
    """A limit of the plan that makes room; ``None`` where the people's own ones end it."""
    if options.limit is None:
        return None
    needed = {each: after.get(each, 0) + options.kept for each in people}
    allowed = [limit for each, limit in needed.items() if own.get(each, limit) >= limit]
    return min(allowed, default=None)


def change_lines(rows: Sequence[Sequence[Any]]) -> list[ChangeLine]:
    """What changed since a plan was looked at, of one page, by name."""
    essays = Essay.objects.in_bulk([row[0] for row in rows])
    people = User.objects.in_bulk({each for row in rows for each in row[2:4] if each is not None})
    return [
        ChangeLine(
            essay=essays[work],
            role=Assignment.Role(role).label,
            before=people.get(before),
            after=people.get(after),
            is_gone=is_gone,
            is_new=is_new,
        )
        for work, role, before, after, is_gone, is_new in rows
        if work in essays
    ]


def people_named(
    changes: Sequence[ChangeLine],
    unfilled_lines: Sequence[UnfilledLine] = (),
    unfilled_groups: Sequence[UnfilledGroup] = (),
) -> list[User]:
    """Whom the lines of a preview name beside its loads."""
    lines = [*unfilled_lines, *(group.line for group in unfilled_groups)]
    of_changes = [each for line in changes for each in (line.before, line.after) if each]
    return [*of_changes, *(each for line in lines for each in line.people)]


def essays_named(numbers: Sequence[int]) -> list[Essay]:
    """Essays by their rows, as they stand on the desk."""
    return list(Essay.objects.filter(pk__in=numbers).order_by("essay_set__name", "number", "pk"))


def spread_of(plan: Plan) -> dict[str, Any]:
    """A plan in a few figures: who gets how many, how many each has then."""
    gets = _counted(row[:3] for row in plan.outcome["given"])
    having = [load for load in loads_of(plan) if load.person in gets]
    after = [each.checks_after for each in having]
    words = [each.words_after for each in having]
    return {
        "people": len(gets),
        "checks": _from_to(list(gets.values())),
        "checks_of_one": max(gets.values(), default=0),
        "open": _from_to(after),
        "words": _from_to(words),
        "pairs": _pairs(plan.outcome["given"]),
        "pinned": sum(1 for row in plan.outcome["given"] if row[3]),
    }


def _from_to(numbers: Sequence[int]) -> str:
    """The least and the most of these, or the one number that they all are."""
    ends = sorted({min(numbers, default=0), max(numbers, default=0)})
    return "–".join(map(str, ends))


def _pairs(given: Iterable[Sequence[Any]]) -> int:
    """How many different pairs of experts the plan brings together at an essay."""
    teams: dict[int, list[int]] = {}
    for work, _role, person, _pinned in given:
        teams.setdefault(work, []).append(person)
    return len({tuple(sorted(team)) for team in teams.values() if len(team) > 1})


def withdrawal_of(plan: Plan) -> dict[str, Any]:
    """What the question before a plan is withdrawn says: how many checks, of whom."""
    waiting = not_begun().filter(planned__plan=plan)
    return {
        "plan": plan,
        "not_begun": waiting.count(),
        "essays": waiting.aggregate(n=Count("essay", distinct=True))["n"],
        "experts": shares_of(waiting.select_related("expert")),
    }
