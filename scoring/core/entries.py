"""Entries of a board: whole solutions, one of each participant (standings.md 3; R 7.6, 7.7).

An entry is one session, or what a participant sent freely: never a mixture. Of a participant the
last one over the whole set counts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Final

MOST_MISSING: Final = 0.05
"""With a larger share of the essays missing, an entry has too few (7.7)."""


FREE: Final = "free"
"""The origin of answers that came in no session, as it is told; rows bear an empty one."""


def told_origin(origin: str) -> str:
    """What files, programs and addresses call the origin of a solution."""
    return origin or FREE


class EntryState(StrEnum):
    """Whether an entry is ranked, and else why not."""

    RANKED = "ranked"
    FEW = "few"
    PART = "part"
    ANNULLED = "annulled"
    EXCLUDED = "excluded"
    NO_ANSWERS = "no-answers"
    FORMER = "former"


@dataclass(frozen=True, slots=True)
class Annulment:
    """Why a solution does not stand: ``annulled`` of its ``files``, more than its rules allow, or
    what was decided of it, or of its team that ``is_excluded``, in the words of ``reason``.
    """

    annulled: int
    files: int
    reason: str = ""
    is_excluded: bool = False

    @property
    def told(self) -> str:
        """What an entry says of it: the words, or the files that were annulled / all files."""
        return self.reason or f"{self.annulled} / {self.files}"


@dataclass(frozen=True, slots=True)
class Solution:
    """A participant's answers that belong together, and what became of them.

    ``participant`` and ``essays`` are numbers of rows; ``essays``: those it was asked about, of
    free answers those that came. ``origin``: as markups bear it. ``at``: when it was complete.
    ``state``: ``RANKED``, or why it has no rank; ``reason``: what is to be said of that.
    """

    participant: int
    origin: str
    at: datetime
    essays: frozenset[int]
    state: EntryState = EntryState.RANKED
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    """Which solutions there are, and over which essays; ``None``: all of the set, and free answers
    count.

    ``unread``: the origins of solutions whose answers are no markups yet.
    """

    essays: frozenset[int] | None
    solutions: tuple[Solution, ...]
    unread: tuple[str, ...] = ()


def field_of(fields: Iterable[Field]) -> Field:
    """What several who know of solutions say together; at most one of them limits the essays."""
    known = list(fields)
    limits = [each.essays for each in known if each.essays is not None]
    solutions = tuple(one for each in known for one in each.solutions)
    unread = tuple(one for each in known for one in each.unread)
    return Field(frozenset.intersection(*limits) if limits else None, solutions, unread)


def set_apart(
    solutions: Iterable[Solution], annulments: Mapping[tuple[int, str], Annulment]
) -> list[Solution]:
    """The solutions, those that do not stand with why; ``annulments``: by participant, origin."""
    return [_apart(each, annulments.get((each.participant, each.origin))) for each in solutions]


def _apart(solution: Solution, annulment: Annulment | None) -> Solution:
    if annulment is None:
        return solution
    state = EntryState.EXCLUDED if annulment.is_excluded else EntryState.ANNULLED
    return replace(solution, state=state, reason=annulment.told)


def placed(solutions: Sequence[Solution], essays: Collection[int]) -> list[Solution]:
    """The solutions with their states, before anything is counted.

    ``essays``: those that two experts have marked, which sessions are made of. Of each participant
    one solution stands: the last over the whole of them, or the last at all where none is; the
    others are ``FORMER``. Free answers are over the whole when so few are missing that they may
    be ranked; of too few, their count will say so. A session over a part has no rank.
    """
    wanted = frozenset(essays)
    by_person: dict[int, list[Solution]] = defaultdict(list)
    for each in solutions:
        by_person[each.participant].append(each)
    found = []
    for own in by_person.values():
        own.sort(key=lambda each: (is_whole(each, wanted), each.at, each.origin))
        *former, last = own
        found += [replace(each, state=EntryState.FORMER) for each in former]
        is_part = last.state is EntryState.RANKED and last.origin and not is_whole(last, wanted)
        found.append(replace(last, state=EntryState.PART) if is_part else last)
    return sorted(found, key=lambda each: (each.participant, each.origin))


def is_whole(solution: Solution, essays: frozenset[int]) -> bool:
    """True for a session that was asked about all the essays, and free answers to enough."""
    if solution.origin:
        return essays <= solution.essays
    return is_enough(len(essays & solution.essays), len(essays))


def is_enough(counted: int, essays: int) -> bool:
    """True where so few of the essays are missing that a rank may be given."""
    return essays - counted <= MOST_MISSING * essays
