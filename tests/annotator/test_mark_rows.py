"""The rows of marks are the very HTML the template wrote that stands in ``former/``."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.template import Context, Template
from hypothesis import given
from hypothesis import strategies as st

from annotator.core.classifier import classifier_of
from annotator.core.values import Fragment, Kind, Markup, Span, Subject
from annotator.models import Essay, MarkupRecord
from annotator.pages.marks import Marked, marks_of
from annotator.templatetags.mark_rows import mark_row, mark_rows
from tests.annotator.drafts import draft_of
from tests.strategies import fragment
from web.core.folding import fold

FORMER = (Path(__file__).parent / "former" / "mark.html").read_text("utf-8")
TEXT = "Some <b>people</b> & others\nthink 'that' \"sport\" unites.\n"
words = st.text(st.characters(exclude_categories=["Cs"]), max_size=8) | st.sampled_from(
    ["<i>", "a&b", 'он "тут"', "it's", "{{ x }}", "&amp;"]
)
codes = st.sampled_from(["А.грамм", "А.проблема", "ИСП", "Ё<&>"])


@st.composite
def places(draw):
    start = draw(st.integers(0, len(TEXT) - 1))
    return Span(start, draw(st.integers(start + 1, len(TEXT))))


drawn = st.lists(
    st.builds(
        Fragment,
        places() | st.none(),
        codes,
        *[words] * 5,
        kind=st.sampled_from(Kind),
        id=st.integers(1, 10**9),
    ),
    max_size=6,
)


def marked(fragments):
    markup = Markup(TEXT, tuple(fragments))
    record = MarkupRecord(essay=Essay(subject=Subject.ENGLISH))
    return Marked(record, markup, tuple(marks_of(markup, classifier_of(Subject.ENGLISH))))


def as_before(shown):
    """All rows as the loop of templates wrote them."""
    loop = "{% for mark in parts.beside_text %}" + fold(FORMER) + "{% endfor %}"
    return Template(loop).render(Context({"parts": shown}))


@given(drawn)
def test_rows_are_the_html_the_template_wrote(fragments):
    shown = marked(fragments)

    assert mark_rows(shown) == as_before(shown)


@given(drawn)
def test_one_row_is_as_it_stands_among_all(fragments):
    shown = marked(fragments)
    rows = [mark_row(each, shown, is_first=not at) for at, each in enumerate(shown.beside_text)]

    assert "".join(rows) == mark_rows(shown)


@pytest.mark.django_db
def test_a_page_renders_no_template_for_each_mark(log_in):
    few, many = (
        draft_of(TEXT, *[fragment(at, at + 9, "А.орф") for at in range(count)]) for count in (2, 20)
    )

    rendered = [
        len(log_in(each.author).get(f"/markups/{each.pk}/").templates) for each in (few, many)
    ]

    assert rendered[0] == rendered[1]
