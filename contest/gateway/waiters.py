"""Requests that wait for the next file, and how many of a participant may."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field

from contest.gateway.limits import POLLS
from contest.services.sessions.asking import Handed


@dataclass(eq=False, slots=True)
class Waiter:
    """A request of a participant for a session; ``is_displaced`` once a newer one has its place.

    ``seen``: files that open later are news to it; ``handed``: one that the look-out gave it.
    """

    participant: int
    session: int
    seen: int = 0
    handed: Handed | None = None
    is_waiting: bool = False
    is_displaced: bool = False
    woken: asyncio.Event = field(default_factory=asyncio.Event)

    async def woken_within(self, seconds: float) -> bool:
        """Wait so long, or until a file opens, the session ends, the place is lost; true if so."""
        self.handed = None
        self.woken.clear()
        self.is_waiting = True
        try:
            await asyncio.wait_for(self.woken.wait(), max(0.0, seconds))
        except TimeoutError:
            return False
        finally:
            self.is_waiting = False
        return True


class Waiters:
    """All requests that are served in this process."""

    def __init__(self) -> None:
        self._of: dict[int, list[Waiter]] = {}

    def waiting(self) -> Iterator[Waiter]:
        """Those that wait just now."""
        return (each for present in self._of.values() for each in present if each.is_waiting)

    def admit(self, waiter: Waiter) -> bool:
        """Give a request a place, that of the one that has waited longest if need be.

        False where all the others are being answered just now.
        """
        present = self._of.setdefault(waiter.participant, [])
        if len(present) >= POLLS:
            first = next((each for each in present if each.is_waiting), None)
            if first is None:
                return False
            first.is_displaced = True
            first.woken.set()
            present.remove(first)
        present.append(waiter)
        return True

    def dismiss(self, waiter: Waiter) -> None:
        """A request has been answered; one that was displaced has no place to give back."""
        present = self._of.get(waiter.participant, [])
        if waiter in present:
            present.remove(waiter)
        if not present:
            self._of.pop(waiter.participant, None)
