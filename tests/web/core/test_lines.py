from hypothesis import given, settings
from hypothesis import strategies as st

from web.core.lines import Lines


@given(st.text(alphabet="aб\n👩"), st.data())
@settings(deadline=None)
def test_lines_place_every_offset_as_counting_would(text, data):
    offset = data.draw(st.integers(0, len(text)))
    before = text[:offset].split("\n")

    assert Lines(text).place(offset) == (len(before), len(before[-1]) + 1)


def test_a_line_feed_belongs_to_the_line_it_ends():
    assert [Lines("a\nb").place(offset) for offset in range(4)] == [(1, 1), (1, 2), (2, 1), (2, 2)]
