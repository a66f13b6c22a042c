from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from web.core.folding import fold

FOLDED = {
    "<p>\n  one\n  two\n</p>\n": "<p>one two</p>",
    "<b>one</b>\n<i>two</i>": "<b>one</b><i>two</i>",
    "<b>one</b> <i>two</i>": "<b>one</b> <i>two</i>",
    '<b>one</b>\n{{ " " }}\n<i>two</i>': '<b>one</b>{{ " " }}<i>two</i>',
    "{% if a %}\n  {{ a }}\n{% else %}\nb\n{% endif %}": "{% if a %}{{ a }}{% else %}b{% endif %}",
    "{% if a %} one{% endif %}\n": "{% if a %} one{% endif %}",
    '<a class="b"\n   href="{% url "x" %}"\n   >go</a>': '<a class="b" href="{% url "x" %}">go</a>',
    "<input\n  name='a'\n  {% if a > b %}\n  required\n  {% endif %}\n/>": (
        "<input name='a' {% if a > b %} required {% endif %}/>"
    ),
    '<a title="one\n  two">': '<a title="one two">',
    "<pre>\n  one\n</pre>": "<pre>\n  one\n</pre>",
    "<textarea>\n{{ a }}</textarea>\n": "<textarea>\n{{ a }}</textarea>",
    "{% comment %}\n one\n{% endcomment %}\n": "{% comment %}\n one\n{% endcomment %}",
    "a < b\n\n\nc": "a < b c",
    "": "",
    "\n": "",
}


@pytest.mark.parametrize("source", FOLDED)
def test_a_line_break_is_nothing_beside_an_element_and_a_blank_between_words(source):
    assert fold(source) == FOLDED[source]


TAGS = ["<p>", "</p>", '<a b="c\nd">', "{{ a }}", "{% if a %}", "{# no #}"]
PIECES = st.sampled_from(["\n", " ", "  \n  ", "word", "<", ">", "'", *TAGS])


@given(st.lists(PIECES).map("".join))
def test_folding_again_changes_nothing(source):
    assert fold(fold(source)) == fold(source)


@given(st.lists(PIECES).map("".join))
def test_only_blanks_are_lost(source):
    assert "".join(fold(source).split()) == "".join(source.split())
