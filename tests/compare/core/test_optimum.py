"""Thinning out leaves every optimal matching, weights order matchings by preference."""

from itertools import product

import pytest
from hypothesis import given

from annotator.core.values import Fragment, Markup, Span
from compare.core.assignment import heaviest_matching
from compare.core.candidates import admissible, components
from compare.core.canonical import in_canonical_order
from compare.core.optimum import denominator, exact_weights, measure, thinned
from tests.compare.core.peers import FAMILIES, TEXT, crowd, crowded


def places(*fragments):
    return in_canonical_order(Markup(TEXT, fragments))[1]


def measured(pairs, left, right):
    return [measure(left[i], right[k]) for i, k in pairs]


def heaviest(pairs, of):
    return sum(of[pair] for pair in heaviest_matching(pairs, [of[pair] for pair in pairs]).edges)


def assert_nothing_lost(left, right):
    left, right = in_canonical_order(left)[1], in_canonical_order(right)[1]
    for component in components(admissible(left, right)):
        measures = measured(component, left, right)
        of = dict(zip(component, exact_weights(component, measures, left, right), strict=True))
        kept = thinned(component, measures)

        assert set(kept) <= set(component)
        assert heaviest(kept, of) == heaviest(component, of)


@given(crowded(8), crowded(8))
def test_thinning_out_leaves_an_optimal_matching_in_crowded_markups(left, right):
    assert_nothing_lost(left, right)


@pytest.mark.parametrize("family", FAMILIES)
def test_thinning_out_leaves_an_optimal_matching_in_hard_markups(family):
    assert_nothing_lost(crowd(family, 30, seed=1), crowd(family, 25, seed=2))


def test_thinning_out_drops_most_pairs_of_overlapping_fragments():
    left, right = (in_canonical_order(crowd("one code", 40, seed))[1] for seed in (1, 2))
    pairs = list(product(range(40), range(40)))

    kept = thinned(pairs, measured(pairs, left, right))

    assert 40 <= len(kept) <= 160


def test_thinning_out_keeps_matchings_that_are_equal_but_for_the_rounding():
    # 1/3 + 2/3 with two pairs, 1 with one; rounded down the first is a unit short.
    left = places(Fragment(Span(0, 6), "а"), Fragment(Span(4, 6), "б"))
    right = places(Fragment(Span(0, 6), "б"), Fragment(Span(2, 6), "а"))
    pairs = sorted(admissible(left, right))

    assert pairs == [(0, 0), (0, 1), (1, 0)]
    assert thinned(pairs, measured(pairs, left, right)) == pairs


def test_weights_prefer_one_equal_correction_to_any_ranks():
    # Twenty twins a side; the last on the left and the first on the right correct alike.
    twins = [Fragment(Span(0, 1), "а")] * 19
    left = places(*twins, Fragment(Span(0, 1), "а", correction="to be"))
    others = [Fragment(Span(0, 1), "а", correction="zero")] * 19
    right = places(*others, Fragment(Span(0, 1), "а", correction="to be"))
    pairs = list(product(range(20), range(20)))
    of = dict(
        zip(pairs, exact_weights(pairs, measured(pairs, left, right), left, right), strict=True)
    )

    straight = sum(of[rank, rank] for rank in range(20))
    reversed_ = sum(of[rank, 19 - rank] for rank in range(20))
    assert straight < reversed_


def test_denominator_is_the_least_common_multiple_of_the_unions():
    assert denominator([(1, 4, False), (2, 6, True), (2, 6, False)], digits=4) == 12


def test_denominator_of_too_many_digits_is_not_worked_out():
    assert denominator([(1, 4, False), (2, 6, True)], digits=3) == 0
