"""Rows and knots are the very HTML the templates wrote that stand in ``former/``."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.template import Context, Template
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from annotator.core.values import Fragment, Kind, Markup, Span, Subject
from annotator.models import Essay, MarkupRecord
from annotator.services.markup import row_of
from compare.core.filters import Filter, filter_of
from compare.pages.comparison import ComparisonPage
from compare.queries import Sides
from compare.templatetags.compared_rows import NO_BREAK, knots, rows_of
from tests.bench.essays import nested_markup
from tests.factories import EssayFactory, PersonFactory, submitted
from web.core.folding import fold

FORMER = (Path(__file__).parent / "former" / "rows.html").read_text("utf-8")
LIST = '<ol class="difflist" id="difflist">'
KNOTS = '<div id="knots" class="knots" aria-hidden="true">'
EMPTY = '<li class="empty">'
TEXT = "Some <b>people</b> & others\nthink 'that' \"sport\" unites.\n"
FILTERS = [Filter(), filter_of(["code", "only_left"], []), filter_of([], ["А.грамм"])]
words = st.sampled_from(["", "<i>", "a&b", 'он "тут"', "it's", "{{ x }}", "&amp;"])
codes = st.sampled_from(["А.грамм", "А.проблема", "ИСП", "Ё<&>"])


@st.composite
def places(draw):
    start = draw(st.integers(0, len(TEXT) - 1))
    return Span(start, draw(st.integers(start + 1, len(TEXT))))


marks = st.lists(
    st.builds(Fragment, places() | st.none(), codes, *[words] * 5, kind=st.sampled_from(Kind)),
    max_size=5,
)


def record_of(markup, first):
    """A markup that was never stored."""
    record = MarkupRecord(essay=Essay(subject=Subject.ENGLISH, text=markup.text))
    record.known = [row_of(record, each) for each in markup.fragments]
    for number, row in enumerate(record.known, first):
        row.pk = number
    return record


def page_of(left, right, chosen):
    sides = Sides(
        record_of(Markup(TEXT, tuple(left)), 1), record_of(Markup(TEXT, tuple(right)), 51)
    )
    return ComparisonPage(sides, chosen)


@given(marks, marks, st.sampled_from(FILTERS), st.sampled_from(["ru", "en"]))
def test_rows_and_knots_are_the_html_the_templates_wrote(left, right, chosen, language):
    with translation.override(language):
        page = page_of(left, right, chosen)
        before = Template(fold(FORMER)).render(Context({"page": page}))
        listed = str(rows_of(page)).replace(NO_BREAK, " ")  # values were not glued to their names

    tied, _, rows = before.partition(LIST)
    assert tied == f"{KNOTS}{knots(page)}</div>"
    assert listed == ("" if EMPTY in rows else rows.removesuffix("</ol>"))


@pytest.mark.django_db
def test_a_comparison_renders_no_template_for_each_row(log_in):
    judge = log_in(PersonFactory(role="judge"))
    rendered = []
    for count in (5, 40):
        markup = nested_markup(300, count)
        essay = EssayFactory(text=markup.text)
        one, other = (submitted(essay, *markup.fragments).pk for _ in range(2))
        page = judge.get(f"/compare/{one}/{other}/?code=%D0%BD%D0%B5%D1%82")
        rendered.append(len(page.templates))

    assert rendered[0] == rendered[1]
