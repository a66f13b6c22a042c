from __future__ import annotations

from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.core.desk import BY_CODE, Asked, Held, Number, Order, Progress, asked_of

WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=60)
ASKED = st.builds(
    Asked,
    set_name=WORDS.map(str.strip),
    subject=WORDS.map(str.strip),
    number=st.sampled_from([None, *Number]),
    expert=st.none() | st.integers(1, 10**18 - 1),
    words=WORDS.map(str.strip),
    order=st.sampled_from(Order),
)


@given(ASKED)
def test_an_address_asks_for_what_it_was_made_of(asked):
    fields = dict(parse_qsl(asked.query[1:], keep_blank_values=True))

    assert asked_of(fields) == asked


@given(st.dictionaries(st.sampled_from(["set", "state", "expert", "order", "q"]), st.text()))
def test_whatever_stands_in_an_address_is_read(fields):
    asked = asked_of(fields)

    assert asked_of(asked.fields) == asked


def test_a_code_tells_one_progress():
    assert len(BY_CODE) == 3**3 * 3
    assert [BY_CODE[code].code for code in BY_CODE] == list(BY_CODE)


@pytest.mark.parametrize(
    ("held", "needed", "number", "left"),
    [
        ((0, 2, 0), None, Number.UNASSIGNED, 1),
        ((2, 0, 2), True, Number.UNASSIGNED, 1),
        ((1, 2, 0), None, Number.WORKING, 1),
        ((2, 2, 0), None, Number.WORKING, 0),
        ((2, 2, 1), True, Number.THIRD, 1),
        ((2, 2, 2), True, Number.SETTLED, 0),
        ((2, 2, 0), False, Number.SETTLED, 0),
        ((2, 2, 2), None, Number.SETTLED, 0),
    ],
)
def test_where_an_essay_is_counted_and_what_is_left_to_do(held, needed, number, left):
    progress = Progress(*map(Held, held), needed)

    assert (progress.number, progress.left) == (number, left)
