"""What an entry's pairs say of it: figures over its essays, and digests of what was compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import fsum
from typing import NamedTuple

from scoring.core.accuracy import EssayAccuracy, otar, star
from scoring.core.counts import Counts
from scoring.core.metrics import measure

METRICS = 6


class Compared(NamedTuple):
    """A pair of a run: the essay's number, its markups, and what it measures, in percent."""

    essay: str
    assessed: int
    reference: int
    counts: Counts
    m1: float | None
    accuracy: float | None


@dataclass(frozen=True, slots=True)
class Figures:
    """``counted`` essays have an accuracy. STAR, OTAR and ``metrics``, M1 to M6, are percent.

    ``markups`` and ``counts`` are digests: of which markups were compared, and what was counted.
    """

    counted: int
    star: float | None
    otar: float | None
    metrics: tuple[float | None, ...]
    markups: str
    counts: str


def figures_of(
    pairs: Sequence[Compared], experts: Mapping[str, Sequence[float]], hardness: float
) -> Figures:
    """The figures of an entry by its pairs; ``experts``: M(E, E') of each essay. H is 0 to 1."""
    ordered = sorted(pairs, key=lambda each: (each.essay, each.assessed, each.reference))
    accuracies = by_essay((each.essay, each.accuracy) for each in ordered)
    essays = [
        EssayAccuracy(tuple(values), tuple(experts.get(essay, ())))
        for essay, values in accuracies.items()
    ]
    rows = [(each.essay, measure(each.counts, m1=each.m1).values[:METRICS]) for each in ordered]
    metrics = tuple(
        _mean_of_means(by_essay((essay, row[number]) for essay, row in rows))
        for number in range(METRICS)
    )
    return Figures(
        len(essays),
        star(essays, hardness),
        otar(essays),
        metrics,
        _digest((each.assessed, each.reference) for each in ordered),
        _digest((each.counts, each.m1) for each in ordered),
    )


def by_essay(values: Iterable[tuple[str, float | None]]) -> dict[str, list[float]]:
    """The defined values of each essay that has any."""
    found: dict[str, list[float]] = {}
    for essay, value in values:
        if value is not None:
            found.setdefault(essay, []).append(value)
    return found


def _mean_of_means(values: Mapping[str, Sequence[float]]) -> float | None:
    means = [fsum(each) / len(each) for each in values.values()]
    return fsum(means) / len(means) if means else None


def _digest(rows: Iterable[object]) -> str:
    digest = sha256()
    for row in rows:
        digest.update(repr(row).encode())
    return digest.hexdigest()
