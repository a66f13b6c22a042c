"""A candidate beside a reference: the characters they share, by role and all together.

Seed 003, 3.2, step 2; schemes.md 3.1. Time is linear in the reference, whatever the candidate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from schemes.core.space2022.values import NOTHING, Figure, Reason, Tally

EXCHANGED: Final[Mapping[str, Mapping[str, str]]] = {
    "A": {"text1": "text2", "text2": "text1"},
    "B": {"S1": "S2", "P1": "P2", "E1": "E2", "S2": "S1", "P2": "P1", "E2": "E1"},
    "C": {},
}
"""Roles another reading might exchange: both texts of A, both triples of B (schemes.md 3.2, 6)."""
NO_CHARACTERS: Final[frozenset[int]] = frozenset()


class Compared(NamedTuple):
    """A pair that shares characters, and its counts.

    ``text``: characters of the whole reasons, without type and role. ``element``: those by role,
    none where the types differ.
    """

    candidate: Reason
    reference: Reason
    text: Tally
    element: Tally


def compared(candidates: Iterable[Reason], references: Sequence[Reason]) -> list[Compared]:
    """The pairs that share characters, in (candidate, reference) order; no other can score."""
    return list(_compared(candidates, references))


def element_tally(candidate: Reason, reference: Reason) -> Tally:
    """What counts for the element F1: a hit has the type and the role of the reference.

    A role of the reference that the candidate omits costs recall (schemes.md 3.2, 1).
    """
    if candidate.type != reference.type:
        return NOTHING
    given = candidate.roles
    hit = 0
    for role, characters in reference.roles.items():
        if role in given:
            hit += len(characters & given[role])
    return Tally(hit, candidate.size, reference.size)


def exchanged_tally(candidate: Reason, reference: Reason) -> Tally:
    """The element figure if the parts of A or B could be exchanged: for the reading only."""
    names = EXCHANGED[reference.type]
    hit = 0
    for role, characters in reference.roles.items():
        hit += len(characters & candidate.roles.get(names.get(role, role), NO_CHARACTERS))
    return Tally(hit, candidate.size, reference.size)


def best_element(pairs: Iterable[Compared]) -> Figure:
    """The pair with the greatest element F1; of equal ones the first (schemes.md 3.2, 5)."""
    return _best(pairs, lambda pair: pair.element)


def best_text(pairs: Iterable[Compared]) -> Figure:
    """The pair with the greatest text F1; of equal ones the first (schemes.md 3.2, 5)."""
    return _best(pairs, lambda pair: pair.text)


def _compared(candidates: Iterable[Reason], references: Sequence[Reason]) -> Iterator[Compared]:
    wanted = [(reference, reference.characters) for reference in references]
    for candidate in candidates:
        ours = candidate.characters
        for reference, theirs in wanted:
            hit = len(ours & theirs)
            if hit:
                text = Tally(hit, len(ours), len(theirs))
                yield Compared(candidate, reference, text, element_tally(candidate, reference))


def _best(pairs: Iterable[Compared], tally_of: Callable[[Compared], Tally]) -> Figure:
    best = Figure(NOTHING)
    for pair in pairs:
        tally = tally_of(pair)
        if tally.beats(best.tally):
            best = Figure(tally, pair.candidate, pair.reference)
    return best
