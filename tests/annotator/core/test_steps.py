"""What two steps both touch, and where undoing stands after a log."""

from __future__ import annotations

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
)
from annotator.core.steps import (
    RULINGS,
    Step,
    Undoable,
    backwards,
    meet,
    rebased,
    touched,
    undoable,
)
from annotator.core.values import Fragment, Span
from tests.annotator.core.test_changes import DRAFTS

MADE, UNDONE, REDONE, ASIDE, FIXED = Step
THIS = UUID(int=1)
MARK = Placed(Fragment(Span(0, 3), "А.лекс"))


@pytest.mark.parametrize(
    ("steps", "done", "undone"),
    [
        ([], (), ()),
        ([MADE, MADE], (1, 2), ()),
        ([MADE, MADE, UNDONE], (1,), (3,)),
        ([MADE, MADE, UNDONE, UNDONE], (), (3, 4)),
        ([MADE, MADE, UNDONE, UNDONE, REDONE], (5,), (3,)),
        ([MADE, MADE, UNDONE, UNDONE, REDONE, REDONE, UNDONE], (5,), (7,)),
        ([MADE, MADE, UNDONE, MADE], (1, 4), ()),
        ([MADE, ASIDE, UNDONE, ASIDE], (), (3,)),
        ([MADE, UNDONE, FIXED, MADE], (4,), ()),
    ],
)
def test_undoing_stands_where_the_log_has_left_it(steps, done, undone):
    log = list(enumerate(steps, start=1))

    found = undoable(log)
    assert (found.done, found.undone) == (done, undone)


def test_what_is_undone_and_made_again_is_the_change_that_was_made_first():
    log = list(enumerate([MADE, MADE, UNDONE, UNDONE, REDONE], start=1))

    assert undoable(log) == Undoable((5,), (3,), {5: 1, 3: 2})


@given(DRAFTS, DRAFTS)
def test_a_step_touches_the_fragments_and_the_points_that_differ(before, after):
    marks = {str(uid) for uid in {*before.marks, *after.marks}}
    changed = {
        name for name in marks if before.marks.get(UUID(name)) != after.marks.get(UUID(name))
    }
    points = {*before.stated, *after.stated}
    points = {name for name in points if before.stated.get(name) != after.stated.get(name)}

    found = {each for each in touched(difference(before, after)) if not each.startswith("of ")}
    assert found - {RULINGS} == changed | points


def test_a_step_touches_the_fragments_of_earlier_checks_it_is_about_or_else_all_rulings():
    taken = Placed(MARK.fragment, origin=4)

    assert touched(Change()) == {RULINGS}
    ruled = (Ruled(7, None, before=False, after=True),)
    assert touched(Change((Edit(THIS, taken, None),), ruled=ruled)) == {str(THIS), "of 7"}
    assert touched(Change(reasons=(Reasoned(8, None, "", "why"),))) == {"of 8"}
    assert touched(Change((Edit(THIS, None, taken),))) == {str(THIS), "of 4"}
    assert touched(Change((Edit(THIS, taken, None),))) == {str(THIS)}


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        ({"of 7"}, {"of 7"}, True),
        ({"of 7"}, {"of 4"}, False),
        ({"of 7"}, {RULINGS}, True),
        ({RULINGS}, {RULINGS}, True),
        ({RULINGS}, {str(THIS)}, False),
        ({str(THIS)}, {str(THIS), "of 7"}, True),
    ],
)
def test_changes_meet_over_what_both_name_and_one_without_names_meets_every_ruling(
    one, other, found
):
    assert meet(frozenset(one), frozenset(other)) is found
    assert meet(frozenset(other), frozenset(one)) is found


@given(st.dictionaries(st.sampled_from("abc"), st.integers(0, 3)), st.integers(4, 9))
def test_points_stated_anew_leave_the_others_as_they_became_meanwhile(meanwhile, value):
    change = Change(restated=Restated({}, {"a": value}))

    after = rebased(change, meanwhile).restated

    assert after == Restated(meanwhile, {**meanwhile, "a": value})


@given(DRAFTS, DRAFTS)
def test_a_change_is_taken_back_with_the_numbers_fragments_have_by_now(before, after):
    change = difference(before, after)

    back = backwards(change, after)

    assert apply(after, back) == before


def test_a_source_that_is_gone_keeps_nothing_from_being_undone():
    made = Change((Edit(THIS, None, Placed(MARK.fragment, origin=4)),))

    back = backwards(made, Draft({THIS: MARK}))

    assert back == Change((Edit(THIS, MARK, None),))


def test_what_was_changed_since_is_a_misfit():
    made = Change((Edit(THIS, None, MARK),))

    with pytest.raises(Misfit):
        backwards(made, Draft({THIS: Placed(Fragment(Span(0, 4), "А.лекс"))}))
