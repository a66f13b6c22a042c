"""The winning pair of a question, character by character: what a page draws over the context."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from annotator.core.values import Span
from schemes.core.space2022.pairs import NO_CHARACTERS
from schemes.core.space2022.values import Outcome, Reason


class Basis(StrEnum):
    """The figure by which a pair won; the text only where no element was hit."""

    ELEMENT = "element"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class RoleMarks:
    """Indices of one role; ``role`` is empty when roles are not looked at.

    ``hit`` both reasons have, ``missed`` only the reference, ``extra`` only the candidate.
    """

    role: str
    hit: frozenset[int]
    missed: frozenset[int]
    extra: frozenset[int]


@dataclass(frozen=True, slots=True)
class Winner:
    """The pair a question's figure is of, with its characters by role.

    Of different roles the same character may be hit and missed; ``hit``, ``missed`` and
    ``extra`` are the unions over roles.
    """

    basis: Basis
    candidate: Reason
    reference: Reason
    roles: tuple[RoleMarks, ...]

    @property
    def hit(self) -> frozenset[int]:
        """Characters hit in some role."""
        return NO_CHARACTERS.union(*(each.hit for each in self.roles))

    @property
    def missed(self) -> frozenset[int]:
        """Characters missed in some role."""
        return NO_CHARACTERS.union(*(each.missed for each in self.roles))

    @property
    def extra(self) -> frozenset[int]:
        """Characters too many in some role."""
        return NO_CHARACTERS.union(*(each.extra for each in self.roles))


def winner_of(outcome: Outcome) -> Winner | None:
    """The best pair by element F1, else by text F1; ``None`` when no character was hit at all."""
    _tally, candidate, reference = outcome.element
    if candidate and reference:
        return Winner(Basis.ELEMENT, candidate, reference, tuple(_by_role(candidate, reference)))
    _tally, candidate, reference = outcome.text
    if candidate and reference:
        marks = _marks("", candidate.characters, reference.characters)
        return Winner(Basis.TEXT, candidate, reference, (marks,))
    return None


def spans_of(indices: Iterable[int]) -> tuple[Span, ...]:
    """The runs of neighbouring indices, in order, as half-open spans."""
    return tuple(_runs(indices))


def _by_role(candidate: Reason, reference: Reason) -> Iterator[RoleMarks]:
    """Roles in the order of the reference, then those only the candidate has."""
    for role in {**reference.roles, **candidate.roles}:
        ours = candidate.roles.get(role, NO_CHARACTERS)
        yield _marks(role, ours, reference.roles.get(role, NO_CHARACTERS))


def _marks(role: str, ours: frozenset[int], theirs: frozenset[int]) -> RoleMarks:
    return RoleMarks(role, ours & theirs, theirs - ours, ours - theirs)


def _runs(indices: Iterable[int]) -> Iterator[Span]:
    start = end = None
    for index in sorted(set(indices)):
        if end is not None and start is not None and index != end:
            yield Span(start, end)
            start = index
        elif start is None:
            start = index
        end = index + 1
    if start is not None and end is not None:
        yield Span(start, end)
