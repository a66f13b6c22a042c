"""Metrics M1 to M7 and their weighted mean, the pairwise accuracy, in percent.

Regulation, Appendix 1; the readings are markup.md 12 to 14 and 20 to 25. M2 to M6 lie between
0 and 100. Nothing is rounded here: equal places are decided by further decimals (5.3).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum
from typing import Final

from scoring.core.counts import Counts
from scoring.core.errors import WeightsError


@dataclass(frozen=True, slots=True)
class Metrics:
    """M1 to M7 of one pair of markups; ``None`` where a metric is undefined."""

    m1: float | None
    m2: float
    m3: float
    m4: float
    m5: float
    m6: float
    m7: float | None

    @property
    def values(self) -> tuple[float | None, ...]:
        """M1 to M7 in their order."""
        return (self.m1, self.m2, self.m3, self.m4, self.m5, self.m6, self.m7)


LARGEST_WEIGHT: Final = 1e6
"""Weights say how metrics compare; sums of greater ones might be no number any more."""


@dataclass(frozen=True, slots=True)
class Weights:
    """w1 to w7, a parameter of the contest; the regulation sets w1 = w7 = 0.

    Raises ``WeightsError`` for a weight outside 0 to ``LARGEST_WEIGHT``, NaN among them, and for
    weights that are all 0.
    """

    w1: float = 0
    w2: float = 1
    w3: float = 1
    w4: float = 1
    w5: float = 1
    w6: float = 1
    w7: float = 0

    def __post_init__(self) -> None:
        for number, weight in enumerate(self.values, 1):
            if not 0 <= weight <= LARGEST_WEIGHT:
                raise WeightsError("bad-weight", name=f"w{number}", weight=weight)
        if not any(self.values):
            raise WeightsError("weights-all-zero")

    @property
    def values(self) -> tuple[float, ...]:
        """w1 to w7 in their order."""
        return (self.w1, self.w2, self.w3, self.w4, self.w5, self.w6, self.w7)


def m1(points_x: int, points_y: int, k_max: int) -> float:
    """M1: how near the totals K of the two essays' sheets are, as a share of the highest K."""
    return 100 * (k_max - abs(points_x - points_y)) / k_max


def m2(counts: Counts) -> float:
    """M2: harmonic mean of precision and recall, 2#M / (n + m); 100 when both sides are empty."""
    both = counts.n + counts.m
    return 200 * counts.found / both if both else 100.0


def m3(counts: Counts) -> float:
    """M3: M2 times the share of X's fragments with a partner of equal code."""
    return _times_m2(counts, counts.equal_codes)


def m4(counts: Counts) -> float:
    """M4: M2 times the share of X's fragments whose partner agrees in subcode or comment."""
    return _times_m2(counts, counts.equal_subcodes)


def m5(counts: Counts) -> float:
    """M5: M2 times the mean Jaccard measure of X's fragments with their partners, in words."""
    return _times_m2(counts, counts.localization)


def m6(counts: Counts) -> float:
    """M6: M2 times the share of X's fragments with a correction that their partner has as well.

    Fragments without a correction stay in the denominator, so a markup compared with itself
    reaches 100 only when all its fragments are corrected (markup.md 20).
    """
    return _times_m2(counts, counts.equal_corrections)


def measure(counts: Counts, *, m1: float | None = None, m7: float | None = None) -> Metrics:
    """All metrics of a pair. M1 needs the essay's points, M7 a human: both come from outside."""
    return Metrics(
        m1=m1, m2=m2(counts), m3=m3(counts), m4=m4(counts), m5=m5(counts), m6=m6(counts), m7=m7
    )


def pairwise_accuracy(metrics: Metrics, weights: Weights) -> float | None:
    """M(X, Y) = sum of w_i M_i over sum of w_i, in percent.

    ``None`` when M1 has a weight but is undefined. A weight for M7 is refused as long as nobody
    has entered M7: the regulation does not use it.
    """
    if weights.w7 and metrics.m7 is None:
        raise WeightsError("weight-without-metric", name="w7")
    pairs = [pair for pair in zip(weights.values, metrics.values, strict=True) if pair[0]]
    weighted = [weight * value for weight, value in pairs if value is not None]
    return fsum(weighted) / fsum(weights.values) if len(weighted) == len(pairs) else None


def _times_m2(counts: Counts, part: float) -> float:
    """M2 * part / n, divided once; of two empty markups all is right, of one empty one nothing."""
    if counts.n == 0:
        return m2(counts)
    return 200 * counts.found * part / ((counts.n + counts.m) * counts.n)
