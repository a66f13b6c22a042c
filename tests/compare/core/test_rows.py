"""Rows of the two-column page and totals by code."""

from collections import Counter

import pytest
from hypothesis import given

from annotator.core.values import Fragment, Markup, Span
from compare.core.comparison import Loss
from compare.core.matcher import match
from compare.core.rows import Row, State, Total, differences, rows, totals
from tests.compare.core.peers import crowded

SAME = Loss(0.0, apart=False, begin=False, code=False)


def marked(start, end, code="а", **fields):
    return Fragment(Span(start, end), code, **fields)


def compared(left, right):
    text = "x" * 40
    return match(Markup(text, tuple(left)), Markup(text, tuple(right)))


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, ()),
        ({"code": " ИСП"}, ()),
        ({"code": "а"}, (State.CODE,)),
        ({"span": Span(1, 5)}, (State.BORDERS,)),
        ({"span": Span(0, 4)}, (State.BORDERS,)),
        ({"span": None}, (State.BORDERS,)),
        ({"subcode": "S "}, ()),
        ({"subcode": ""}, (State.SUBCODE,)),
        ({"correction": " to\nbe"}, ()),
        ({"correction": "To be"}, (State.CORRECTION,)),
        ({"correction": ""}, (State.CORRECTION,)),
        ({"comment": "why", "explanation": "so", "tag": "1"}, ()),
        (
            {"code": "а", "span": Span(0, 1), "subcode": "t", "correction": "be"},
            (State.CODE, State.BORDERS, State.SUBCODE, State.CORRECTION),
        ),
    ],
)
def test_differences_are_listed_gravest_first(fields, expected):
    fragment = {"span": Span(0, 5), "code": "исп", "subcode": "s", "correction": "to be"}

    assert differences(Fragment(**fragment), Fragment(**{**fragment, **fields})) == expected


def test_rows_stand_in_reading_order_with_whole_text_last():
    left = [Fragment(None, "А.уров"), marked(20, 30), marked(5, 9), marked(33, 34)]
    right = [marked(3, 9), marked(20, 30), Fragment(None, "А.уров"), marked(4, 5, "б")]

    begin = Loss(1 / 3, apart=False, begin=True, code=False)
    assert rows(compared(left, right)) == (
        Row(2, 0, begin, (State.BORDERS,)),
        Row(None, 3, None, (State.ONLY_RIGHT,)),
        Row(1, 1, SAME, ()),
        Row(3, None, None, (State.ONLY_LEFT,)),
        Row(0, 2, SAME, ()),
    )


def test_rows_that_begin_together_go_from_longest_to_shortest_then_from_left_to_right():
    left = [marked(0, 3, "б"), marked(0, 20, "в"), marked(7, 9, "г")]
    right = [marked(0, 3, "б"), marked(0, 10, "а"), marked(8, 9, "д"), marked(7, 9, "е")]

    places = [(row.left, row.right) for row in rows(compared(left, right))]

    assert places == [(1, 1), (0, 0), (2, 3), (None, 2)]


@pytest.mark.parametrize(
    ("row", "state"),
    [
        (Row(0, 0, SAME, ()), State.SAME),
        (Row(0, 0, SAME, (State.CODE, State.BORDERS)), State.CODE),
        (Row(0, 0, SAME, (State.SUBCODE, State.CORRECTION)), State.SUBCODE),
        (Row(None, 0, None, (State.ONLY_RIGHT,)), State.ONLY_RIGHT),
    ],
)
def test_state_of_a_row_is_its_gravest_difference(row, state):
    assert row.state is state


@given(crowded(8), crowded(8))
def test_rows_hold_every_pair_and_every_fragment_alone_once(left, right):
    comparison = match(left, right)

    found = Counter((row.left, row.right, row.loss) for row in rows(comparison))
    assert found == Counter(
        [
            *((pair.left, pair.right, pair.loss) for pair in comparison.pairs),
            *((index, None, None) for index in comparison.only_left),
            *((None, index, None) for index in comparison.only_right),
        ]
    )


def test_totals_count_pairs_and_fragments_alone_by_code():
    left = [marked(0, 5, "А"), marked(6, 9, "б"), marked(10, 12, "а"), Fragment(None, "в")]
    right = [marked(0, 5, "а"), marked(6, 9, "а"), marked(20, 22, "Б")]

    assert totals(compared(left, right)) == (
        Total("А", same=1, recoded=1, only_left=1, only_right=0),
        Total("б", same=0, recoded=1, only_left=0, only_right=1),
        Total("в", same=0, recoded=0, only_left=1, only_right=0),
    )


@given(crowded(8), crowded(8))
def test_totals_count_every_fragment_under_its_code(left, right):
    found = totals(match(left, right))

    fragments = len(left.fragments) + len(right.fragments)
    assert fragments == sum(
        2 * each.same + each.recoded + each.only_left + each.only_right for each in found
    )
