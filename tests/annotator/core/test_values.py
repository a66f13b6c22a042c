import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.core.errors import SpanError
from annotator.core.values import Fragment, Markup, Span, fold, in_reading_order, normalise
from tests.examples import examples
from tests.strategies import fragment, markups, spans, texts, whole_text


@pytest.mark.parametrize(("start", "end"), [(3, 3), (4, 3), (-1, 2), (-2, -1), (0, 0)])
def test_a_span_refuses_bounds_that_hold_nothing(start, end):
    with pytest.raises(SpanError) as caught:
        Span(start, end)

    assert (caught.value.code, caught.value.fields) == ("not-a-span", {"start": start, "end": end})


@given(spans(12), spans(12))
@settings(deadline=None)
def test_overlap_and_crossing_agree_with_sets_of_positions(one, other):
    here, there = set(range(one.start, one.end)), set(range(other.start, other.end))

    assert one.overlap(other) == other.overlap(one) == len(here & there)
    apart = bool(here & there) and not here <= there and not there <= here
    assert one.crosses(other) is other.crosses(one) is apart
    assert len(one) == len(here)


def test_spans_that_touch_neither_overlap_nor_cross():
    assert Span(0, 3).overlap(Span(3, 5)) == 0
    assert not Span(0, 3).crosses(Span(3, 5))


def test_normalise_drops_one_mark_and_makes_every_line_end_a_line_feed():
    assert normalise("\ufeffа\r\nб\rв\n\r\n\ufeffг e\u0301") == "а\nб\nв\n\n\ufeffг e\u0301"


@given(st.text(alphabet="a\r\n\ufeff "))
@settings(deadline=None)
def test_normalise_leaves_no_carriage_return_and_keeps_the_number_of_lines(text):
    normal = normalise(text)

    assert "\r" not in normal
    assert normal.count("\n") == len(text.replace("\r\n", "\n").replace("\r", "\n").split("\n")) - 1


def test_fold_compares_codes_stripped_and_in_one_case():
    assert {fold(name) for name in ("Ф.факт", "ф.Факт", "Ф.ФАКТ", " ф.факт\n")} == {"ф.факт"}


def test_words_of_hostile_files_are_not_remembered():
    tracemalloc.start()
    try:
        for number in range(50):
            fold(f"{number}Ж" + "ж" * 200_000)
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert kept < 1_000_000


def test_fragments_that_differ_only_in_their_number_are_equal():
    assert Fragment(Span(0, 1), "А.грамм", id=7) == Fragment(Span(0, 1), "А.грамм", id=8)


@pytest.mark.parametrize("code", ["ИСП", "исп", " Исп "])
def test_a_correction_is_known_in_any_letter_case(code):
    assert Fragment(None, code).is_correction


@pytest.mark.parametrize("code", ["", "А.грамм", "ИСПР"])
def test_other_codes_are_no_corrections(code):
    assert not Fragment(None, code).is_correction


def test_a_markup_refuses_a_fragment_that_ends_outside_its_text():
    with pytest.raises(SpanError) as caught:
        Markup("абв", (fragment(0, 3), whole_text(), fragment(1, 4)))

    assert (caught.value.code, caught.value.fields) == (
        "span-outside-text",
        {"number": 3, "end": 4, "length": 3},
    )


def test_covered_counts_code_points_and_is_empty_for_the_whole_text():
    markup = Markup("a👩‍🏫b", (fragment(1, 4), whole_text()))

    assert [markup.covered(item) for item in markup.fragments] == ["👩‍🏫", ""]


def test_reading_order_is_outer_before_inner_whole_text_last_and_equal_spans_as_given():
    first, second = fragment(2, 4, "А.орф"), fragment(2, 4, "А.пункт")
    inner, outer, whole = fragment(0, 1), fragment(0, 9), whole_text()

    ordered = in_reading_order([whole, first, second, inner, outer])

    assert ordered == [outer, inner, first, second, whole]


@given(texts().flatmap(markups))
@settings(deadline=None, max_examples=examples(50))
def test_reading_order_is_stable_under_reordering_twice(markup):
    once = in_reading_order(markup.fragments)

    assert in_reading_order(once) == once
    assert sorted(map(repr, once)) == sorted(map(repr, markup.fragments))
