"""What a run stores of a pair is what measuring it alone says, to the last bit."""

from __future__ import annotations

import pytest

from annotator.core.values import Subject
from compare.core.batch import listed
from compare.core.matcher import match
from scoring.core.criteria.sheet import CriteriaSheet
from scoring.core.metrics import Weights
from scoring.core.pairs import measure_pair
from scoring.core.scored import Assessed, scored
from tests.compare.core.corpora import drawn_essays
from tests.examples import examples

ENGLISH = Subject.ENGLISH


def assessed(seed):
    """Markups of drawn essays whose numbers come in no order; what is scored of each, and they."""
    essays = drawn_essays(examples(300), seed)
    corpus = essays.corpus(None)
    markups = essays.markups
    found = [
        Assessed(int(essay) * 7919 % 1009, ENGLISH, bool(expert), number % 10, markup.text)
        for number, (essay, expert, markup) in enumerate(
            zip(corpus.essay, corpus.is_reference, markups, strict=True)
        )
    ]
    return found, markups


@pytest.mark.parametrize("weights", [Weights(), Weights(2, 1, 0, 1.3, 0.7, 1)])
def test_every_pair_has_the_figures_of_measuring_it_alone(weights):
    rows, markups = assessed(5)

    found = list(scored(rows, listed(markups), weights))

    assert len(found) > len(markups) // 2
    for pair in found:
        one, other = rows[pair.assessed], rows[pair.reference]
        sides = markups[pair.assessed], markups[pair.reference]
        sheets = tuple(CriteriaSheet({"K1": each.total}) for each in (one, other))
        measured = measure_pair(match(*sides), sheets, subject=ENGLISH, weights=weights)
        assert (one.essay, other.is_expert) == (other.essay, True)
        assert (pair.counts, pair.m1, pair.accuracy) == (
            measured.counts,
            measured.metrics.m1,
            measured.accuracy,
        )


def test_where_points_are_missing_m1_and_what_weighs_it_are_undefined():
    rows, markups = assessed(5)
    rows, fragments = [each._replace(total=None) for each in rows], listed(markups)

    assert {each.m1 for each in scored(rows, fragments, Weights())} == {None}
    assert {each.accuracy for each in scored(rows, fragments, Weights(w1=1))} == {None}


def test_nothing_is_scored_of_nothing():
    assert list(scored([], listed([]), Weights())) == []
