"""An answer renews of the page what a change made otherwise, and nothing else."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.core.classifier import classifier_of
from annotator.core.values import Fragment, Markup, Span, Subject
from annotator.models import FragmentRecord
from annotator.pages.marks import marks_of
from annotator.pages.renewal import changed_lines, come, gone, kept_lines
from annotator.templatetags.essay_text import essay_lines
from tests.annotator.drafts import draft_of
from tests.factories import marking_form
from tests.pages import page_of
from tests.strategies import fragment, whole_text

TEXT = "Some people\nthink\n\nthat sport unites."
CODES = ["А.грамм", "А.лекс", "А.проблема"]


@st.composite
def places(draw):
    start = draw(st.integers(0, len(TEXT) - 1))
    return Span(start, draw(st.integers(start + 1, len(TEXT))))


marks = st.dictionaries(
    st.integers(1, 6), st.builds(Fragment, places(), st.sampled_from(CODES)), max_size=6
)


def markup_of(fragments):
    numbered = (
        Fragment(each.span, each.code, id=number) for number, each in sorted(fragments.items())
    )
    return Markup(TEXT, tuple(numbered))


def shown(markup):
    return marks_of(markup, classifier_of(Subject.ENGLISH))


def renewed_list(before, after):
    """The list of marks of a page after the renewal was put into it."""
    left = set(gone(before, after))
    page = [mark for mark in before if mark.number not in left]
    for ahead, mark in come(before, after):
        numbers = [each.number for each in page]
        page.insert(numbers.index(ahead) + 1 if ahead is not None else 0, mark)
    return page


@given(marks, marks)
def test_the_list_before_and_the_renewal_make_the_list_after(before, after):
    old, new = shown(markup_of(before)), shown(markup_of(after))

    assert renewed_list(old, new) == new


@given(marks, marks)
def test_the_lines_before_and_the_renewal_make_the_lines_after(before, after):
    page = [line.pieces for line in essay_lines(markup_of(before))]

    for place, pieces in changed_lines(markup_of(before), markup_of(after)):
        page[place - 1] = pieces

    assert page == [line.pieces for line in essay_lines(markup_of(after))]


@given(marks)
def test_where_nothing_changed_nothing_is_renewed(fragments):
    markup = markup_of(fragments)
    listed = shown(markup)

    assert list(changed_lines(markup, markup)) == []
    assert (list(gone(listed, listed)), list(come(listed, listed))) == ([], [])


def test_what_one_change_has_made_is_not_painted_again_by_the_next():
    stages = [
        markup_of({1: Fragment(Span(start, start + 9), "А.лекс")}) for start in range(7, 27, 4)
    ]
    kept_lines.cache_clear()

    for old, new in pairwise(stages):
        assert list(changed_lines(old, new))

    assert kept_lines.cache_info().misses == len(stages)


def parts_of(response):
    """The parts of an answer: what each renews, and how."""
    parts = (each for each in page_of(response).children if not isinstance(each, str))
    return [(each.attributes.get("id", ""), each["hx-swap-oob"]) for each in parts]


EVERYTHING = {
    *((name, "innerHTML") for name in ("essay", "marks", "whole", "checklist", "said")),
    *((name, "true") for name in ("cards", "points", "saved", "notice")),
}
STANDING = {("points", "true"), ("saved", "true"), ("said", "innerHTML"), ("notice", "true")}


@pytest.mark.django_db
def test_the_answer_is_the_parts_that_changed_each_to_be_put_in_its_place(post):
    record = draft_of("Some people\nthink.", fragment(0, 4))
    number = FragmentRecord.objects.get().pk

    response = post(record, htmx=True, **marking_form(record, start=12, end=17))

    assert sorted(parts_of(response)) == sorted(
        {
            *STANDING,
            ("", "innerHTML:#essay > :nth-child(2)"),
            ("", f"afterend:#marks > [data-mark='{number}']"),
            ("cards", "true"),
        }
    )


@pytest.mark.django_db
def test_the_first_mark_renews_all_parts(post):
    record = draft_of()

    response = post(record, htmx=True, **marking_form(record, start=5, end=11))

    assert sorted(parts_of(response)) == sorted(EVERYTHING)


@pytest.mark.django_db
def test_a_page_that_missed_an_answer_is_renewed_as_a_whole(post):
    record = draft_of("Some people think.", fragment(0, 4))
    form = marking_form(record, start=5, end=11)
    post(record, htmx=True, **form)

    again = post(record, htmx=True, **form)

    assert sorted(parts_of(again)) == sorted(EVERYTHING)


@pytest.mark.django_db
def test_a_whole_text_mistake_renews_the_row_of_them_only(post):
    record = draft_of("Some people think.", fragment(0, 4))

    response = post(record, htmx=True, **marking_form(record, code="А.аспект"))

    assert sorted(parts_of(response)) == sorted(
        {*STANDING, ("whole", "innerHTML"), ("cards", "true")}
    )


@pytest.mark.django_db
def test_the_parts_of_an_answer_are_those_of_the_page(post, log_in):
    record = draft_of("Some people think.", whole_text())

    answer = page_of(post(record, **marking_form(record, start=5, end=11, comment="слово")))

    page = page_of(log_in(record.author).get(f"/markups/{record.pk}/"))
    for part in ("#essay", "#marks", "#whole", "#points", "#checklist", "#saved"):
        assert answer.one(part).children == page.one(part).children
    assert answer.one("#saved")["data-version"] == page.one("#saved")["data-version"] == "1"


@pytest.mark.django_db
def test_a_deleted_mark_is_gone(post):
    record = draft_of("Some people think.", fragment(0, 4), fragment(5, 11, "А.лекс"))
    row = FragmentRecord.objects.first()

    response = post(record, row, "drop/", version=0, htmx=True)

    assert sorted(parts_of(response)) == sorted(
        {
            *STANDING,
            ("", "innerHTML:#essay > :nth-child(1)"),
            ("", f"delete:#marks > [data-mark='{row.pk}']"),
            ("toast", "innerHTML"),
        }
    )
    assert [each.to_core() for each in record.fragments.all()] == [fragment(5, 11, "А.лекс")]
    assert page_of(response).find("#cards") == []
