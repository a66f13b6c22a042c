"""What would change if a run were applied: who moves, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from enum import StrEnum
from typing import Any

from scoring.core.entries import EntryState


class Why(StrEnum):
    """What a difference comes of; ``OTHERS``: only others moved."""

    ENTRY = "entry"
    SOLUTION = "solution"
    STATE = "state"
    MARKUP = "markup"
    RULE = "rule"
    PARAMETER = "parameter"
    OTHERS = "others"


@dataclass(frozen=True, slots=True)
class Stood:
    """Where a participant stands in a run. ``markups`` and ``counts``: digests of what was
    compared, and of what was counted in it; ``star`` is percent.
    """

    name: str
    origin: str
    state: EntryState
    rank: int | None
    star: float | None
    markups: str
    counts: str


@dataclass(frozen=True, slots=True)
class Moved:
    """A participant who would stand elsewhere, or with another score; one side may be missing."""

    participant: int
    before: Stood | None
    after: Stood | None
    why: tuple[Why, ...]

    @property
    def name(self) -> str:
        """As the participant is called in the later run, if it is in it."""
        found = self.after or self.before
        return found.name if found else ""

    @property
    def climbed(self) -> int | None:
        """By how many ranks it rises; ``None`` where it has none in one of the runs."""
        if not (self.before and self.after and self.before.rank and self.after.rank):
            return None
        return self.before.rank - self.after.rank

    @property
    def gained(self) -> float | None:
        """By how much the score rises, in percent points."""
        if not (self.before and self.after):
            return None
        before, after = self.before.star, self.after.star
        return None if before is None or after is None else after - before


def moves(
    before: Mapping[int, Stood], after: Mapping[int, Stood], *, same_parameters: bool
) -> Iterator[Moved]:
    """Those whose rank, score or state differs, in the order of ``after``, then those who left.

    Both by participant. ``same_parameters``: weights and H are those of the run before.
    """
    for participant in [*after, *(each for each in before if each not in after)]:
        was, now = before.get(participant), after.get(participant)
        if was is None or now is None:
            yield Moved(participant, was, now, (Why.ENTRY,))
        elif (was.rank, was.star, was.state) != (now.rank, now.star, now.state):
            yield Moved(participant, was, now, tuple(_why(was, now, same_parameters)))


def moves_to_json(found: Iterable[Moved]) -> list[list[Any]]:
    """Lists that JSON can hold; ``moves_from_json`` makes the same values of them."""
    return [
        [
            each.participant,
            astuple(each.before) if each.before else None,
            astuple(each.after) if each.after else None,
            each.why,
        ]
        for each in found
    ]


def moves_from_json(found: Iterable[Sequence[Any]]) -> list[Moved]:
    """What ``moves_to_json`` wrote."""
    return [
        Moved(participant, _stood(before), _stood(after), tuple(map(Why, why)))
        for participant, before, after, why in found
    ]


def _stood(found: Sequence[Any] | None) -> Stood | None:
    if found is None:
        return None
    name, origin, state, *figures = found
    return Stood(name, origin, EntryState(state), *figures)


def _why(was: Stood, now: Stood, same_parameters: bool) -> Iterator[Why]:
    if was.origin != now.origin:
        yield Why.SOLUTION
    elif was.state != now.state:
        yield Why.STATE
    if was.star == now.star:
        if was.state == now.state:
            yield Why.OTHERS
        return
    is_same = was.markups == now.markups
    if not is_same and was.origin == now.origin:
        yield Why.MARKUP
    if is_same and (was.counts != now.counts or same_parameters):
        yield Why.RULE
    if not same_parameters:
        yield Why.PARAMETER
