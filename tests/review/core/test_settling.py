from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from annotator.core.values import Markup
from review.core.settling import Decisions, Outcome, pairs, settled
from tests.strategies import fragment, markups, whole_text

TEXT = "Some people think that sport unite people."


def numbered(fragments, first):
    return tuple(replace(each, id=number) for number, each in enumerate(fragments, first))


def outcomes(earlier, third, **decisions):
    sides = Markup(TEXT, tuple(earlier)), Markup(TEXT, tuple(third))
    found = settled(*sides, Decisions(**decisions))
    return [
        (each.outcome.value, each.earlier, each.third, [state.value for state in each.differences])
        for each in found
    ]


def test_every_fragment_has_its_outcome_in_reading_order():
    earlier = [fragment(12, 17, "А.лекс"), fragment(0, 4), fragment(29, 34), whole_text("А.абз")]
    earlier = numbered(earlier, 1)
    third = [fragment(0, 4), fragment(12, 22, "А.орф"), fragment(35, 41)]

    assert outcomes(earlier, third, decided=frozenset({1, 2, 3})) == [
        ("kept", 1, 0, []),
        ("changed", 0, 1, ["code", "borders"]),
        ("dropped", 2, None, []),
        ("added", None, 2, []),
        ("undecided", 3, None, []),
    ]


def test_a_pair_is_decided_about_as_a_whole():
    first = Markup(TEXT, numbered([fragment(0, 4), fragment(29, 34)], 1))
    second = Markup(TEXT, numbered([fragment(12, 17), fragment(0, 4)], 11))

    assert pairs(first, second) == [{1, 12}, {11}, {2}]


def test_a_subcode_and_a_correction_are_changes_and_a_comment_is_none():
    earlier = [fragment(0, 4, subcode="сог", comment="a"), fragment(5, 11, correction="man")]
    third = [fragment(0, 4, subcode="множ", comment="b"), fragment(5, 11, correction="men")]

    assert outcomes(earlier, third) == [
        ("changed", 0, 0, ["subcode"]),
        ("changed", 1, 1, ["correction"]),
    ]
    assert outcomes([fragment(0, 4, comment="a")], [fragment(0, 4, comment="b")]) == [
        ("kept", 0, 0, [])
    ]


def test_what_was_settled_as_neither_is_dropped_however_near_another_mark_lies():
    earlier = numbered([fragment(0, 4), fragment(12, 17)], 1)
    third = numbered([fragment(0, 11, "А.орф"), fragment(12, 17)], 11)
    both = frozenset({1, 2})

    assert outcomes(earlier, third, dropped=both, decided=both) == [
        ("added", None, 0, []),
        ("dropped", 0, None, []),
        ("dropped", 1, None, []),
        ("added", None, 1, []),
    ]


def test_a_copy_stands_for_its_source_wherever_it_was_moved_to():
    earlier = numbered([fragment(0, 4)], 1)
    third = numbered([fragment(0, 4, "А.орф"), fragment(29, 34)], 11)

    assert outcomes(earlier, third, taken={1: 12}, decided=frozenset({1})) == [
        ("changed", 0, 1, ["borders"]),
        ("added", None, 0, []),
    ]


def test_of_two_empty_markups_nothing_is_said():
    assert settled(Markup(TEXT), Markup(TEXT), Decisions()) == ()


@given(st.data())
def test_every_fragment_of_either_markup_appears_once(data):
    earlier = data.draw(markups())
    third = data.draw(markups(text=earlier.text)) if data.draw(st.booleans()) else earlier

    found = settled(earlier, third, Decisions())

    ours = sorted(each.earlier for each in found if each.earlier is not None)
    theirs = sorted(each.third for each in found if each.third is not None)
    assert ours == list(range(len(earlier.fragments)))
    assert theirs == list(range(len(third.fragments)))
    if third is earlier:
        assert {each.outcome for each in found} <= {Outcome.KEPT}
