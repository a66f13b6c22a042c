"""The matcher against slower ones that know nothing of its ideas."""

import pytest
from hypothesis import example, given, settings

from annotator.core.values import Fragment, Markup, Span
from compare.core.matcher import loss, match
from tests.compare.core.peers import (
    FAMILIES,
    NOTHING,
    TEXT,
    blossom,
    crowd,
    crowded,
    exhaustive,
    total,
)
from tests.examples import examples

GREEDY_TRAP = (
    Markup(TEXT, (Fragment(Span(0, 10), "а"), Fragment(Span(0, 5), "а"))),
    Markup(TEXT, (Fragment(Span(0, 9), "а"), Fragment(Span(6, 10), "а"))),
)


@settings(max_examples=examples(400), deadline=None)
@example(*GREEDY_TRAP)
@given(crowded(5), crowded(6))
def test_match_is_as_good_as_the_best_of_all_matchings(left, right):
    assert total(match(left, right)) == exhaustive(left, right)


@given(crowded(5), crowded(5))
def test_loss_of_a_comparison_is_what_the_pairs_do_not_gain(left, right):
    gain = total(match(left, right)).gain
    fragments = len(left.fragments) + len(right.fragments)

    assert match(left, right).loss == pytest.approx(float(fragments - gain), abs=1e-9)


@settings(max_examples=examples(30), deadline=None)
@given(crowded(24), crowded(24))
def test_match_of_crowded_markups_is_as_good_as_that_of_networkx(left, right):
    assert total(match(left, right)) == blossom(left, right)


@pytest.mark.parametrize("family", FAMILIES)
def test_match_of_hard_markups_is_as_good_as_that_of_networkx(family):
    left, right = crowd(family, 24, seed=1), crowd(family, 30, seed=2)

    found = total(match(left, right))

    assert found != NOTHING
    assert found == blossom(left, right)


@pytest.mark.parametrize("family", FAMILIES)
def test_match_of_big_markups_costs_no_more_than_that_of_scipy(family):
    left, right = crowd(family, 130, seed=1), crowd(family, 120, seed=2)
    import numpy as np  # noqa: PLC0415 - long to read, and few tests ask
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415

    losses = np.array([[loss(x, y).total for y in right.fragments] for x in left.fragments])
    chosen = linear_sum_assignment(np.minimum(losses - 2, 0))
    expected = 250 + np.minimum(losses - 2, 0)[chosen].sum()

    assert match(left, right).loss == pytest.approx(expected, abs=1e-9)
