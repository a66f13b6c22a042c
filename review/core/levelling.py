"""Loads made level, once all is given that can be.

The essays with the fewest possible experts were given first, so whoever marks another subject too
may have more by now than those who mark that one alone; and whoever came later has less. A check
goes to who has less, as long as that makes the greater of two loads smaller, and not for less than
the longest essay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from review.core.exchanging import leaves_third
from review.core.plan_desk import Desk, Slot
from review.core.plan_values import bits

ROUNDS: Final = 20
"""More were never needed: each makes the differences several times smaller."""


def level(desk: Desk, slots: Sequence[Slot]) -> None:
    """Move checks of a plan from who has many words to who has few; none is lost by it.

    What is pinned stays, and whoever is pinned to an essay gets no other check of it; an essay for
    whose third check somebody is left keeps that. Where a plan was made level nothing moves once
    more.
    """
    loose = [each for each in slots if not each.is_pinned]
    longest = max((each.sheet.work.words for each in loose), default=0)
    for _ in range(ROUNDS):
        least = {
            subject: min((desk.words[at] for at in bits(pool & ~desk.full)), default=desk.most)
            for subject, pool in desk.pool.items()
        }
        heavy = [each for each in loose if _is_heavy(desk, each, least, longest)]
        heavy.sort(key=lambda each: (-_load(desk, each), each.sheet.work.id, each.role))
        if not sum(_is_moved(desk, each) for each in heavy):
            return


def _load(desk: Desk, slot: Slot) -> int:
    """How many words whoever gets a check has; fewer than any where nobody does."""
    return -1 if slot.person is None else desk.words[slot.person]


def _is_heavy(desk: Desk, slot: Slot, least: Mapping[str, int], longest: int) -> bool:
    """Has its person more than somebody of the subject who has room, by more than an essay?"""
    return _load(desk, slot) - least[slot.sheet.work.subject] > longest


def _is_bettered(desk: Desk, slot: Slot, at: int, to: int) -> bool:
    """Is the greater of two loads smaller once a check is moved? One that somebody has moves only
    where its receiver has no more by it than is left to who gives it: two do not change places.
    """
    words = slot.sheet.work.words
    left = desk.words[at] - (words if at == slot.was else 1)
    return desk.words[to] + words <= left


def _is_moved(desk: Desk, slot: Slot) -> bool:
    at, work = slot.person, slot.sheet.work
    if at is None:
        return False
    mask = desk.able(slot.sheet, slot) & ~desk.full & ~(1 << at) & ~desk.mask(work.pins)
    keeps_third = leaves_third(desk, slot, at)
    found = desk.nearest(
        work.subject, mask, lambda to: not keeps_third or leaves_third(desk, slot, to), 1
    )
    if not found or not _is_bettered(desk, slot, at, found[0]):
        return False
    to = found[0]
    if keeps_third and not leaves_third(desk, slot, to):
        return False
    desk.drop(slot)
    desk.add(slot, to)
    return True
