"""The outcome of a matching: which fragments of two markups belong together."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from math import fsum
from typing import Final

from annotator.core.values import Fragment, Markup

ALONE: Final = 1.0
"""What a fragment without a partner adds to Q (regulation, Appendix 2, 3)."""


@dataclass(frozen=True, slots=True)
class Loss:
    """L[i, k] of a pair of fragments, and what it is made of.

    ``jaccard``: distance of the extents in characters, 0 to 1. ``apart``: they do not overlap.
    ``begin``, ``code``: they begin at different places, are of different types.
    """

    jaccard: float
    apart: bool
    begin: bool
    code: bool

    @property
    def total(self) -> float:
        """L = J + [J = 1] + [B differs] + [C differs], from 0 to 4."""
        return self.jaccard + self.apart + self.begin + self.code


@dataclass(frozen=True, slots=True)
class Pair:
    """Fragment ``left`` of the left markup belongs to fragment ``right`` of the right one."""

    left: int
    right: int
    loss: Loss


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two markups of one text and the optimal matching between them.

    Numbers are indices into the fragments of the two markups, from 0, in ascending order.
    """

    left: Markup
    right: Markup
    pairs: tuple[Pair, ...]
    only_left: tuple[int, ...]
    only_right: tuple[int, ...]

    @property
    def loss(self) -> float:
        """Q: the losses of the pairs, and 1 for each fragment that stays alone."""
        alone = ALONE * (len(self.only_left) + len(self.only_right))
        return fsum(pair.loss.total for pair in self.pairs) + alone

    def mirrored(self) -> Comparison:
        """The same matching seen from the other side: what ``match(right, left)`` gives."""
        return Comparison(
            self.right,
            self.left,
            pairs=tuple(
                sorted(
                    (Pair(pair.right, pair.left, pair.loss) for pair in self.pairs),
                    key=lambda pair: pair.left,
                )
            ),
            only_left=self.only_right,
            only_right=self.only_left,
        )

    def fragments(self, pair: Pair) -> tuple[Fragment, Fragment]:
        """The two fragments of a pair."""
        return self.left.fragments[pair.left], self.right.fragments[pair.right]


def others(markup: Markup, some: Container[int | None]) -> tuple[int, ...]:
    """The indices of a markup's fragments that are none of these, in ascending order."""
    return tuple(index for index in range(len(markup.fragments)) if index not in some)
