"""Exchanges that make room for a check nobody could take: the second step of a plan.

A check is wanted by somebody whose limit is reached; he gives one of his to a second, who gives one
to a third, until somebody has room. Where conflicts are classes (schools) the chain that is found
first, a shortest one, is an augmenting path of a flow, so that no plan fills more (docs/decisions).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from review.core.plan_desk import Desk, Slot
from review.core.plan_values import bits

Step = tuple[int, Slot | None]
"""Who came to be reached, and by giving which check away; the first gives none."""


def exchange(desk: Desk, slots: Sequence[Slot]) -> None:
    """Fill what can be filled of these checks by moving others of the plan; none is lost by it.

    Those pinned to somebody come first.
    """
    empty = [slot for slot in slots if slot.person is None]
    wanting = [slot for slot in empty if slot.waits_for is not None]
    wanting += [slot for slot in empty if not slot.is_pinned]
    for keeps_third in (True, False):
        while True:
            left = _round(desk, wanting, keeps_third)
            if len(left) == len(wanting):
                break
            wanting = left


def leaves_third(desk: Desk, slot: Slot, at: int) -> bool:
    """Is somebody left for a third check of the essay, once this one is given so?"""
    sheet = slot.sheet
    return bool(sheet.base & ~desk.foes_of([at, *sheet.others(slot)]))


def _round(desk: Desk, wanting: Sequence[Slot], keeps_third: bool) -> list[Slot]:
    """Try each check once; returns those that stay without anybody."""
    dead, left = 0, []
    for slot in wanting:
        search = _Search(desk, keeps_third, dead)
        chain = search.chain(slot)
        if not chain:
            dead = search.seen  # nobody here finds room, whoever asks next
        if not chain or not _carry_out(desk, slot, chain):
            left.append(slot)
    return left


class _Search:
    """A way from a check to somebody with room, in steps as few as it takes."""

    def __init__(self, desk: Desk, keeps_third: bool, dead: int) -> None:
        self.desk, self.keeps_third, self.seen = desk, keeps_third, dead
        self.came: dict[int, tuple[int | None, Slot | None]] = {}
        self.line: deque[int] = deque()

    def chain(self, wanted: Slot) -> list[Step]:
        """The steps from its end back to the check; none where there is no way."""
        end = self._reach(wanted, None)
        while end is None and self.line:
            giver = self.line.popleft()
            given = (slot for slot in self.desk.held[giver] if not slot.is_pinned)
            ends = (self._reach(slot, giver) for slot in given)
            end = next((each for each in ends if each is not None), None)
        return [*self._back(end)]

    def _reach(self, slot: Slot, giver: int | None) -> int | None:
        """Ask everybody who may have a check; returns who has room for it."""
        asked = slot.sheet.base if slot.waits_for is None else 1 << slot.waits_for
        unasked = asked & ~self.seen
        for at in bits(unasked and unasked & self.desk.able(slot.sheet, slot)):
            if self.keeps_third and not leaves_third(self.desk, slot, at):
                continue
            self.seen |= 1 << at
            self.came[at] = (giver, None if giver is None else slot)
            if self.desk.has_room(at):
                return at
            self.line.append(at)
        return None

    def _back(self, end: int | None) -> Iterator[Step]:
        while end is not None:
            before, slot = self.came[end]
            yield end, slot
            end = before


def _carry_out(desk: Desk, wanted: Slot, chain: list[Step]) -> bool:
    """Move along a chain, its end first; false, and as before, where named pairs get in the way."""
    before = [(slot, slot.person) for _at, slot in chain if slot is not None]
    moved = [(slot or wanted, at) for at, slot in chain]
    _place(desk, moved)
    if all(desk.able(slot.sheet, slot) >> at & 1 for slot, at in moved):
        return True
    desk.drop(wanted)
    _place(desk, before)
    return False


def _place(desk: Desk, moves: Sequence[tuple[Slot, int | None]]) -> None:
    for slot, at in moves:
        desk.drop(slot)
        if at is not None:
            desk.add(slot, at)
