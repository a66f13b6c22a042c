from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.core.values import Markup, Subject
from scoring.core.criteria.tally import Tally
from tests.scoring.core.essays import essay
from tests.strategies import fragment, whole_text


def n(*marks: str, code: str = "Г.упр") -> int:
    tally = Tally(essay(Subject.RUSSIAN, *marks))
    return tally.distinct(tally.fragments(code))


@pytest.mark.parametrize(
    ("marks", "count"),
    [
        ([], 0),
        (["3 Г.упр"], 3),
        (["3 Г.упр#т1"], 1),
        (["2 Г.упр", "2 Г.упр#т1", "2 Г.упр#т2"], 4),
        (["Г.упр#т1", "Г.упр#Т1"], 1),
        (["Г.упр", "г.УПР"], 2),
        (["Г.упр#т1", "Г.согл#т1"], 1),
    ],
)
def test_a_repeated_mistake_of_one_code_and_tag_counts_once(marks, count):
    assert n(*marks) == count


def test_a_correction_is_never_counted():
    assert n("2 ИСП", "исп", code="ИСП") == 0


def test_a_block_without_a_place_is_not_counted_and_a_mistake_is():
    tally = Tally(Markup("one two", (whole_text("ПРОБЛЕМА"), whole_text("А.логика"))))

    found = {code: list(tally.fragments(code)) for code in ("ПРОБЛЕМА", "А.логика")}
    assert found == {"ПРОБЛЕМА": [], "А.логика": [1]}


def test_a_family_is_counted_code_by_code():
    tally = Tally(essay(Subject.RUSSIAN, "2 Г.упр#т", "Г.согл#т", "г.сказ", "П.факт", "ИСП"))

    assert [tally.distinct(found) for found in tally.family("Г.")] == [1, 1, 1]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("one", 1),
        ("one  two\tthree\u00a0four\nfive", 5),
        ("one — two", 2),
        ("«one», (2)...", 2),
        ("don't well-known", 2),
        ("... !? …", 0),
        ("a/b", 1),
    ],
)
def test_words_are_tokens_with_a_letter_or_a_digit(text, words):
    assert len(Tally(Markup(text)).words) == words


@given(st.text())
def test_words_are_counted_as_by_splitting(text):
    tokens = [token for token in text.split() if any(sign.isalnum() for sign in token)]

    assert len(Tally(Markup(text)).words) == len(tokens)


@pytest.mark.parametrize(
    ("fragments", "words"),
    [
        ([], 0),
        ([fragment(0, 7)], 2),
        ([fragment(2, 5)], 2),
        ([fragment(0, 7), fragment(4, 13)], 3),
        ([fragment(3, 4)], 0),
        ([fragment(0, 3), whole_text()], 3),
    ],
)
def test_words_under_fragments_count_once(fragments, words):
    tally = Tally(Markup("one two, three", tuple(fragments)))

    assert tally.words_under(range(len(fragments))) == words
