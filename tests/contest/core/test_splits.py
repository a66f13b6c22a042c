from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contest.core.splits import Parts, is_public, parts_of, seed_of_both_parts

NAMES = st.lists(st.text(max_size=5), unique=True, max_size=30)
SEEDS = st.integers(0, 2**62)


@given(NAMES, SEEDS, st.floats(0.01, 1))
def test_an_item_is_of_one_part_whatever_else_was_answered(names, seed, share):
    items = [(name, 1.0, 2.0) for name in names]

    whole = parts_of(items, seed=seed, share=share)
    one_by_one = [parts_of([item], seed=seed, share=share).public_items for item in items]

    assert (whole.public_items, whole.final_items) == (sum(one_by_one), one_by_one.count(0))


@given(NAMES, SEEDS)
def test_all_items_are_public_where_the_share_is_whole(names, seed):
    assert all(is_public(name, seed=seed, share=1) for name in names)


@given(
    st.sets(st.text(max_size=5), min_size=2, max_size=30),
    st.integers(0, 2**40),
    st.floats(0.05, 0.95),
)
def test_neither_part_is_empty_by_the_seed_that_is_found(names, start, share):
    seed = seed_of_both_parts(names, share=share, seeds=range(start, start + 1000))

    parts = parts_of([(name, 1.0, 1.0) for name in names], seed=seed, share=share)

    assert (parts.public_items > 0, parts.final_items > 0) == (True, True)
    earlier = [
        {is_public(name, seed=each, share=share) for name in names} for each in range(start, seed)
    ]
    assert all(len(drawn) == 1 for drawn in earlier)
    assert seed_of_both_parts(names, share=share, seeds=[seed, start]) == seed


def test_no_seed_is_found_for_a_single_item_or_a_whole_share():
    seeds = range(50)

    assert seed_of_both_parts(["a"], share=0.5, seeds=seeds) is None
    assert seed_of_both_parts("abc", share=1, seeds=seeds) is None
    assert seed_of_both_parts("abc", share=0.5, seeds=[]) is None


def test_the_share_is_about_kept_and_the_seed_draws_others():
    names = [str(number) for number in range(10_000)]

    drawn = [{name for name in names if is_public(name, seed=seed, share=0.3)} for seed in (1, 2)]

    assert [len(each) for each in drawn] == [pytest.approx(3000, abs=150)] * 2
    assert len(drawn[0] & drawn[1]) == pytest.approx(900, abs=100)


def test_means_are_shares_of_the_maximum_and_what_says_nothing_is_left_out():
    items = [("a", 1.0, 2.0), ("b", 3.0, 3.0), ("c", None, 1.0), ("d", 1.0, 0.0)]

    assert parts_of(items, seed=0, share=1) == Parts(0.75, None, 2, 0)
    assert parts_of([], seed=0, share=0.5) == Parts(None, None, 0, 0)
