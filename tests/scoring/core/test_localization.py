from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.core.values import Span
from scoring.core.localization import WORD, jaccard
from scoring.core.words import Words, words_of
from tests.strategies import spans, texts

TEXT = "I can't, well-known don’t — 2 cats_dogs."


def covered(text: str, part: str) -> list[str]:
    start = text.index(part)
    words = [found[0] for found in WORD.finditer(text)]
    return [words[at] for at in Words(text, WORD).under(Span(start, start + len(part)))]


def test_a_word_is_a_run_of_letters_and_digits_with_inner_hyphens_and_apostrophes():
    assert [found[0] for found in WORD.finditer(TEXT)] == [
        *["I", "can't", "well-known", "don’t", "2", "cats", "dogs"]
    ]


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ("can't", ["can't"]),
        ("'", ["can't"]),
        (" can't,", ["can't"]),
        ("t, w", ["can't", "well-known"]),
        (", ", []),
        (" — ", []),
        ("_", []),
        ("I", ["I"]),
        (".", []),
        (TEXT, ["I", "can't", "well-known", "don’t", "2", "cats", "dogs"]),
    ],
)
def test_a_word_belongs_to_a_span_that_shares_a_character_with_it(part, words):
    assert covered(TEXT, part) == words


def of(text: str, left: tuple[int, int] | None, right: tuple[int, int] | None) -> float:
    return jaccard(Words(text, WORD), left and Span(*left), right and Span(*right))


@pytest.mark.parametrize(
    ("left", "right", "share"),
    [
        ((0, 7), (0, 7), 1.0),
        ((0, 7), (0, 3), 0.5),
        ((0, 7), (4, 13), 1 / 3),
        ((0, 3), (4, 7), 0.0),
        ((1, 2), (0, 3), 1.0),
        ((7, 8), (7, 8), 1.0),
        ((7, 8), (7, 9), 0.5),
        ((7, 8), (4, 9), 0.0),
        (None, None, 1.0),
        (None, (0, 13), 0.0),
    ],
)
def test_the_share_of_common_words(left, right, share):
    assert of("one two, three", left, right) == share
    assert of("one two, three", right, left) == share


@given(st.data())
def test_words_under_a_span_are_those_that_share_a_character_with_it(data):
    text = data.draw(texts())
    span = data.draw(spans(len(text)))
    places = [found.span() for found in WORD.finditer(text)]

    assert list(Words(text, WORD).under(span)) == [
        at for at, (start, end) in enumerate(places) if span.overlap(Span(start, end))
    ]


@given(st.data())
def test_the_number_of_covered_words_counts_each_once(data):
    text = data.draw(texts())
    drawn = data.draw(st.lists(spans(len(text)), max_size=5))
    words = Words(text, WORD)

    assert words.covered(drawn) == len({at for span in drawn for at in words.under(span)})


@given(st.data())
def test_the_share_lies_between_0_and_1_and_is_symmetric(data):
    text = data.draw(texts())
    left, right = data.draw(spans(len(text))), data.draw(spans(len(text)))
    words = Words(text, WORD)

    assert 0 <= jaccard(words, left, right) == jaccard(words, right, left) <= 1


def test_the_words_of_an_essay_are_found_once():
    assert words_of(TEXT, WORD) is words_of(TEXT, WORD)
