"""All markups of many essays measured at once, for a score run. Needs numpy.

Regulation, Appendix 1 and Appendix 2, 4: each markup against each expert's one of its essay.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from annotator.core.errors import SpanError
from annotator.core.values import Subject
from compare.core.batch import Columns, Corpus, FragmentLists, columns_of, match_all
from scoring.core.batch import Floats, accuracies, count_all, measure_all, wording_of
from scoring.core.counts import Counts
from scoring.core.criteria.sheet import K_MAX
from scoring.core.metrics import Metrics, Weights, m1, pairwise_accuracy


class Assessed(NamedTuple):
    """A markup of a run: its essay, whose text is ``text``.

    ``total``: the points its criteria give, if they are known.
    """

    essay: int
    subject: Subject
    is_expert: bool
    total: int | None
    text: str


class Scored(NamedTuple):
    """A pair: the numbers of its markups among those given, and what it measures.

    ``m1`` and ``accuracy`` are percent; ``None`` where undefined.
    """

    assessed: int
    reference: int
    counts: Counts
    m1: float | None
    accuracy: float | None


def scored(
    markups: Sequence[Assessed], fragments: FragmentLists, weights: Weights
) -> Iterator[Scored]:
    """Every markup against every expert's one of its essay but itself, both ways between experts.

    Those of an essay stand together; ``fragments`` are those of all, in their order. The figures
    are those of ``measure_pair`` to the last bit. Raises ``SpanError`` where one is outside.
    """
    if not markups:
        return
    columns = columns_of(fragments)
    _refuse_outside(columns, markups)
    words = wording_of([each.text for each in markups], fragments.comment, columns)
    changes = [one.essay != other.essay for one, other in pairwise(markups)]
    essay = np.cumsum([0, *changes])
    corpus = Corpus(columns, essay, np.array([each.is_expert for each in markups]))
    for portion in match_all(corpus):
        counts = count_all(portion, columns, words)
        metrics = measure_all(counts)
        left, right = portion.left.tolist(), portion.right.tolist()
        firsts = [_m1(markups[x], markups[y]) for x, y in zip(left, right, strict=True)]
        found = _accuracies(metrics, firsts, weights)
        yield from map(Scored, left, right, counts.each(), firsts, found)


def _refuse_outside(columns: Columns, markups: Sequence[Assessed]) -> None:
    lengths = np.repeat([len(each.text) for each in markups], columns.sizes)
    wrong = np.flatnonzero((columns.end > lengths) | (columns.start >= columns.end))
    for row in wrong.tolist():
        number, end, length = (int(each[row]) for each in (columns.index, columns.end, lengths))
        raise SpanError("span-outside-text", number=number + 1, end=end, length=length)


def _m1(assessed: Assessed, reference: Assessed) -> float | None:
    if assessed.total is None or reference.total is None:
        return None
    return m1(assessed.total, reference.total, K_MAX[assessed.subject])


def _accuracies(
    metrics: Floats, firsts: Sequence[float | None], weights: Weights
) -> list[float | None]:
    """In bulk where M1 has no weight, as the regulation has it."""
    if not weights.w1:
        return [*accuracies(metrics, weights)]
    measured = [
        Metrics(first, m2, m3, m4, m5, m6, None)
        for first, (m2, m3, m4, m5, m6) in zip(firsts, metrics.tolist(), strict=True)
    ]
    return [pairwise_accuracy(each, weights) for each in measured]
