"""What a third check made of an earlier one, fragment by fragment (regulation, 7.9)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from annotator.core.values import Markup
from compare.core.matcher import match
from compare.core.rows import State, rows


class Outcome(StrEnum):
    """What became of a fragment; ``ADDED`` ones are the third expert's, with no earlier partner."""

    KEPT = "kept"
    CHANGED = "changed"
    DROPPED = "dropped"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class Settled:
    """A fragment of the earlier markup and what stands for it in the third one, by index from 0.

    ``differences``: all that was changed, gravest first; empty unless ``CHANGED``.
    """

    outcome: Outcome
    earlier: int | None
    third: int | None
    differences: tuple[State, ...]


def settled(earlier: Markup, third: Markup) -> tuple[Settled, ...]:
    """The outcome of every fragment, in reading order, by the optimal matching of the two.

    Every fragment of either markup appears once.
    """
    return tuple(_settled(earlier, third))


def _settled(earlier: Markup, third: Markup) -> Iterator[Settled]:
    for row in rows(match(earlier, third)):
        if row.left is None:
            yield Settled(Outcome.ADDED, None, row.right, ())
        elif row.right is None:
            yield Settled(Outcome.DROPPED, row.left, None, ())
        else:
            outcome = Outcome.CHANGED if row.differences else Outcome.KEPT
            yield Settled(outcome, row.left, row.right, row.differences)
