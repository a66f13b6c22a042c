"""The schedule of a contest: a line of steps of which one is lit, what is on or what is next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Step(StrEnum):
    """What follows what in a contest (R 4.1)."""

    ANNOUNCED = "announced"
    APPLICATIONS = "applications"
    QUALIFICATION = "qualification"
    FINALS = "finals"
    MARKING = "marking"
    RESULTS = "results"


class Turn(StrEnum):
    """How a step stands; ``BESIDES``: it is on, and a later one is too."""

    PAST = "past"
    NOW = "now"
    BESIDES = "besides"
    AHEAD = "ahead"


@dataclass(frozen=True, slots=True)
class Stretch:
    """When a step is on, ``starts <= now < ends``; ``None`` where that is not known.

    ``is_due``: its end is when it should be over; it goes on past it until somebody is done.
    """

    step: Step
    starts: datetime | None = None
    ends: datetime | None = None
    is_due: bool = False

    def is_on(self, now: datetime) -> bool:
        """True from its start to its end; of one without an end for good."""
        has_begun = self.starts is not None and self.starts <= now
        return has_begun and (self.is_due or self.ends is None or now < self.ends)

    def is_over(self, now: datetime) -> bool:
        """True from its end on; what nobody knows to have begun is not over."""
        is_past = self.starts is not None and self.ends is not None and self.ends <= now
        return is_past and not self.is_due

    def is_late(self, now: datetime) -> bool:
        """True once it should be over, and nobody is done."""
        return self.is_due and self.ends is not None and self.ends <= now


@dataclass(frozen=True, slots=True)
class Lit:
    """A step of the line; ``is_waiting``: it is lit as the next one, for none is on."""

    stretch: Stretch
    turn: Turn
    is_waiting: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """The next moment at which something begins or ends."""

    step: Step
    at: datetime
    begins: bool


def lit(stretches: tuple[Stretch, ...], now: datetime) -> tuple[Lit, ...]:
    """The steps in their order, exactly one of them ``NOW`` where any is on or still to come.

    Of several that are on it is the last; where none is, the first that is not over.
    """
    on = [each for each in stretches if each.is_on(now)]
    ahead = [each for each in stretches if not each.is_over(now)]
    chosen = on[-1] if on else ahead[0] if ahead else None

    def turn(each: Stretch) -> Turn:
        if each is chosen:
            return Turn.NOW
        if each.is_over(now):
            return Turn.PAST
        return Turn.BESIDES if each.is_on(now) else Turn.AHEAD

    return tuple(Lit(each, turn(each), each is chosen and not on) for each in stretches)


def next_change(stretches: tuple[Stretch, ...], now: datetime) -> Change | None:
    """What begins or ends next, of several at a moment what begins; ``None``: nothing is known."""
    coming = [each for each in _changes(stretches) if each.at > now]
    return min(coming, key=lambda each: (each.at, not each.begins), default=None)


def _changes(stretches: tuple[Stretch, ...]) -> Iterator[Change]:
    for each in stretches:
        if each.starts is not None and each.starts != each.ends:
            yield Change(each.step, each.starts, begins=True)
        if each.ends is not None:
            yield Change(each.step, each.ends, begins=False)
