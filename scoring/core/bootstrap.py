"""How sure a board is: a paired bootstrap over its essays (standings.md 4). Needs numpy.

What an essay adds is rounded to a step so small that all sums of a resample are exact in 64-bit
numbers: the same run gives the same bytes in whichever order they are added, and participants
with the same values on the same essays are equal in every resample.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, log2
from typing import Any, Final

import numpy as np

from scoring.core.board import Sureness, Values

RESAMPLES: Final = 10_000
DRAWN: Final = 200_000
"""So many essays are drawn at once: they fit where the processor finds them fast."""
ENDS: Final = (2.5, 97.5)
EXACT_BITS: Final = 52

Array = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """A ``Resampling`` of a board: the same ``seed``, the same result."""

    seed: int = 0

    def __call__(
        self, essays: Sequence[str], values: Values, names: Sequence[str], /
    ) -> list[Sureness]:
        """Of each row how sure it is; essays in the order of code points."""
        scores = self._scores(essays, values)
        ranks = _ranks(scores)
        like = _like(scores)
        return [
            Sureness(
                _ends(scores[:, row]),
                _whole(_ends(ranks[:, row])),
                tuple(names[int(other)] for other in np.flatnonzero(like[row]) if other != row),
            )
            for row in range(len(names))
        ]

    def _scores(self, essays: Sequence[str], values: Values) -> Array:
        """Of each resample the score of each row; NaN where nothing counts for it."""
        numbers = {essay: number for number, essay in enumerate(essays)}
        count = len(essays)
        added, counts = _matrices(numbers, values)
        generator = np.random.default_rng(self.seed)
        both = np.concatenate((added, counts), axis=1)
        scores = np.empty((RESAMPLES, len(values)))
        at_once = max(1, DRAWN // count)
        for first in range(0, RESAMPLES, at_once):
            rows = min(at_once, RESAMPLES - first)
            drawn = generator.integers(0, count, size=(rows, count))
            drawn += np.arange(rows)[:, None] * count
            times = np.bincount(drawn.ravel(), minlength=rows * count).astype(np.float64)
            sums = times.reshape(rows, count) @ both
            with np.errstate(invalid="ignore"):
                scores[first : first + rows] = sums[:, : len(values)] / sums[:, len(values) :]
        return scores


def _matrices(numbers: Mapping[str, int], values: Values) -> tuple[Array, Array]:
    """What each essay adds to each row, to a step that keeps sums exact, and whether it counts."""
    largest = max((value for each in values for value in each.values()), default=0.0)
    step = 2.0 ** (EXACT_BITS - ceil(log2((largest + 1) * (len(numbers) + 1))) - 1)
    added = np.zeros((len(numbers), len(values)))
    counts = np.zeros_like(added)
    for row, each in enumerate(values):
        for essay, value in each.items():
            added[numbers[essay], row] = round(value * step) / step
            counts[numbers[essay], row] = 1
    return added, counts


def _ranks(scores: Array) -> Array:
    """In each resample 1 and how many are strictly better; NaN for those without a score."""
    ranks = np.empty_like(scores)
    for place, drawn in enumerate(scores):
        rising = np.sort(drawn[~np.isnan(drawn)])
        ranks[place] = 1 + len(rising) - np.searchsorted(rising, drawn, side="right")
    ranks[np.isnan(scores)] = np.nan
    return ranks


def _like(scores: Array) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Of each two rows whether 95 % of the differences of their scores hold 0 between them."""
    rows = scores.shape[1]
    like = np.ones((rows, rows), dtype=bool)
    columns = np.ascontiguousarray(scores.T)
    is_whole = [not np.isnan(each).any() for each in columns]
    for row in range(rows):
        for other in range(row + 1, rows):
            is_known = is_whole[row] and is_whole[other]
            found = _alike(columns[row], columns[other], is_known=is_known)
            like[row, other] = like[other, row] = found
    return like


def _alike(ours: Array, theirs: Array, *, is_known: bool) -> bool:
    """Whether the differences of two rows hold 0. Most are told by counting alone, without
    computing one of them: ``is_known`` where neither row lacks a score.
    """
    if not is_known:
        return holds_zero(ours - theirs)
    tail = _tail(len(ours))
    below = np.count_nonzero(ours <= theirs)
    if below <= tail:
        return False
    if tail + 1 < below < len(ours) - tail - 1:
        return True
    return bool(np.count_nonzero(ours >= theirs) > tail) and holds_zero(ours - theirs)


def holds_zero(differences: Array) -> bool:
    """Whether 0 lies between both ends, ends included. Only close calls are interpolated."""
    known = differences[~np.isnan(differences)]
    if not len(known):
        return True
    tail = _tail(len(known))
    below, above = int((known <= 0).sum()), int((known >= 0).sum())
    if min(below, above) > tail + 1:
        return True
    if min(below, above) <= tail:
        return False
    low, high = _ends(known)
    return low <= 0 <= high


def _tail(count: int) -> int:
    """How many of so many differences lie beyond an end for certain."""
    return floor((count - 1) * ENDS[0] / 100)


def _ends(values: Array) -> tuple[float, float]:
    low, high = np.percentile(values[~np.isnan(values)], ENDS)
    return float(low), float(high)


def _whole(ends: tuple[float, float]) -> tuple[int, int]:
    low, high = ends
    return floor(low), ceil(high)
