"""Which rows pass a filter."""

import pytest

from annotator.core.values import Fragment, Markup, Span
from compare.core.filters import Filter, filter_of, kinds_of
from compare.core.matcher import match
from compare.core.rows import State, rows

LEFT = (
    Fragment(Span(0, 4), "А.лекс"),
    Fragment(Span(5, 9), "А.грамм"),
    Fragment(Span(10, 14), "А.лог"),
)
RIGHT = (
    Fragment(Span(0, 4), "А.лекс"),
    Fragment(Span(5, 9), "А.лекс"),
    Fragment(Span(20, 24), "А.орф"),
)
COMPARISON = match(Markup("x" * 30, LEFT), Markup("x" * 30, RIGHT))
EVERYTHING = [State.SAME, State.CODE, State.ONLY_LEFT, State.ONLY_RIGHT]


@pytest.mark.parametrize(
    ("kinds", "codes", "left_over"),
    [
        ([], [], EVERYTHING),
        (["code"], [], [State.CODE]),
        (["code", "same"], [], [State.SAME, State.CODE]),
        (["borders"], [], []),
        ([], ["А.лекс"], [State.SAME, State.CODE]),
        ([], [" а.ЛЕКС "], [State.SAME, State.CODE]),
        ([], ["А.грамм"], [State.CODE]),
        ([], ["А.лог", "А.орф"], [State.ONLY_LEFT, State.ONLY_RIGHT]),
        (["only_left"], ["А.орф"], []),
        (["nonsense", ""], ["", " "], EVERYTHING),
    ],
)
def test_rows_of_the_kinds_and_with_the_codes_are_kept(kinds, codes, left_over):
    chosen = filter_of(kinds, codes)

    kept = [row.state for row in rows(COMPARISON) if chosen.keeps(COMPARISON, row)]

    assert kept == left_over


def test_a_kind_and_a_code_are_put_in_and_taken_out_again():
    empty = Filter()
    both = empty.with_kind(State.CODE).with_code("А.лекс")

    assert both == Filter(frozenset({State.CODE}), frozenset({"а.лекс"}))
    assert both.with_kind(State.CODE).with_code("а.ЛЕКС") == empty


def test_kinds_are_counted_those_without_a_row_too():
    assert kinds_of(rows(COMPARISON)) == {
        State.SAME: 1,
        State.CODE: 1,
        State.BORDERS: 0,
        State.SUBCODE: 0,
        State.CORRECTION: 0,
        State.ONLY_LEFT: 1,
        State.ONLY_RIGHT: 1,
    }
