"""Matchings found in bulk as the values the one-pair matcher gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from annotator.core.values import Markup
from compare.core.batch.columns import Columns
from compare.core.batch.matching import Portion
from compare.core.comparison import Comparison, Loss, Pair, others


def comparisons(
    portion: Portion, columns: Columns, markups: Sequence[Markup]
) -> Iterator[Comparison]:
    """What ``match`` gives for every pair of a portion; ``markups`` are those of the columns."""
    pairs = _pairs(portion, columns)
    ends = np.cumsum(np.bincount(portion.pair, minlength=len(portion.left))).tolist()
    begin = 0
    for left, right, end in zip(portion.left.tolist(), portion.right.tolist(), ends, strict=True):
        found = pairs[begin:end]
        yield Comparison(
            markups[left],
            markups[right],
            pairs=tuple(found),
            only_left=others(markups[left], {pair.left for pair in found}),
            only_right=others(markups[right], {pair.right for pair in found}),
        )
        begin = end


def _pairs(portion: Portion, columns: Columns) -> list[Pair]:
    """The pairs of fragments, by pairs of markups, then by the fragments of the left one."""
    order = np.lexsort((columns.index[portion.left_row], portion.pair))
    left, right = portion.left_row[order], portion.right_row[order]
    start, other_start = columns.start[left], columns.start[right]
    end, other_end = columns.end[left], columns.end[right]
    shared = np.minimum(end, other_end) - np.maximum(start, other_start)
    union = np.maximum(end, other_end) - np.minimum(start, other_start)
    told = (
        columns.index[left],
        columns.index[right],
        (union - shared) / union,
        start != other_start,
        columns.code[left] != columns.code[right],
    )
    return [
        Pair(one, other, Loss(jaccard, apart=False, begin=begin, code=code))
        for one, other, jaccard, begin, code in zip(
            *(column.tolist() for column in told), strict=True
        )
    ]
