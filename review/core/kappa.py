"""Weighted kappa of two checks and how sure it is, from counts of the points they gave.

J. Cohen, "Weighted kappa: nominal scale agreement with provision for scaled disagreement or
partial credit", Psychological Bulletin 70 (1968), 213-220, with weights (i - j)². The interval is
B. Efron's percentile bootstrap ("Bootstrap methods: another look at the jackknife", Annals of
Statistics 7 (1979), 1-26), which draws essays, not pairs: those of one essay are not independent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from random import Random
from typing import Final

LEAST_ESSAYS: Final = 30
"""From fewer essays on no coefficient is told."""
RESAMPLES: Final = 1000
SHARE: Final = 0.95
"""Of the resamples so many lie within the interval."""

Points = tuple[int, int]
"""What the first and what the second check gave."""


class OffScaleError(ValueError):
    """Points that the criterion does not know."""


@dataclass(frozen=True, slots=True)
class Sums:
    """What kappa needs of some pairs, and all that is ever added up.

    ``n`` pairs; the sums of both sides' points, of their squares, of the squared differences.
    """

    n: int = 0
    left: int = 0
    right: int = 0
    squares: int = 0
    apart: int = 0

    def __add__(self, other: Sums) -> Sums:
        return Sums(
            self.n + other.n,
            self.left + other.left,
            self.right + other.right,
            self.squares + other.squares,
            self.apart + other.apart,
        )

    def times(self, count: int) -> Sums:
        """The same pairs, so many times over."""
        return Sums(
            self.n * count,
            self.left * count,
            self.right * count,
            self.squares * count,
            self.apart * count,
        )

    @property
    def kappa(self) -> float | None:
        """1 - observed / expected disagreement; ``None`` where chance leaves none to expect.

        Of n pairs Σ w·O = Σ(x - y)² and Σ w·E = Σx² + Σy² - 2·Σx·Σy / n: the matrices of Cohen's
        formula with their labels summed out.
        """
        expected = self.n * self.squares - 2 * self.left * self.right
        return 1 - self.n * self.apart / expected if expected else None


@dataclass(frozen=True, slots=True)
class Kappa:
    """A coefficient with its interval, which is ``None`` where too few resamples have a kappa."""

    value: float
    interval: tuple[float, float] | None


def sums_of(pairs: Iterable[Points], maximum: int) -> Sums:
    """The sums of pairs of points on the labels 0 to ``maximum``. Raises ``OffScaleError``."""
    found = Sums()
    for x, y in pairs:
        if not (0 <= x <= maximum and 0 <= y <= maximum):
            raise OffScaleError(f"{x} and {y} are not both from 0 to {maximum}.")
        found += Sums(1, x, y, x * x + y * y, (x - y) ** 2)
    return found


def quadratic_kappa(pairs: Iterable[Points], maximum: int) -> float | None:
    """Quadratic-weighted kappa of pairs of points (Cohen 1968); ``None`` where undefined."""
    return sums_of(pairs, maximum).kappa


def kappa_by_essay(
    essays: Sequence[Sequence[Points]], maximum: int, *, random: Random
) -> Kappa | None:
    """Kappa of all pairs of these essays with its bootstrap interval.

    ``essays``: the pairs of points of each. ``None`` below ``LEAST_ESSAYS``, and where kappa is
    undefined. The same essays and the same state of ``random`` give the same interval.
    """
    each = [sums_of(pairs, maximum) for pairs in essays]
    whole = _total(Counter(each))
    if len(each) < LEAST_ESSAYS or whole.kappa is None:
        return None
    return Kappa(whole.kappa, _interval(each, random))


def _interval(each: Sequence[Sums], random: Random) -> tuple[float, float] | None:
    alike = Counter(each)
    kinds, weights = list(alike), list(accumulate(alike.values()))
    found = []
    for _ in range(RESAMPLES):
        drawn = random.choices(kinds, cum_weights=weights, k=len(each))  # nosec B311 - a sample
        kappa = _total(Counter(drawn)).kappa
        found += [] if kappa is None else [kappa]
    found.sort()
    if len(found) < SHARE * RESAMPLES:
        return None
    edge = int((1 - SHARE) / 2 * len(found))
    return found[edge], found[-1 - edge]


def _total(alike: Counter[Sums]) -> Sums:
    return sum((sums.times(count) for sums, count in alike.items()), Sums())
