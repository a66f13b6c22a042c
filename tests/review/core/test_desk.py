from __future__ import annotations

from urllib.parse import parse_qsl

from hypothesis import given
from hypothesis import strategies as st

from review.core.desk import Asked, Number, Order, asked_of

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
