"""Why a fragment stayed alone, in terms of the losses the matcher minimised."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from annotator.core.values import Fragment, Span
from compare.core.canonical import place
from compare.core.comparison import ALONE, Comparison, Loss, Pair
from compare.core.matcher import loss

APART: Final = 2 * ALONE
"""What two fragments cost together as long as both stay alone."""


class Cause(StrEnum):
    """``NOTHING``: the other side has nothing there. ``DEAR``: every pair would cost at least as
    much as both alone. ``TAKEN``: each fragment it could be paired with is in another pair, and
    no other choice makes the sum of all losses smaller.
    """

    NOTHING = "nothing"
    DEAR = "dear"
    TAKEN = "taken"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a fragment is alone.

    ``near``: the fragment of the other side with which it would lose least, as an index;
    ``loss``: that loss. ``taken_by``: the pair ``near`` belongs to, if that is the cause.
    """

    cause: Cause
    near: int | None = None
    loss: Loss | None = None
    taken_by: Pair | None = None


def reasons(comparison: Comparison) -> tuple[dict[int, Reason], dict[int, Reason]]:
    """Why fragments are alone, by their indices: those of the left side, those of the right.

    By the loss of the regulation (Appendix 2, 3); of partners that would lose the same the first
    in canonical order is named. Time: fragments alone times fragments of the other side.
    """
    of_left = {pair.left: pair for pair in comparison.pairs}
    of_right = {pair.right: pair for pair in comparison.pairs}
    left, right = comparison.left.fragments, comparison.right.fragments
    return (
        {index: _reason(left[index], right, of_right) for index in comparison.only_left},
        {index: _reason(right[index], left, of_left) for index in comparison.only_right},
    )


def _reason(alone: Fragment, others: Sequence[Fragment], pairs: dict[int, Pair]) -> Reason:
    near = [index for index, other in enumerate(others) if _meet(alone.span, other.span)]
    losses = {index: loss(alone, others[index]) for index in near}
    if not losses:
        return Reason(Cause.NOTHING)
    best = min(losses, key=lambda index: (losses[index].total, place(others[index])))
    if losses[best].total >= APART:
        return Reason(Cause.DEAR, best, losses[best])
    # A fragment with a pair of less than APART that is free as well would have been paired.
    return Reason(Cause.TAKEN, best, losses[best], pairs[best])


def _meet(one: Span | None, other: Span | None) -> bool:
    """Whole-text mistakes meet each other only."""
    if one is None or other is None:
        return one is other
    return one.start < other.end and other.start < one.end
