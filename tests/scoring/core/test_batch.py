"""Counts and metrics in bulk are those of the functions for a pair, to the last bit."""

from __future__ import annotations

import pytest

from annotator.core.values import Fragment, Markup, Span
from compare.core.batch import match_all, pack
from compare.core.matcher import match
from scoring.core import batch
from scoring.core.batch import accuracies, count_all, measure_all, wording
from scoring.core.counts import count
from scoring.core.metrics import Weights, measure, pairwise_accuracy
from tests.compare.core.corpora import RANDOM_PAIRS, SEEDS, Essays, drawn_essays
from tests.examples import examples, is_fast
from tests.scoring.core.golden import cases, markup_of

WEIGHTS = Weights(0, 2, 1, 1.3, 0.7, 0, 0)


def in_bulk(essays):
    columns = pack(essays.markups)
    words = wording(essays.markups, columns)
    found = {}
    for portion in match_all(essays.corpus(columns)):
        counts = count_all(portion, columns, words)
        metrics = measure_all(counts)
        markups = zip(portion.left.tolist(), portion.right.tolist(), strict=True)
        figures = zip(counts.each(), metrics.tolist(), accuracies(metrics, WEIGHTS), strict=True)
        found |= dict(zip(markups, figures, strict=True))
    return found


def one_by_one(essays):
    found = {}
    for left, right in essays.pairs():
        counts = count(match(essays.markups[left], essays.markups[right]))
        metrics = measure(counts)
        found[left, right] = (
            counts,
            list(metrics.values[1:6]),
            pairwise_accuracy(metrics, WEIGHTS),
        )
    return found


@pytest.mark.parametrize("seed", range(10, 10 + SEEDS))
def test_thousands_of_drawn_pairs_are_counted_and_measured_as_one_by_one(seed):
    essays = drawn_essays(examples(1500), seed)

    expected = one_by_one(essays)

    assert in_bulk(essays) == expected
    assert is_fast() or len(expected) >= RANDOM_PAIRS / SEEDS


def test_the_worked_pairs_are_counted_and_measured_as_one_by_one():
    worked = cases("metrics_pairs")
    markups = [markup_of(case[side], case["text"]) for case in worked for side in "XY"]
    numbers = [number for number, _case in enumerate(worked) for _side in "XY"]
    essays = Essays(markups, numbers, [False, True] * len(worked))

    assert in_bulk(essays) == one_by_one(essays)


def test_the_worked_essays_are_counted_and_measured_as_one_by_one():
    worked = [essay for case in cases("metrics_star") for essay in case["essays"]]
    markups, numbers, is_reference = [], [], []
    for number, essay in enumerate(worked):
        for fragments in (essay["algorithm"], *essay["experts"]):
            markups.append(markup_of(fragments, essay["text"]))
            is_reference.append(bool(numbers) and numbers[-1] == number)
            numbers.append(number)
    essays = Essays(markups, numbers, is_reference)

    assert in_bulk(essays) == one_by_one(essays)


def test_hundreds_of_fragments_on_one_word_are_counted_as_one_by_one():
    said = ["", "to be", "To be"]
    left, right = (
        Markup(
            "She have a bike.",
            tuple(
                Fragment(Span(4, 8 + number % 3), "А.грамм", correction=said[number % step])
                for number in range(size)
            ),
        )
        for size, step in ((300, 2), (240, 3))
    )
    essays = Essays([left, right], [0, 0], [True, True])

    assert in_bulk(essays) == one_by_one(essays)


def test_shares_of_markups_too_big_to_add_parts_are_added_one_by_one(monkeypatch):
    essays = drawn_essays(100, 20)
    monkeypatch.setattr(batch, "MOST_PAIRS", 1)

    assert in_bulk(essays) == one_by_one(essays)
