"""All pairs of a corpus matched, portion by portion, in memory that does not grow with them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from compare.core.batch.columns import Columns, Flags, Ints
from compare.core.batch.corpus import Corpus, Grid, grid_of
from compare.core.batch.edges import Candidates, candidates, ordinary, side_of
from compare.core.batch.settling import (
    LONGEST,
    RANKS,
    Edges,
    dominant,
    joined,
    lonely,
    weights_of,
)
from compare.core.batch.small import solved
from compare.core.matcher import ranks_of

PORTION: Final = 500_000
"""Fragments times references that are told about at once; small components wait for so many."""
CHUNK: Final = 60_000
"""Fragments times references whose edges are written out at once: they stay in the cache."""
MOST_EDGES: Final = 500_000
"""A chunk of more is cut in two, unless it is a single markup."""


@dataclass(frozen=True, slots=True)
class Portion:
    """The matchings of some pairs of markups.

    ``left``, ``right``: (pairs,) the markups of each pair. ``pair``, ``left_row``, ``right_row``:
    (matched,) in no order: the pair, counted within the portion, and the rows of the columns that
    belong together.
    """

    left: Ints
    right: Ints
    pair: Ints
    left_row: Ints
    right_row: Ints


def match_all(corpus: Corpus) -> Iterator[Portion]:
    """The optimal matching of every pair of a corpus: the pairs of ``matcher.match``.

    Each essay's markups are compared with each of its references; the pairs come in the order of
    the left markups, then of the right ones. Time is linear in the pairs, memory bounded by the
    largest markup and not by the corpus.
    """
    grid = grid_of(corpus)
    usual = ordinary(corpus.columns, RANKS - 1, LONGEST)
    for begin, end in grid.cuts(PORTION):
        yield _portion(grid, usual, begin, end)


def _portion(grid: Grid, usual: Flags, begin: int, end: int) -> Portion:
    columns = grid.corpus.columns
    taken, waiting = [], []
    for chunk in grid.cuts(CHUNK, begin, end):
        for made, open_edges in _chunk(grid, usual, *chunk):
            taken.append(made)
            waiting.append(open_edges)
    made, unsure = _all_settled(columns, joined(taken), joined(waiting))
    left, right = grid.pairs(begin, end)
    first = int(grid.pair[begin])
    by_hand = ~(usual[left] & usual[right])
    by_hand[unsure.x // RANKS - first] = True
    by_hand &= left != right
    pair = made.x // RANKS - first
    sure = np.flatnonzero(~by_hand[pair])
    parts = [(pair[sure], made.left[sure], made.right[sure])]
    parts += [
        _by_the_one_pair_matcher(columns, left, right, n) for n in np.flatnonzero(by_hand).tolist()
    ]
    pair, left_row, right_row = (np.concatenate(column) for column in zip(*parts, strict=True))
    kept = left != right
    return Portion(left[kept], right[kept], (np.cumsum(kept) - 1)[pair], left_row, right_row)


def _chunk(grid: Grid, usual: Flags, begin: int, end: int) -> Iterator[tuple[Edges, Edges]]:
    """Edges that are in every heaviest matching, and those that are still open."""
    essay = grid.corpus.essay
    lefts = np.arange(begin, end)[usual[begin:end]]
    rights = grid.reference[grid.first[essay[begin]] : grid.first[essay[end - 1] + 1]]
    found = candidates(side_of(grid, lefts), side_of(grid, rights[usual[rights]]))
    if found.edges > MOST_EDGES and end - begin > 1:
        half = (begin + end) // 2
        yield from _chunk(grid, usual, begin, half)
        yield from _chunk(grid, usual, half, end)
    else:
        yield _settled(grid, found, int(grid.pair[begin]), int(grid.pair[end]))


def _settled(grid: Grid, found: Candidates, first: int, last: int) -> tuple[Edges, Edges]:
    edges = _edges(grid, found, first)
    nodes = (last - first) * RANKS
    alone, others = lonely(edges, nodes)
    open_edges = edges.only(others)
    taken, left = dominant(open_edges, weights_of(grid.corpus.columns, open_edges), nodes)
    made = joined([edges.only(alone), open_edges.only(taken)])
    return _moved(made, first), _moved(open_edges.only(left), first)


def _edges(grid: Grid, found: Candidates, first: int) -> Edges:
    """Candidates as edges of pairs of different markups, nodes counted from pair ``first`` on."""
    left, right = found.pairs()
    slot, own_slot = grid.slot[found.right.markup], grid.slot[found.left.markup]
    different = np.flatnonzero(own_slot[left] != slot[right])
    left, right = left[different], right[different]
    of_left, of_right = (grid.pair[found.left.markup] - first) * RANKS, slot * RANKS
    return Edges(
        found.left.row[left],
        found.right.row[right],
        (of_left + found.left.rank)[left] + of_right[right],
        of_left[left] + (of_right + found.right.rank)[right],
    )


def _moved(edges: Edges, pairs: int) -> Edges:
    """The same with nodes counted from pair 0 on."""
    return Edges(edges.left, edges.right, edges.x + pairs * RANKS, edges.y + pairs * RANKS)


def _all_settled(columns: Columns, made: Edges, waiting: Edges) -> tuple[Edges, Edges]:
    """With those of small components, and the edges of what cannot be settled in bulk."""
    found, unsure = solved(columns, waiting)
    return joined([made, waiting.only(found)]), waiting.only(unsure)


def _by_the_one_pair_matcher(
    columns: Columns, lefts: Ints, rights: Ints, pair: int
) -> tuple[Ints, Ints, Ints]:
    """The number of one pair and the rows that belong together, as often as there are any."""
    left, right = lefts[pair], rights[pair]
    ranks = ranks_of(columns.places(left), columns.places(right))
    found = np.array(ranks, dtype=np.int64).reshape(-1, 2)
    return (
        np.full(len(found), pair),
        found[:, 0] + columns.first[left],
        found[:, 1] + columns.first[right],
    )
