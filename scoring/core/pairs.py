"""A pair of markups measured: what one comparison says of the assessed markup.

Regulation, Appendix 1 and Appendix 2, 4.
"""

from __future__ import annotations

from dataclasses import dataclass

from annotator.core.values import Subject
from compare.core.comparison import Comparison
from scoring.core.counts import Counts, count
from scoring.core.criteria.sheet import K_MAX, CriteriaSheet
from scoring.core.metrics import Metrics, Weights, m1, measure, pairwise_accuracy


@dataclass(frozen=True, slots=True)
class MeasuredPair:
    """Counts, M1 to M7 in percent, and the accuracy by weights; ``None`` where undefined."""

    counts: Counts
    metrics: Metrics
    accuracy: float | None


def measure_pair(
    comparison: Comparison,
    sheets: tuple[CriteriaSheet, CriteriaSheet],
    *,
    subject: Subject,
    weights: Weights,
) -> MeasuredPair:
    """Measure a comparison whose left side is assessed, by the points of its two sides.

    Points come from outside: a markup is graded once, in however many pairs it stands.
    """
    assessed, reference = sheets
    counts = count(comparison)
    metrics = measure(counts, m1=m1(assessed.total, reference.total, K_MAX[subject]))
    return MeasuredPair(counts, metrics, pairwise_accuracy(metrics, weights))
