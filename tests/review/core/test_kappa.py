from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.core.kappa import (
    LEAST_ESSAYS,
    OffScaleError,
    Sums,
    kappa_by_essay,
    quadratic_kappa,
    sums_of,
)

POINTS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=40)


def naive_kappa(pairs, maximum):
    """Cohen's matrices, cell by cell, with every label from 0 to the maximum."""
    labels = range(maximum + 1)
    n = len(pairs)
    observed = {(i, k): pairs.count((i, k)) / n for i in labels for k in labels}
    rows = {i: sum(observed[i, k] for k in labels) for i in labels}
    columns = {k: sum(observed[i, k] for i in labels) for k in labels}
    weight = {(i, k): (i - k) ** 2 / maximum**2 for i in labels for k in labels}
    expected = sum(weight[i, k] * rows[i] * columns[k] for i in labels for k in labels)
    if expected == 0:
        return None
    return 1 - sum(weight[cell] * observed[cell] for cell in observed) / expected


def one_each(pairs):
    return [[pair] for pair in pairs]


@pytest.mark.parametrize(
    ("pairs", "maximum", "kappa"),
    [
        ([(0, 0), (1, 1), (2, 2)], 2, 1.0),
        # Σ(x-y)² = 2, Σx²+Σy² = 2, Σx·Σy/2 = 1/2: 1 - 2 / (2 - 1)
        ([(0, 1), (1, 0)], 1, -1.0),
        # Σ(x-y)² = 1, Σx²+Σy² = 1+4+1+4+1, Σx·Σy = 3·4, n = 3: 1 - 1 / (11 - 24/3)
        ([(0, 1), (1, 1), (2, 2)], 2, 2 / 3),
        # two labels only, as far apart as can be: Σ(x-y)² = 9, 27 - 2·3·6/3 = 15
        ([(0, 3), (3, 3), (0, 0)], 3, 1 - 9 / 15),
        # chance expects nothing: both always give the same
        ([(2, 2), (2, 2)], 3, None),
        # one always gives 1, so chance expects just what is seen
        ([(1, 0), (1, 2)], 2, 0.0),
    ],
)
def test_kappa_as_computed_by_hand(pairs, maximum, kappa):
    assert quadratic_kappa(pairs, maximum) == pytest.approx(kappa)


@given(POINTS)
def test_kappa_is_what_the_matrices_give(pairs):
    found, expected = quadratic_kappa(pairs, 3), naive_kappa(pairs, 3)

    assert found == (expected if expected is None else pytest.approx(expected, abs=1e-12))


@given(POINTS)
def test_labels_that_nobody_gave_change_nothing(pairs):
    assert quadratic_kappa(pairs, 3) == quadratic_kappa(pairs, 20)


@given(POINTS)
def test_it_does_not_matter_who_is_first(pairs):
    mirrored = [(y, x) for x, y in pairs]

    assert quadratic_kappa(pairs, 3) == quadratic_kappa(mirrored, 3)


@given(POINTS, st.integers(0, 5))
def test_sums_add_up_and_multiply(pairs, count):
    assert sums_of(pairs * count, 3) == sums_of(pairs, 3).times(count)
    assert sums_of(pairs + pairs, 3) == sums_of(pairs, 3) + sums_of(pairs, 3)
    assert sums_of([], 3) == Sums()


@pytest.mark.parametrize("pair", [(0, 4), (4, 0), (-1, 0)])
def test_points_beyond_the_labels_are_refused(pair):
    with pytest.raises(OffScaleError):
        quadratic_kappa([pair], 3)


def test_below_thirty_essays_nothing_is_told():
    pairs = [(n % 3, n % 2) for n in range(LEAST_ESSAYS)]
    told = kappa_by_essay(one_each(pairs), 2, random=Random(1))

    assert kappa_by_essay(one_each(pairs[:-1]), 2, random=Random(1)) is None
    assert kappa_by_essay([pairs[:-1]], 2, random=Random(1)) is None
    assert told is not None
    assert told.value == quadratic_kappa(pairs, 2)


def test_the_interval_is_the_same_for_the_same_seed_and_holds_the_value():
    pairs = [(n % 4, (n + n // 4 % 2) % 4) for n in range(60)]
    told = [kappa_by_essay(one_each(pairs), 3, random=Random(seed)) for seed in (5, 5, 6)]

    assert told[0] == told[1] != told[2]
    low, high = told[0].interval
    assert -1 <= low < told[0].value < high <= 1


def test_full_agreement_is_one_with_an_interval_of_nothing():
    told = kappa_by_essay(one_each([(n % 3, n % 3) for n in range(30)]), 2, random=Random(1))

    assert (told.value, told.interval) == (1, (1, 1))


def test_essays_are_drawn_and_not_pairs():
    """Thirty essays with five equal pairs each are as sure as thirty with one."""
    pairs = [(n % 3, n % 2) for n in range(30)]
    single = kappa_by_essay(one_each(pairs), 2, random=Random(7))
    fivefold = kappa_by_essay([[pair] * 5 for pair in pairs], 2, random=Random(7))

    assert fivefold.value == pytest.approx(single.value)
    assert fivefold.interval == pytest.approx(single.interval)


def test_where_resamples_have_no_kappa_there_is_no_interval():
    pairs = [(1, 1)] * 59 + [(0, 1)]  # most resamples miss the one pair that differs

    assert kappa_by_essay(one_each(pairs), 1, random=Random(1)).interval is None
