from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.core.values import Fragment, Span, Subject
from annotator.forms.fragments import FragmentForm
from tests.strategies import fragment, texts

TEXT = " Some\u00a0people \n\n\tthink. "
OTHER_WORDS = ["The selected words are not those of the essay. Select again."]


def form_of(text=TEXT, stored=None, **fields):
    given_fields = {"version": "0", "code": "А.орф", **fields}
    return FragmentForm(given_fields, text=text, subject=Subject.ENGLISH, stored=stored)


def place(start, end, text=TEXT):
    return {"start": str(start), "end": str(end), "quote": text[start:end]}


@pytest.mark.parametrize(
    ("start", "end", "quote"),
    [
        (0, 5, " Some"),
        (0, 1, " "),
        (5, 6, "\u00a0"),
        (1, 13, "Some\u00a0people "),
        (13, 14, "\n"),
        (13, 14, "\r\n"),
        (12, 16, " \n\n\t"),
        (12, 16, " \r\n\r\n\t"),
        (16, 23, "think. "),
        (0, 23, TEXT),
    ],
)
def test_a_quote_is_compared_with_all_its_white_space(start, end, quote):
    form = form_of(start=start, end=end, quote=quote)

    assert form.errors == {}
    assert form.fragment == Fragment(Span(start, end), "А.орф")


@pytest.mark.parametrize(
    ("start", "end", "quote"),
    [
        (0, 5, "Some"),
        (0, 5, " Some "),
        (1, 12, "Some people"),
        (12, 16, " \n\t"),
        (12, 16, " \r\r\t"),
        (12, 16, ""),
        (0, 1, "\u00a0"),
    ],
)
def test_a_quote_with_other_white_space_is_another_one(start, end, quote):
    form = form_of(start=start, end=end, quote=quote)

    assert form.errors == {"__all__": OTHER_WORDS}
    assert form.fragment is None


@given(texts(), st.data())
def test_any_place_is_taken_with_the_line_ends_of_a_form(text, data):
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    quote = text[start:end].replace("\n", "\r\n")

    form = form_of(text, start=start, end=end, quote=quote)

    assert form.is_valid()
    assert form.fragment.span == Span(start, end)


def test_fields_lose_outer_white_space_only():
    form = form_of(
        **place(1, 5), code=" А.орф ", correction="\u00a0a  b\t", explanation="\n a\n\n b \n"
    )

    assert form.is_valid()
    assert form.fragment == fragment(1, 5, "А.орф", correction="a  b", explanation="a\n\n b")


def test_a_new_mark_needs_a_code_and_a_change_keeps_the_stored_one():
    stored = fragment(1, 5, "А.лекс", subcode="слово", comment="слово")
    fields = {"version": "0", "comment": "другое"}

    added = FragmentForm(fields, text=TEXT, subject=Subject.ENGLISH)
    changed = FragmentForm(fields, text=TEXT, subject=Subject.ENGLISH, stored=stored)

    assert added.errors == {"code": ["This field is required."]}
    assert changed.is_valid()
    assert changed.fragment == fragment(1, 5, "А.лекс", subcode="слово", comment="другое")


@pytest.mark.parametrize("half", [{"start": "6"}, {"end": "12"}])
def test_one_border_alone_is_no_place(half):
    form = form_of(stored=fragment(1, 5), quote="people", **half)

    assert form.errors == {"__all__": ["The place lies outside the essay. Select it again."]}


def test_a_mistake_of_the_whole_text_can_be_given_a_place():
    form = form_of(stored=Fragment(None, "А.орф", comment="всюду"), **place(6, 12))

    assert form.is_valid()
    assert form.fragment == fragment(6, 12, "А.орф", comment="всюду")


def test_what_was_typed_stands_over_what_is_stored():
    stored = fragment(1, 5, "А.лекс", subcode="слово", comment="слово", tag="т1")
    form = form_of(stored=stored, code="Я.нет", comment="")

    assert not form.is_valid()
    assert form.typed(stored) == fragment(1, 5, "Я.нет", subcode="слово", tag="т1")


def test_words_of_a_file_that_are_longer_than_a_field_do_not_hold_up_other_changes():
    long = fragment(1, 5, "А.орф", comment="c" * 3000, explanation="e" * 5000)

    moved = form_of(stored=long, **place(1, 12))
    changed = form_of(stored=long, comment="d" * 2001)

    assert (moved.is_valid(), moved.fragment) == (
        True,
        Fragment(Span(1, 12), "А.орф", comment=long.comment, explanation=long.explanation),
    )
    assert list(changed.errors) == ["comment"]
