"""Which fragments of a chunk of a corpus may belong together: the pairs with L < 2, all at once.

As ``compare.core.candidates`` says of two markups: they overlap, and begin together or have the
same code. Here an essay's markups are laid on its references in one search.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from compare.core.batch.columns import Columns, Flags, Ints
from compare.core.batch.corpus import Grid, expand


@dataclass(frozen=True, slots=True)
class Side:
    """Rows of one side of a chunk, a value a row; ``rank`` is that within its markup.

    ``row``: the rows in the columns. ``start`` and ``end`` count from 1: a whole-text mistake
    lies at 0, before the text.
    """

    row: Ints
    markup: Ints
    rank: Ints
    essay: Ints
    start: Ints
    end: Ints
    code: Ints


@dataclass(frozen=True, slots=True)
class Reach:
    """Ranges of sorted rows: ``outer`` rows reach ``order[first : first + count]``."""

    outer: Ints
    first: Ints
    count: Ints
    order: Ints

    @property
    def edges(self) -> int:
        """How many pairs of rows there are."""
        return int(self.count.sum())

    def pairs(self) -> tuple[Ints, Ints]:
        """Outer and inner rows of all pairs."""
        owner, place = expand(self.first, self.count)
        return self.outer[owner], self.order[place]


def side_of(grid: Grid, markups: Ints) -> Side:
    """The rows of some markups, in their order."""
    columns = grid.corpus.columns
    number, row = expand(columns.first[markups], columns.sizes[markups])
    markup = markups[number]
    return Side(
        row=row,
        markup=markup,
        rank=row - columns.first[markup],
        essay=grid.corpus.essay[markup],
        start=columns.start[row] + 1,
        end=columns.end[row] + 1,
        code=columns.code[row],
    )


@dataclass(frozen=True, slots=True)
class Candidates:
    """The admissible pairs of two sides, not yet written out.

    ``by_code``: of one code, the right one begins within the left one or together with it;
    ``by_code_back``: the left one begins within the right one; ``by_begin``: both begin together.
    """

    left: Side
    right: Side
    by_code: Reach
    by_code_back: Reach
    by_begin: Reach

    @property
    def edges(self) -> int:
        """How many there are at most."""
        return self.by_code.edges + self.by_code_back.edges + self.by_begin.edges

    def pairs(self) -> tuple[Ints, Ints]:
        """Places in the left and in the right side, each pair once."""
        left, right = self.by_begin.pairs()
        other = self.left.code[left] != self.right.code[right]
        left_of_code, right_of_code = self.by_code.pairs()
        right_back, left_back = self.by_code_back.pairs()
        return (
            np.concatenate((left[other], left_of_code, left_back)),
            np.concatenate((right[other], right_of_code, right_back)),
        )


def candidates(left: Side, right: Side) -> Candidates:
    """The admissible pairs of rows of one essay; time n log n and what ``pairs`` writes out."""
    stretch = 2 + max((int(side.end.max()) for side in (left, right) if len(side.row)), default=0)
    codes = 1 + max((int(side.code.max()) for side in (left, right) if len(side.row)), default=0)
    of_code = [(side.essay * codes + side.code) * stretch for side in (left, right)]
    starts = [area + side.start for area, side in zip(of_code, (left, right), strict=True)]
    ends = [area + side.end for area, side in zip(of_code, (left, right), strict=True)]
    begins = [side.essay * stretch + side.start for side in (left, right)]
    return Candidates(
        left,
        right,
        by_code=_begun_within(starts[0], ends[0], starts[1], together=True),
        by_code_back=_begun_within(starts[1], ends[1], starts[0], together=False),
        by_begin=_begun_within(begins[0], begins[0] + 1, begins[1], together=True),
    )


def _begun_within(start: Ints, end: Ints, inner: Ints, *, together: bool) -> Reach:
    """Whose ``inner`` beginning lies between ``start`` and ``end``, or ``together`` with start."""
    order = np.argsort(inner, kind="stable")
    rising = inner[order]
    first = np.searchsorted(rising, start, side="left" if together else "right")
    outer = np.flatnonzero(_lies_before(rising, first, end))
    first = first[outer]
    return Reach(outer, first, np.searchsorted(rising, end[outer], side="left") - first, order)


def _lies_before(rising: Ints, place: Ints, end: Ints) -> Flags:
    """Is there anything at ``place``, and before ``end``?"""
    closed = np.append(rising, np.iinfo(np.int64).max)
    flags: Flags = closed[place] < end
    return flags


def ordinary(columns: Columns, most_fragments: int, longest: int) -> Flags:
    """Of each markup whether it has at most so many fragments, none of which ends further on."""
    sizes = columns.sizes
    furthest = np.zeros(len(sizes), dtype=np.int64)
    filled = np.flatnonzero(sizes)
    if len(filled):
        furthest[filled] = np.maximum.reduceat(columns.end, columns.first[filled])
    flags: Flags = (sizes <= most_fragments) & (furthest <= longest)
    return flags
