from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from web.core.ordering import natural


def test_a_row_of_digits_counts_as_its_number():
    names = ["Expert 10", "expert 2", "Expert", "Expert 1b", "Expert 1", "10", "9", "Anna"]

    assert sorted(names, key=natural) == [
        "9",
        "10",
        "Anna",
        "Expert",
        "Expert 1",
        "Expert 1b",
        "expert 2",
        "Expert 10",
    ]


@given(st.lists(st.text("0123а Б²", max_size=6)))
def test_any_words_have_one_order_whichever_way_they_stood(words):
    other_way = words[::-1]

    assert [natural(each) for each in sorted(words, key=natural)] == [
        natural(each) for each in sorted(other_way, key=natural)
    ]
