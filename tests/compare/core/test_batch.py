"""The bulk matcher gives the pairs of the one-pair matcher, and grows with the pairs alone."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.core.values import Fragment, Markup, Span
from compare.core.batch import match_all, matching, pack
from compare.core.canonical import in_canonical_order
from compare.core.matcher import match
from tests.compare.core.corpora import RANDOM_PAIRS, SEEDS, Essays, drawn_essays, found_pairs
from tests.compare.core.peers import FAMILIES, crowd, crowded
from tests.compare.core.test_matcher_golden import CASES, read
from tests.examples import examples, is_fast


def in_bulk(essays):
    columns = pack(essays.markups)
    return found_pairs(match_all(essays.corpus(columns)), columns)


def one_by_one(essays):
    return {
        (left, right): [
            (pair.left, pair.right)
            for pair in match(essays.markups[left], essays.markups[right]).pairs
        ]
        for left, right in essays.pairs()
    }


def pair_of(left, right):
    return Essays([left, right], [0, 0], [False, True])


@pytest.mark.parametrize("seed", range(SEEDS))
def test_thousands_of_drawn_pairs_are_matched_as_one_by_one(seed):
    essays = drawn_essays(examples(1500), seed)

    expected = one_by_one(essays)

    assert in_bulk(essays) == expected
    assert len(expected) > 3 * len(set(essays.essay))
    assert is_fast() or len(expected) >= RANDOM_PAIRS / SEEDS


@settings(max_examples=examples(400), deadline=None)
@given(st.lists(st.lists(crowded(8), min_size=1, max_size=4), min_size=1, max_size=4))
def test_crowded_markups_are_matched_as_one_by_one(drawn):
    essays = Essays(
        [markup for essay in drawn for markup in essay],
        [number for number, essay in enumerate(drawn) for _ in essay],
        [True for essay in drawn for _ in essay],
    )

    assert in_bulk(essays) == one_by_one(essays)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("size", [20, 60, 150])
def test_hard_markups_are_matched_as_one_by_one(family, size):
    essays = pair_of(crowd(family, size, 1), crowd(family, size - 5, 2))

    assert in_bulk(essays) == one_by_one(essays)


def test_the_worked_cases_are_matched_as_one_by_one():
    markups = [read(case, side) for case in CASES for side in "XY"]
    numbers = [number for number, _case in enumerate(CASES) for _side in "XY"]
    essays = Essays(markups, numbers, [False, True] * len(CASES))

    assert in_bulk(essays) == one_by_one(essays)


def test_gains_that_are_equal_but_for_rounding_are_compared_exactly():
    # 1/3 + 2/3 with two pairs, 1 with one.
    sixths = pair_of(
        Markup("x" * 40, (Fragment(Span(0, 6), "а"), Fragment(Span(4, 6), "б"))),
        Markup("x" * 40, (Fragment(Span(0, 6), "б"), Fragment(Span(2, 6), "а"))),
    )

    assert in_bulk(sixths) == one_by_one(sixths) == {(0, 1): [(0, 1), (1, 0)]}


def test_where_gains_have_no_small_denominator_rounding_decides_nothing():
    # Both 1/2 + 1/6 and 1/3 + 1/3 make 2/3, the first a unit more when rounded; subcodes decide
    # for the second. The unions 30007 and 29989 make the common denominator too great.
    text = "x" * 30_020
    left = (span(5, 9, "straight"), span(8, 10, "across"))
    right = (span(7, 9, "across"), span(0, 12, "straight"), span(4, 30_011), span(3, 29_992))
    many = pair_of(Markup(text, left), Markup(text, right))

    assert in_bulk(many) == one_by_one(many) == {(0, 1): [(0, 1), (1, 0)]}


def span(start, end, subcode=""):
    return Fragment(Span(start, end), "а", subcode=subcode)


def test_a_text_too_long_for_rounded_gains_is_matched_as_one_by_one():
    text = "x" * 70_000
    left = Markup(text, (Fragment(Span(0, 65_536), "а"), Fragment(Span(2, 65_535), "а")))
    right = Markup(text, (Fragment(Span(0, 65_535), "а"), Fragment(Span(1, 65_536), "а")))

    assert in_bulk(pair_of(left, right)) == one_by_one(pair_of(left, right))


def test_markups_without_fragments_and_corpora_without_markups_have_no_pairs():
    empty = Markup("text")

    assert in_bulk(Essays([], [], [])) == {}
    assert in_bulk(Essays([empty], [0], [True])) == {}
    assert in_bulk(Essays([empty, empty, empty], [0, 0, 1], [True, False, False])) == {(1, 0): []}


def test_a_chunk_that_is_cut_in_two_gives_the_same_pairs(monkeypatch):
    essays = drawn_essays(150, 9)
    expected = in_bulk(essays)

    monkeypatch.setattr(matching, "MOST_EDGES", 50)
    monkeypatch.setattr(matching, "PORTION", 2000)
    monkeypatch.setattr(matching, "CHUNK", 300)

    assert in_bulk(essays) == expected


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(crowded(8), max_size=6))
def test_columns_hold_the_places_of_every_markup_in_canonical_order(markups):
    columns = pack(markups)

    for number, markup in enumerate(markups):
        order, places = in_canonical_order(markup)
        rows = slice(*columns.first[number : number + 2])
        assert (columns.index[rows].tolist(), columns.places(number)) == (order, places)


def test_ten_times_the_pairs_take_about_ten_times_the_work():
    essays = drawn_essays(60, 3)

    small, large = (seconds(repeated(essays, turns)) for turns in (5, 50))

    assert large <= 2 * 10 * small


def test_a_portion_does_not_grow_with_the_corpus(monkeypatch):
    monkeypatch.setattr(matching, "PORTION", 5000)
    essays = drawn_essays(60, 3)
    largest = max(len(markup.fragments) for markup in essays.markups) * 4

    for turns in (5, 50):
        corpus = repeated(essays, turns)
        sizes = corpus.columns.sizes
        work = [int(sizes[portion.left].sum()) for portion in match_all(corpus)]
        assert max(work) <= 5000 + largest


def seconds(corpus):
    """The best of several runs: noise only adds."""
    times = []
    for _ in range(3):
        start = time.process_time()
        assert sum(len(portion.left) for portion in match_all(corpus))
        times.append(time.process_time() - start)
    return min(times)


def repeated(essays, turns):
    """The same essays over and over."""
    numbers = essays.essay[-1] + 1
    shift = np.repeat(np.arange(turns), len(essays.essay)) * numbers
    return Essays(
        list(essays.markups) * turns,
        np.tile(essays.essay, turns) + shift,
        list(essays.is_reference) * turns,
    ).corpus()
