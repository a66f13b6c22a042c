"""Many pairs of markups at once: in bulk where numpy is installed, else one by one, all alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from itertools import islice, permutations
from typing import Final

from annotator.core.values import Markup
from compare.core.comparison import Comparison
from compare.core.matcher import match
from scoring.core.accuracy import EssayAccuracy
from scoring.core.counts import Counts, count
from scoring.core.metrics import Weights, measure, pairwise_accuracy

Essay = tuple[Markup, Sequence[Markup]]
"""An algorithm's markup and the experts' ones of the same essay."""

FEWEST: Final = 16
"""Markups; loading numpy takes longer than matching fewer."""


def compared(pairs: Sequence[tuple[Markup, Markup]]) -> Iterator[tuple[Comparison, Counts]]:
    """Of each pair its optimal matching and its counts."""
    if not _in_bulk(2 * len(pairs)):
        for left, right in pairs:
            comparison = match(left, right)
            yield comparison, count(comparison)
        return
    from razbor.bulk_numpy import compared_in_bulk  # noqa: PLC0415 - numpy may be missing

    yield from compared_in_bulk(pairs)


def accuracies_of(essays: Sequence[Essay], weights: Weights) -> list[EssayAccuracy]:
    """Of each essay M of the algorithm against each expert, and of each against each other one."""
    if not _in_bulk(sum(1 + len(experts) for _algorithm, experts in essays)):
        values: Iterator[float] = (
            _accuracy(one, other, weights) for each in essays for one, other in _pairs(each)
        )
    else:
        from razbor.bulk_numpy import accuracies_in_bulk  # noqa: PLC0415 - numpy may be missing

        values = accuracies_in_bulk(essays, weights)
    return [_accuracies(len(experts), values) for _algorithm, experts in essays]


def _in_bulk(markups: int) -> bool:
    return markups >= FEWEST and find_spec("numpy") is not None


def _pairs(essay: Essay) -> Iterable[tuple[Markup, Markup]]:
    """Who is compared with whom, in the order of ``compare.core.batch``."""
    algorithm, experts = essay
    yield from ((algorithm, expert) for expert in experts)
    yield from permutations(experts, 2)


def _accuracies(experts: int, values: Iterator[float]) -> EssayAccuracy:
    algorithm = tuple(islice(values, experts))
    return EssayAccuracy(algorithm, tuple(islice(values, experts * (experts - 1))))


def _accuracy(assessed: Markup, reference: Markup, weights: Weights) -> float:
    accuracy = pairwise_accuracy(measure(count(match(assessed, reference))), weights)
    return 0.0 if accuracy is None else accuracy
