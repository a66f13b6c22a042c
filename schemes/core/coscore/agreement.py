"""How often, and how nearly, a rule agrees with the scores somebody gave.

Source: schemes.md 2.3, 24 and 2.4: histogram, confusion matrix, exact agreement, and Cohen's kappa
with quadratic weights (Cohen 1968) by the ratings 0 to 10. A score is no whole number always: for
all four of them it is rounded to the nearest rating, halves up.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from schemes.core.coscore.values import Number

RATINGS: Final = range(11)


@dataclass(frozen=True, slots=True)
class Agreement:
    """``matrix[label][score]``: how many answers; ``count``: all of them.

    ``exact``: the share on the diagonal. ``kappa``: from -1 to 1, 1 is perfect. Both are ``None``
    without answers; ``kappa`` also when chance alone would agree fully (0/0).
    """

    count: int
    matrix: tuple[tuple[int, ...], ...]
    exact: float | None
    kappa: float | None


def rating_of(score: Number) -> int:
    """The rating nearest to a score from 0 to 10, halves up."""
    whole = int(score)
    return whole + (score - whole >= 0.5)


def histogram(scores: Iterable[Number]) -> tuple[int, ...]:
    """How many scores fall on each of the ratings 0 to 10."""
    counts = [0] * len(RATINGS)
    for score in scores:
        counts[rating_of(score)] += 1
    return tuple(counts)


def agreement(pairs: Iterable[tuple[Number, Number]]) -> Agreement:
    """Compare labels with scores, given as pairs of these."""
    matrix = [[0] * len(RATINGS) for _rating in RATINGS]
    for label, score in pairs:
        matrix[rating_of(label)][rating_of(score)] += 1
    count = sum(map(sum, matrix))
    same = sum(matrix[rating][rating] for rating in RATINGS)
    return Agreement(
        count=count,
        matrix=tuple(map(tuple, matrix)),
        exact=same / count if count else None,
        kappa=_kappa(matrix),
    )


def _kappa(matrix: list[list[int]]) -> float | None:
    """1 - observed / expected disagreement, in whole numbers until the one division."""
    rows = [sum(row) for row in matrix]
    columns = [sum(column) for column in zip(*matrix, strict=True)]
    pairs = [(one, other) for one in RATINGS for other in RATINGS]
    observed = sum(matrix[one][other] * (one - other) ** 2 for one, other in pairs)
    expected = sum(rows[one] * columns[other] * (one - other) ** 2 for one, other in pairs)
    return (expected - sum(rows) * observed) / expected if expected else None
