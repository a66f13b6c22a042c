"""What a step makes of a draft, and how it is taken back."""

from __future__ import annotations

import json
from itertools import pairwise
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.core.changes import (
    Change,
    Draft,
    Edit,
    Misfit,
    Placed,
    Reasoned,
    Restated,
    Ruled,
    apply,
    difference,
    from_json,
    inverse,
    to_json,
)
from annotator.core.values import Fragment, Span
from tests.strategies import POINTS, fragments

UIDS = st.integers(1, 6).map(lambda number: UUID(int=number))
PLACED = st.builds(Placed, fragments(40), st.none() | st.integers(1, 9))
DRAFTS = st.builds(Draft, st.dictionaries(UIDS, PLACED, max_size=6), POINTS)

THIS, OTHER = UUID(int=1), UUID(int=2)
MARK = Placed(Fragment(Span(0, 3), "А.лекс"))
CHANGED = Placed(Fragment(Span(0, 4), "А.лекс"))


@given(DRAFTS, DRAFTS)
def test_the_difference_of_two_drafts_leads_from_one_to_the_other_and_back(before, after):
    change = difference(before, after)

    assert apply(before, change) == after
    assert apply(after, inverse(change)) == before


@given(st.lists(DRAFTS, min_size=2, max_size=8))
def test_many_steps_taken_back_in_turn_give_the_first_draft(drafts):
    steps = [difference(one, next_) for one, next_ in pairwise(drafts)]

    draft = drafts[0]
    for step in steps:
        draft = apply(draft, step)
    for step in reversed(steps):
        draft = apply(draft, inverse(step))

    assert draft == drafts[0]


@given(DRAFTS, DRAFTS)
def test_a_change_comes_back_from_json_as_it_was(before, after):
    change = difference(before, after)

    assert from_json(json.loads(json.dumps(to_json(change)))) == change


RULED = (Ruled(7, Span(0, 3), before=False, after=True), Ruled(9, None, before=True, after=False))


def test_what_was_ruled_comes_back_from_json_and_is_taken_back():
    change = Change(ruled=RULED)

    assert from_json(json.loads(json.dumps(to_json(change)))) == change
    assert inverse(change).ruled == (
        Ruled(7, Span(0, 3), before=True, after=False),
        Ruled(9, None, before=False, after=True),
    )
    assert inverse(inverse(change)) == change


def test_a_reason_comes_back_from_json_and_is_taken_back():
    change = Change(reasons=(Reasoned(7, Span(0, 3), "", "why"), Reasoned(9, None, "so", "")))

    assert from_json(json.loads(json.dumps(to_json(change)))) == change
    assert inverse(change).reasons == (
        Reasoned(7, Span(0, 3), "why", ""),
        Reasoned(9, None, "", "so"),
    )
    assert inverse(inverse(change)) == change


@given(DRAFTS)
def test_a_draft_differs_from_itself_in_nothing(draft):
    assert difference(draft, draft) == Change()


@pytest.mark.parametrize(
    ("draft", "edit"),
    [
        (Draft({THIS: CHANGED}), Edit(THIS, MARK, None)),
        (Draft(), Edit(THIS, MARK, CHANGED)),
        (Draft({THIS: MARK}), Edit(THIS, None, CHANGED)),
    ],
    ids=["changed since", "gone since", "there already"],
)
def test_a_draft_that_is_not_as_the_change_saw_it_is_a_misfit(draft, edit):
    with pytest.raises(Misfit):
        apply(draft, Change((edit,)))


def test_a_change_of_one_mark_does_not_mind_the_others():
    draft = Draft({THIS: MARK, OTHER: MARK})

    assert apply(draft, Change((Edit(THIS, MARK, CHANGED),))) == Draft({THIS: CHANGED, OTHER: MARK})


def test_points_that_were_stated_otherwise_since_are_a_misfit():
    with pytest.raises(Misfit):
        apply(Draft(stated={"K1": 2}), Change(restated=Restated({"K1": 1}, {"K1": 3})))
