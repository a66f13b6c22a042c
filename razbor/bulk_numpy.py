"""What ``razbor.bulk`` asks of numpy; loaded only where that is installed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from annotator.core.values import Markup
from compare.core.batch import Corpus, comparisons, match_all, pack
from compare.core.comparison import Comparison
from scoring.core.batch import accuracies, count_all, measure_all, wording
from scoring.core.counts import Counts
from scoring.core.metrics import Weights


def compared_in_bulk(
    pairs: Sequence[tuple[Markup, Markup]],
) -> Iterator[tuple[Comparison, Counts]]:
    """Of each pair its optimal matching and its counts."""
    markups = list(chain.from_iterable(pairs))
    columns = pack(markups)
    words = wording(markups, columns)
    essay = np.repeat(np.arange(len(pairs)), 2)
    is_reference = np.tile([False, True], len(pairs))
    for portion in match_all(Corpus(columns, essay, is_reference)):
        counts = count_all(portion, columns, words)
        yield from zip(comparisons(portion, columns, markups), counts.each(), strict=True)


def accuracies_in_bulk(
    essays: Sequence[tuple[Markup, Sequence[Markup]]], weights: Weights
) -> Iterator[float]:
    """M of every markup of an essay against every expert's one but itself, in their order."""
    markups = [each for algorithm, experts in essays for each in (algorithm, *experts)]
    sizes = [1 + len(experts) for _algorithm, experts in essays]
    columns = pack(markups)
    words = wording(markups, columns)
    is_reference = np.ones(len(markups), dtype=bool)
    is_reference[np.cumsum(sizes) - sizes] = False
    corpus = Corpus(columns, np.repeat(np.arange(len(sizes)), sizes), is_reference)
    for portion in match_all(corpus):
        yield from accuracies(measure_all(count_all(portion, columns, words)), weights)
