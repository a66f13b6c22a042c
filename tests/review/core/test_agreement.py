from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.core.values import Markup, Subject
from compare.core.matcher import match
from review.core.agreement import TOTAL, Kind, Question, Side, agreement, compared
from review.core.agreement_json import (
    agreement_from_json,
    agreement_to_json,
    pair_from_json,
    pair_to_json,
)
from scoring.core.criteria import grade
from tests.strategies import fragment, markups

TEXT = "Some people think that sport unite people, while others does not agree."
ENGLISH = Subject.ENGLISH


def pair_of(left, right, *, essay=1, experts=(1, 2), third=None, points=None):
    sides = tuple(
        Side(10 * essay + at, experts[at], grade(ENGLISH, each))
        for at, each in enumerate((left, right))
    )
    found = compared(match(left, right), sides, essay=essay, subject=ENGLISH, third=third)
    return replace(found, points=points) if points else found


def counted(*pairs):
    (found,) = agreement(pairs, random=Random(1))
    return found


def points(**changed):
    return {"K1": 3, "K2": 3, "K3": 3, "K4": 3, "K5": 2} | changed


@st.composite
def some_pairs(draw):
    text = draw(markups()).text
    made = st.builds(
        pair_of,
        markups(text=text),
        markups(text=text),
        essay=st.integers(1, 4),
        experts=st.sampled_from([(1, 2), (2, 1), (3, 1)]),
        third=st.sampled_from([None, True, False]),
    )
    return draw(st.lists(made, min_size=1, max_size=6))


def mirrored(pair):
    swap = {Kind.ONLY_LEFT: Kind.ONLY_RIGHT, Kind.ONLY_RIGHT: Kind.ONLY_LEFT}
    return replace(
        pair,
        markups=pair.markups[::-1],
        experts=pair.experts[::-1],
        points=pair.points[::-1],
        marks={kind: pair.marks[swap.get(kind, kind)] for kind in Kind},
        codes={code: (both, right, left) for code, (both, left, right) in pair.codes.items()},
    )


def test_marks_are_counted_by_their_gravest_difference():
    left = Markup(
        TEXT,
        (
            fragment(5, 11, "А.грамм", subcode="множ"),  # the same but for the subcode
            fragment(12, 17, "А.лекс"),  # another code
            fragment(23, 28, "А.орф"),  # other borders
            fragment(49, 55, "А.грамм"),  # nothing there
        ),
    )
    right = Markup(
        TEXT,
        (
            fragment(5, 11, "а.ГРАММ"),
            fragment(12, 17, "А.орф"),
            fragment(23, 29, "А.орф"),
            fragment(35, 41, "А.лекс"),
            fragment(56, 60, "А.лекс"),
        ),
    )
    pair = pair_of(left, right)

    assert pair.marks == {
        "agreed": 1,
        "code": 1,
        "borders": 1,
        "only_left": 1,
        "only_right": 2,
    }
    assert pair.codes == {
        "А.грамм": (1, 1, 0),
        "А.лекс": (0, 1, 2),
        "А.орф": (1, 0, 1),
    }
    assert pair.f1 == pytest.approx(2 * 2 / (4 + 5))


def test_gaps_are_signed_absolute_and_spread():
    empty = Markup(TEXT)
    found = counted(
        pair_of(empty, empty, essay=1, points=(points(), points(K1=1))),
        pair_of(empty, empty, essay=2, points=(points(K1=2), points())),
        pair_of(empty, empty, essay=3, points=(points(), points())),
    )
    k1, k2, *_, total = found.gaps

    assert (k1.criterion, k1.maximum, k1.n, k1.signed, k1.absolute) == ("K1", 3, 3, 1, 3)
    assert (k1.spread, k1.exact, k1.apart, k1.kappa) == ({-1: 1, 0: 1, 2: 1}, 1, 2, None)
    assert (k2.signed, k2.absolute, k2.exact) == (0, 0, 3)
    assert (total.criterion, total.maximum, total.spread) == (TOTAL, 14, {-1: 1, 0: 1, 2: 1})
    assert (found.essays, found.is_enough) == (3, False)


def test_equal_points_for_other_reasons_are_a_hidden_disagreement():
    one, other = Markup(TEXT, (fragment(5, 11),)), Markup(TEXT, (fragment(23, 28),))
    same = (points(), points())

    assert pair_of(one, other, points=same).is_hidden
    assert not pair_of(one, other, points=(points(), points(K1=2, K2=2))).is_hidden
    assert not pair_of(one, one, points=same).is_hidden
    assert not pair_of(Markup(TEXT), Markup(TEXT), points=same).is_hidden


def test_two_of_five_marks_in_common_are_just_no_hidden_disagreement():
    marks = [fragment(at, at + 1) for at in range(0, 16, 2)]
    same = (points(), points())
    one, other = Markup(TEXT, tuple(marks[:5])), Markup(TEXT, tuple(marks[3:8]))

    pair = pair_of(one, other, points=same)

    assert (pair.f1, pair.is_hidden) == (0.4, False)


def test_people_who_checked_the_same_essays_are_counted_together_whoever_was_first():
    empty = Markup(TEXT)
    found = counted(
        pair_of(empty, empty, essay=1, experts=(7, 3), points=(points(), points(K1=1)), third=True),
        pair_of(empty, empty, essay=2, experts=(3, 7), points=(points(), points()), third=False),
        pair_of(empty, empty, essay=3, experts=(3, 4), points=(points(), points())),
    )
    together, alone = found.experts

    assert (together.experts, together.pairs, together.exact) == ((3, 7), 2, 1)
    assert (together.signed, together.absolute, together.thirds) == (-2, 2, 1)
    assert (alone.experts, alone.pairs) == ((3, 4), 1)
    assert (found.thirds, found.decided) == (1, 2)


def test_codes_that_one_has_and_the_other_has_not_come_first():
    both = fragment(5, 11, "А.лекс")
    pair = pair_of(Markup(TEXT, (both, fragment(23, 28, "А.орф"))), Markup(TEXT, (both,)))

    assert [(each.code, each.alone, each.both) for each in counted(pair).codes] == [
        ("А.орф", 1, 0),
        ("А.лекс", 0, 1),
    ]


def test_subjects_are_never_mixed():
    english = pair_of(Markup(TEXT), Markup(TEXT))
    history = replace(
        english, subject=Subject.HISTORY, points=({"K1": 1}, {"K1": 0}), codes={}, essay=2
    )
    history = replace(
        history, points=tuple({f"K{n}": 0 for n in range(1, 8)} | each for each in history.points)
    )

    found = agreement([english, history], random=Random(1))

    assert [(each.subject, each.pairs) for each in found] == [
        (Subject.HISTORY, 1),
        (Subject.ENGLISH, 1),
    ]


@given(markups())
def test_a_markup_agrees_with_itself_in_everything(markup):
    found = counted(pair_of(markup, markup))

    assert found.marks == {
        "agreed": len(markup.fragments),
        "code": 0,
        "borders": 0,
        "only_left": 0,
        "only_right": 0,
    }
    assert [(gap.exact, gap.absolute) for gap in found.gaps] == [(1, 0)] * len(found.gaps)
    assert ({each.alone for each in found.codes} <= {0}, found.hidden) == (True, 0)


@given(some_pairs())
def test_what_is_kept_is_read_as_it_was(pairs):
    found = counted(*pairs)
    kept = json.loads(json.dumps([agreement_to_json(found), *map(pair_to_json, pairs)]))

    assert agreement_from_json(kept[0]) == found
    assert [pair_from_json(each) for each in kept[1:]] == pairs


@given(some_pairs())
def test_the_counts_are_the_same_from_the_other_side(pairs):
    one, other = counted(*pairs), counted(*map(mirrored, pairs))

    assert [(-each.signed, each.absolute, each.exact) for each in one.gaps] == [
        (each.signed, each.absolute, each.exact) for each in other.gaps
    ]
    assert one.experts == other.experts
    assert (one.hidden, one.thirds) == (other.hidden, other.thirds)
    assert sorted((each.code, each.both, each.only_right) for each in one.codes) == sorted(
        (each.code, each.both, each.only_left) for each in other.codes
    )


@given(some_pairs())
def test_every_number_is_made_of_the_pairs_that_are_asked_for(pairs):
    found = counted(*pairs)

    def kept(**asked):
        question = Question(subject=ENGLISH, **asked)
        return [pair for pair in pairs if question.keeps(pair)]

    for gap in found.gaps:
        for apart, count in gap.spread.items():
            assert len(kept(criterion=gap.criterion, gap=apart)) == count
        assert len(kept(criterion=gap.criterion, apart=True)) == gap.apart
        asked = kept(criterion=gap.criterion)
        assert sum(pair.gap(gap.criterion) for pair in asked) == gap.signed
    for kind, count in found.marks.items():
        assert sum(pair.marks[kind] for pair in kept(kind=Kind(kind))) == count
    for code in found.codes:
        for side, count in enumerate((code.both, code.only_left, code.only_right)):
            asked = kept(code=code.code, side=side)
            assert sum(pair.codes[code.code][side] for pair in asked) == count
    assert (len(kept(third=True)), len(kept(decided=True))) == (found.thirds, found.decided)
    for two in found.experts:
        assert len(kept(experts=frozenset(two.experts))) == two.pairs
    assert (len(kept(third=True)), len(kept(hidden=True))) == (found.thirds, found.hidden)
    assert (len(kept()), kept(criterion="K99")) == (found.pairs, [])
