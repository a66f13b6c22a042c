"""Pairs of fragments that are in every heaviest matching, found without trying any.

An edge heavier than the heaviest rivals at its two ends together is in every heaviest matching:
in place of both it would always be better. An edge without rivals is; so are the best of a star
and, taken away round by round, nearly all others.

The weight of an edge is one whole number, the gain and the preferences of
``compare.core.optimum``. The gain is rounded to 1 / UNIT:

* Two single gains are told apart as exactly as fractions are: those of unions of up to
  ``LONGEST`` code points differ by more than the unit, or not at all.
* A sum of gains may be off by half a unit an edge, so it counts as greater by more than the
  roundings of both sides together only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from compare.core.batch.columns import Columns, Ints

LONGEST: Final = 2**15
"""Code points of a text; see the module."""
RANKS: Final = 128
"""A markup of fewer fragments has ranks, from 0, whose products with 1 added fit their field."""
MOST_MATCHED: Final = 4
"""Edges of a matching whose weight is compared with others here."""
WIDTH: Final = MOST_MATCHED.bit_length()
"""Bits of each count of what is alike."""
RANK_WIDTH: Final = (MOST_MATCHED * RANKS * RANKS).bit_length()
SHIFT: Final = 4 * WIDTH + RANK_WIDTH
"""Where the gain begins in a weight."""
UNIT: Final = 2**30


@dataclass(frozen=True, slots=True)
class Edges:
    """Pairs of fragments that may belong together, a value an edge.

    ``left`` and ``right`` are rows of the columns; ``x`` and ``y`` the nodes: a fragment in a
    pair of markups, numbered by RANKS times the number of the pair, plus its rank.
    """

    left: Ints
    right: Ints
    x: Ints
    y: Ints

    def only(self, kept: Ints) -> Edges:
        """Some of them."""
        return Edges(self.left[kept], self.right[kept], self.x[kept], self.y[kept])


def joined(parts: list[Edges]) -> Edges:
    """All edges of several."""
    return Edges(
        np.concatenate([each.left for each in parts]),
        np.concatenate([each.right for each in parts]),
        np.concatenate([each.x for each in parts]),
        np.concatenate([each.y for each in parts]),
    )


def weights_of(columns: Columns, edges: Edges, unit: Ints | int = UNIT) -> Ints:
    """Gain and preferences of each edge in one whole number, below 2 ** 61.

    ``unit`` is what a gain of 1 becomes, up to ``UNIT``; gains are rounded unless it is a multiple
    of their unions.
    """
    left, right = edges.left, edges.right
    start, other_start = columns.start[left], columns.start[right]
    end, other_end = columns.end[left], columns.end[right]
    shared = np.minimum(end, other_end) - np.maximum(start, other_start)
    union = unions_of(columns, edges)
    same_code = columns.code[left] == columns.code[right]
    gain = shared / union + (same_code & (start == other_start))
    correction = columns.correction[left]
    weight: Ints = np.rint(gain * unit).astype(np.int64)
    for alike in (
        np.True_,
        same_code,
        columns.subcode[left] == columns.subcode[right],
        (correction == columns.correction[right]) & (correction > 0),
    ):
        weight = (weight << WIDTH) + alike
    return (weight << RANK_WIDTH) + (edges.x % RANKS + 1) * (edges.y % RANKS + 1)


def unions_of(columns: Columns, edges: Edges) -> Ints:
    """How many code points the two fragments of each edge cover together."""
    furthest = np.maximum(columns.end[edges.left], columns.end[edges.right])
    union: Ints = furthest - np.minimum(columns.start[edges.left], columns.start[edges.right])
    return union


def lonely(edges: Edges, nodes: int) -> tuple[Ints, Ints]:
    """Edges without a rival at either end, and the others; nodes are numbered below ``nodes``."""
    rivals = np.bincount(edges.x, minlength=nodes)[edges.x]
    rivals += np.bincount(edges.y, minlength=nodes)[edges.y]
    alone = rivals == 2
    return np.flatnonzero(alone), np.flatnonzero(~alone)


def dominant(edges: Edges, weights: Ints, nodes: int) -> tuple[Ints, Ints]:
    """Edges that are in every heaviest matching, and those that are left when these are made.

    Nodes are numbered below ``nodes``.
    """
    left = np.arange(len(weights))
    taken = [left[:0]]
    while len(left):
        x, y, weight = edges.x[left], edges.y[left], weights[left]
        found = _heavier_than_rivals(x, y, weight, nodes)
        if not len(found):
            break
        taken.append(left[found])
        made_x, made_y = np.zeros((2, nodes), dtype=bool)
        made_x[x[found]] = True
        made_y[y[found]] = True
        left = left[~(made_x[x] | made_y[y])]
    return np.concatenate(taken), left


def _heavier_than_rivals(x: Ints, y: Ints, weight: Ints, nodes: int) -> Ints:
    """Which edges outweigh the heaviest rivals at both ends together, for certain."""
    at_x, at_y = np.zeros((2, nodes), dtype=np.int64)
    np.maximum.at(at_x, x, weight)
    np.maximum.at(at_y, y, weight)
    # Edges of one node differ in weight, since the ranks at their other ends differ.
    best = np.flatnonzero((at_x[x] == weight) & (at_y[y] == weight))
    rivals = weight.copy()
    rivals[best] = 0
    at_x[x[best]] = 0
    at_y[y[best]] = 0
    np.maximum.at(at_x, x, rivals)
    np.maximum.at(at_y, y, rivals)
    rival_x, rival_y = at_x[x[best]], at_y[y[best]]
    spare = weight[best] - rival_x - rival_y
    of_three = (rival_x > 0) & (rival_y > 0)
    return best[spare > of_three * certain(3)]


def certain(edges: int) -> int:
    """By how much sums of so many weights, both sides together, must differ to do so exactly.

    The roundings make up half a unit an edge; the preferences below the gain less than one more.
    """
    return (edges // 2 + 2) << SHIFT
