"""Who checks what, for many essays at once: two experts each, by one rule (regulation, 8.2.2).

The essay with the fewest experts comes first, then the longest; it goes to those with the fewest
words at work. What nobody had room for is filled by exchanges (``exchanging``), and who has much
more than others gives away to these (``levelling``); what that made room for is filled at last. The
outcome depends on the values alone, not on their order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from review.core.exchanging import exchange, leaves_third
from review.core.levelling import level
from review.core.plan_desk import Desk, Sheet, Slot
from review.core.plan_values import (
    Given,
    Load,
    Person,
    Proposal,
    Reason,
    Rules,
    Taken,
    Unfilled,
    Work,
    bits,
)

CHOICE: Final = 6
"""Of so many of the least loaded the second one is who has met the first least often."""

Kept = Mapping[tuple[int, str], int]
"""Who got a check by a former plan."""


def plan(
    works: Iterable[Work],
    people: Sequence[Person],
    rules: Rules,
    former: Proposal | None = None,
) -> Proposal:
    """The checks of essays for people: nobody beyond a limit, no two in conflict at one essay.

    Movable checks stay where they are unless their people cannot keep them, or have more than
    others by more than the longest essay (``levelling``): planned again, nothing moves. Whoever is
    named in ``movable`` is one of ``people``.
    What a ``former`` plan gave stays as far as it may, so that little changes where little did.
    """
    desk = Desk(people, rules)
    sheets = [_sheet(desk, work) for work in sorted(works, key=lambda each: each.id)]
    kept = {(each.work, each.role): each.person for each in former.given} if former else {}
    _loosen(desk, sheets, former)
    desk.settle()
    for sheet in sheets:
        _pin(desk, sheet, kept)
        _keep(desk, sheet, kept)
    order = sorted(sheets, key=_urgency)
    for sheet in order:
        _fill(desk, sheet)
    slots = [slot for sheet in order for slot in sheet.slots]
    exchange(desk, slots)
    if _give_back(desk, slots):
        exchange(desk, slots)
    if former is None:
        level(desk, slots)
        exchange(desk, slots)
    return _proposal(desk, sheets)


def _sheet(desk: Desk, work: Work) -> Sheet:
    holders = [desk.place[each] for each in work.holders if each in desk.place]
    barred = desk.foes_of(holders) | desk.mask(work.had)
    sheet = Sheet(work, desk.pool[work.subject] & ~barred, tuple(holders))
    sheet.slots = [Slot(sheet, role) for role in work.holes]
    for held in sorted(work.movable, key=lambda each: each.role):
        at = desk.place[held.person]
        slot = Slot(sheet, held.role, was=at)
        sheet.slots.append(slot)
        desk.release(at, work.words)
        desk.add(slot, at)
    sheet.slots.sort(key=lambda slot: slot.role)
    return sheet


def _loosen(desk: Desk, sheets: Sequence[Sheet], former: Proposal | None) -> None:
    """Take movable checks from who cannot keep them or has too many, longest essays first.

    What was to move before moves again.
    """
    again = {(each.work, each.role) for each in former.taken} if former else set()
    moved = [slot for sheet in sheets for slot in sheet.slots if slot.person is not None]
    for slot in moved:
        if (slot.sheet.work.id, slot.role) in again:
            desk.drop(slot)
    for slot in sorted(moved, key=lambda each: _is_by_pin(desk, each)):
        if slot.person is not None and not desk.able(slot.sheet, slot) >> slot.person & 1:
            desk.drop(slot)
    for slot in sorted(moved, key=lambda each: (-each.sheet.work.words, each.sheet.work.id)):
        if slot.person is not None and _is_too_many(desk, slot, slot.person):
            desk.drop(slot)


def _is_by_pin(desk: Desk, slot: Slot) -> bool:
    """Is whoever has this check named by a pin of its essay?"""
    return slot.person is not None and desk.people[slot.person].id in slot.sheet.work.pins


def _is_too_many(desk: Desk, slot: Slot, at: int) -> bool:
    """Is a check over its person's limit, and by no pin?"""
    room = desk.room[at]
    return not _is_by_pin(desk, slot) and room is not None and desk.checks[at] > room


def _pin(desk: Desk, sheet: Sheet, kept: Kept) -> None:
    """Give an essay's checks to whom they are pinned, by a former plan the same ones; where that
    fails a hole stays for nobody.

    What somebody had is not kept for a person who cannot take it.
    """
    for person in sorted(sheet.work.pins):
        at = desk.place.get(person)
        _make_room(desk, sheet, at)
        mine = [slot for slot in sheet.slots if slot.person == at and at is not None]
        free = [slot for slot in sheet.slots if slot.person is None and not slot.is_pinned]
        holes = [slot for slot in free if slot.was is None or slot.was == at]
        if mine:
            mine[0].is_pinned = True
        if mine or not free or person in sheet.work.holders:
            continue
        former = [slot for slot in free if kept.get((sheet.work.id, slot.role)) == person]
        slot = (former or holes or free)[0]
        is_able = at is not None and bool(desk.able(sheet, slot) >> at & 1)
        if at is not None and is_able and desk.has_room(at):
            slot.is_pinned = True
            desk.add(slot, at)
        elif holes:
            slot.is_pinned, slot.waits_for = True, at if is_able else None


def _make_room(desk: Desk, sheet: Sheet, at: int | None) -> None:
    """Take a movable check of an essay from who has most, where whoever is pinned finds none."""
    if at is None or not desk.has_room(at) or not sheet.slots:
        return
    persons = [slot.person for slot in sheet.slots]
    if at in persons or None in persons:
        return
    others = [slot for slot in sheet.slots if not slot.is_pinned and not _is_by_pin(desk, slot)]
    able = [slot for slot in others if desk.able(sheet, slot) >> at & 1]
    if able:
        desk.drop(max(able, key=lambda slot: desk.words[slot.person or 0]))


def _keep(desk: Desk, sheet: Sheet, kept: Kept) -> None:
    """Give an essay's checks to whom a former plan gave them, where that may be still."""
    for slot in sheet.slots:
        at = desk.place.get(kept.get((sheet.work.id, slot.role), -1))
        if at is None or slot.person is not None or slot.is_pinned or not desk.has_room(at):
            continue
        if desk.able(sheet, slot) >> at & 1:
            desk.add(slot, at)


def _urgency(sheet: Sheet) -> tuple[int, int, int]:
    return sheet.base.bit_count(), -sheet.work.words, sheet.work.id


def _fill(desk: Desk, sheet: Sheet) -> None:
    """Give an essay's checks to the least loaded, so that somebody is left for a third one."""
    empty = [slot for slot in sheet.slots if slot.person is None and not slot.is_pinned]
    for left, slot in zip(range(len(empty) - 1, -1, -1), empty, strict=True):
        mask = desk.able(sheet, slot) & ~desk.full
        if not mask:
            continue
        suits = _preference(desk, slot, mask, left)
        others = [*sheet.holders, *sheet.others()]
        found = desk.nearest(sheet.work.subject, mask, suits, CHOICE if others else 1)
        desk.add(slot, desk.freshest(found, others, sheet.work.words))
    desk.meet([*sheet.holders, *sheet.others()])


def _preference(desk: Desk, slot: Slot, mask: int, left: int) -> Callable[[int], bool] | None:
    """Who leaves enough people for the other check and a third one; ``None`` where nobody does."""
    able = desk.able(slot.sheet, slot)
    if left:
        thirds = 1 if desk.seats(able, left + 2) else 0

        def suits(at: int) -> bool:
            apart = ~(desk.foes[at] | 1 << at)
            return desk.seats(mask & apart, left) and desk.seats(able & apart, left + thirds)

        return suits if desk.seats(mask, left + 1) else None
    if not desk.seats(able, 2):
        return None
    return lambda at: leaves_third(desk, slot, at)


def _give_back(desk: Desk, slots: Sequence[Slot]) -> bool:
    """What nobody else could take stays with who had it, as far as that passes no limit anew.

    It comes before a check nobody had: is one left empty by that?
    """
    is_left = False
    for slot in slots:
        at = slot.was
        if slot.person is not None or slot.is_pinned or at is None:
            continue
        if not desk.able(slot.sheet, slot) >> at & 1:
            continue
        new = [each for each in desk.held[at] if each.was is None and not each.is_pinned]
        if new and not _may_keep(desk, at):
            desk.drop(max(new, key=lambda each: _urgency(each.sheet)))
            is_left = True
        if _may_keep(desk, at):
            desk.add(slot, at)
    return is_left


def _may_keep(desk: Desk, at: int) -> bool:
    """May this person have one more, or as many as before?"""
    return desk.has_room(at) or desk.checks[at] < desk.people[at].checks


def _proposal(desk: Desk, sheets: Sequence[Sheet]) -> Proposal:
    given, taken, unfilled, thirdless = [], [], [], []
    for sheet in sheets:
        for slot in sheet.slots:
            work, was = sheet.work.id, slot.was
            if slot.person is None:
                unfilled.append(_unfilled(desk, slot))
            elif slot.person != was:
                person = desk.people[slot.person].id
                given.append(Given(work, slot.role, person, _is_by_pin(desk, slot)))
            if was is not None and slot.person != was:
                taken.append(Taken(work, slot.role, desk.people[was].id))
        is_filled = bool(sheet.slots) and all(slot.person is not None for slot in sheet.slots)
        if is_filled and not sheet.base & ~desk.foes_of(sheet.others()):
            thirdless.append(sheet.work.id)
    return Proposal(
        tuple(given), tuple(taken), tuple(unfilled), tuple(thirdless), tuple(_loads(desk))
    )


def _loads(desk: Desk) -> Iterable[Load]:
    for at, each in enumerate(desk.people):
        yield Load(each.id, each.checks, each.words, desk.checks[at], desk.words[at])


def _unfilled(desk: Desk, slot: Slot) -> Unfilled:
    """A check for nobody, with the first question nobody was left after."""
    sheet, work = slot.sheet, slot.sheet.work
    if slot.is_pinned:
        gets = {desk.people[at].id for at in sheet.others()}
        pinned = tuple(each for each in sorted(work.pins) if each not in {*gets, *work.holders})
        return Unfilled(work.id, slot.role, Reason.PINNED, pinned)
    others = [*sheet.holders, *sheet.others(slot)]
    questions = [
        (Reason.INCOMPETENT, desk.competent[work.subject]),
        (Reason.HAD, ~(desk.mask(work.had) | sum(1 << at for at in set(others)))),
        (Reason.ABSENT, desk.present),
        (Reason.OUT, desk.pool[work.subject]),
        (Reason.CONFLICT, ~desk.foes_of(others)),
    ]
    left = (1 << len(desk.people)) - 1
    for reason, mask in questions:
        if not left & mask:
            people = left if reason is not Reason.INCOMPETENT else 0
            return Unfilled(work.id, slot.role, reason, _numbers(desk, people))
        left &= mask
    return Unfilled(work.id, slot.role, Reason.LIMITS, _numbers(desk, left))


def _numbers(desk: Desk, mask: int) -> tuple[int, ...]:
    return tuple(desk.people[at].id for at in bits(mask))
