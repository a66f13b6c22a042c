"""The numbers by which participants know the experts of an essay set: drawn, not counted."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final

FEWEST: Final = 12
"""A number is drawn from at least so many, and from twice as many as there are experts: neither
the order of the accounts nor that of the submissions can be read from it."""


def draw(
    taken: Collection[int], count: int, sample: Callable[[Sequence[int], int], list[int]]
) -> list[int]:
    """So many new numbers from 1 on, none of them ``taken``; ``sample`` draws without returning."""
    most = max(FEWEST, 2 * (len(taken) + count))
    return sample([number for number in range(1, most + 1) if number not in set(taken)], count)


def as_login(number: int) -> str:
    """The alias as the name of a file and the exchange format have it: ``exp3``; ``exp`` for 0."""
    return f"exp{number or ''}"
