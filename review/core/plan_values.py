"""What a plan of checks is made of, and what comes out. Words are an essay's, checks open ones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

Pair = tuple[int, int]
"""Two experts' numbers, the smaller first."""


class Reason(StrEnum):
    """Why a check was given to nobody: the first question nobody was left after."""

    INCOMPETENT = "incompetent"
    HAD = "had"
    ABSENT = "absent"
    OUT = "out"
    CONFLICT = "conflict"
    LIMITS = "limits"
    PINNED = "pinned"


@dataclass(frozen=True, slots=True)
class Person:
    """An expert: who may be asked, and what is open already.

    ``limit``: open checks at most, ``None`` for none. ``is_absent``: never could sign in.
    ``is_out``: left out of this plan. An empty ``school`` is nobody's.
    """

    id: int
    subjects: frozenset[str]
    checks: int = 0
    words: int = 0
    limit: int | None = None
    school: str = ""
    is_absent: bool = False
    is_out: bool = False


@dataclass(frozen=True, slots=True)
class Held:
    """A check of an essay that was not begun and may be moved."""

    role: str
    person: int


@dataclass(frozen=True, slots=True)
class Work:
    """An essay whose checks are to be given.

    ``holes``: its checks nobody has. ``holders``: who keeps a check of it. ``had``: who may not get
    it any more, holders among them. ``pins``: who is to have one of its checks. ``movable``: checks
    that may be given to others; their people are in neither of the two.
    """

    id: int
    subject: str
    words: int
    holes: tuple[str, ...]
    holders: tuple[int, ...] = ()
    had: frozenset[int] = frozenset()
    pins: tuple[int, ...] = ()
    movable: tuple[Held, ...] = ()


@dataclass(frozen=True, slots=True)
class Rules:
    """``limit``: open checks a person at most, ``kept``: how many of them wait for third checks."""

    limit: int | None = None
    kept: int = 0
    keeps_schools_apart: bool = True
    conflicts: frozenset[Pair] = frozenset()


@dataclass(frozen=True, slots=True, order=True)
class Given:
    """A check for a person."""

    work: int
    role: str
    person: int
    is_pinned: bool = False


@dataclass(frozen=True, slots=True, order=True)
class Taken:
    """A check that was not begun, taken away from a person."""

    work: int
    role: str
    person: int


@dataclass(frozen=True, slots=True, order=True)
class Unfilled:
    """A check for nobody; ``people``: those the reason is about."""

    work: int
    role: str
    reason: Reason
    people: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, order=True)
class Load:
    """Open checks and words of a person, before and after."""

    person: int
    checks: int
    words: int
    checks_after: int
    words_after: int


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a plan would do, each list in the order of essays or people.

    ``thirdless``: essays it fills that would have nobody left for a third check.
    """

    given: tuple[Given, ...] = ()
    taken: tuple[Taken, ...] = ()
    unfilled: tuple[Unfilled, ...] = ()
    thirdless: tuple[int, ...] = ()
    loads: tuple[Load, ...] = ()


def pair(one: int, other: int) -> Pair:
    """Two people's numbers in the order of a ``Pair``."""
    return (one, other) if one < other else (other, one)


def bits(mask: int) -> Iterable[int]:
    """The places of the ones in a mask, lowest first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
