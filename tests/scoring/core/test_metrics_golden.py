"""metrics_pairs.jsonl: one value where the optimal matchings decide it, else their range."""

from __future__ import annotations

from typing import Any

import pytest

from compare.core.matcher import match
from scoring.core.counts import count
from scoring.core.metrics import Weights, measure, pairwise_accuracy
from tests.scoring.core.golden import cases, markup_of, name_of

CASES = cases("metrics_pairs")
METRICS = ("M2", "M3", "M4", "M5", "M6")
MEANS = {"M_equal_weights": Weights(), "M_psr_weights": Weights(0, 2, 1, 1, 1, 0, 0)}
TOLERANCE = 1e-9


def measured(case: dict[str, Any]) -> dict[str, float]:
    metrics = measure(count(match(*(markup_of(case[side], case["text"]) for side in "XY"))))
    means = {name: pairwise_accuracy(metrics, weights) for name, weights in MEANS.items()}
    return {**dict(zip(METRICS, metrics.values[1:6], strict=True)), **means}


def bounds(expected: dict[str, Any], name: str) -> tuple[float, float]:
    """The lowest and highest value of a metric; of an undecided mean, by those of its metrics."""
    if expected[name]["unique"]:
        return expected[name]["value"], expected[name]["value"]
    if name in METRICS:
        low, high = expected[name]["outer_range"]
        return low, high
    weights = MEANS[name].values[1:6]
    parts = [bounds(expected, metric) for metric in METRICS]
    low, high = (
        sum(weight * part for weight, part in zip(weights, ends, strict=True)) / sum(weights)
        for ends in zip(*parts, strict=True)
    )
    return low, high


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_metrics_of_a_worked_pair(case):
    for name, value in measured(case).items():
        low, high = bounds(case["expected"], name)
        assert low - TOLERANCE <= value <= high + TOLERANCE, name


def test_nearly_all_worked_metrics_are_decided():
    ends = [bounds(case["expected"], name) for case in CASES for name in (*METRICS, *MEANS)]

    assert (len(CASES), len(ends), sum(low == high for low, high in ends)) == (110, 770, 707)
