"""A markup that takes the place of a draft's: one change, and who is the same stays it."""

from __future__ import annotations

from itertools import count
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from annotator.core.changes import Change, Draft, Edit, Placed, Restated, apply, inverse
from annotator.core.loading import replacing
from annotator.core.values import Fragment, Span
from tests.strategies import POINTS, fragments

ONE, TWO = UUID(int=1), UUID(int=2)
PLACED = st.builds(Placed, fragments(12), st.none() | st.integers(1, 9))
DRAFTS = st.builds(
    Draft, st.dictionaries(st.integers(1, 6).map(lambda at: UUID(int=at)), PLACED), POINTS
)


def names():
    """Names no mark of a test has."""
    counter = count(100)
    return lambda: UUID(int=next(counter))


def values(draft):
    return sorted(repr(placed.fragment).partition(", id=")[0] for placed in draft.marks.values())


@given(DRAFTS, st.lists(fragments(12), max_size=8), POINTS)
def test_after_it_the_draft_has_these_fragments_and_it_can_be_taken_back(draft, wanted, stated):
    change = replacing(draft, wanted, stated, names())

    after = apply(draft, change)
    assert values(after) == sorted(repr(each).partition(", id=")[0] for each in wanted)
    assert dict(after.stated) == {**draft.stated, **stated}
    assert apply(after, inverse(change)) == draft


@given(DRAFTS)
def test_what_a_draft_has_already_changes_nothing(draft):
    own = [placed.fragment for placed in reversed(draft.marks.values())]

    assert replacing(draft, own, {}, names()) == Change()


@given(DRAFTS, st.lists(fragments(12), max_size=8))
def test_no_more_marks_are_new_than_places_and_codes_are(draft, wanted):
    after = apply(draft, replacing(draft, wanted, {}, names()))

    def keys(marks):
        return [(each.span, each.code.strip().casefold()) for each in marks]

    had = keys(placed.fragment for placed in draft.marks.values())
    stay = sum(min(had.count(key), keys(wanted).count(key)) for key in set(had))
    assert len(after.marks.keys() & draft.marks.keys()) == stay


def test_a_mark_whose_words_changed_stays_itself_with_its_number_and_source():
    mark = Fragment(Span(0, 4), "А.лекс", comment="old", id=7)
    draft = Draft({ONE: Placed(mark, 3)}, {"K1": 2})
    new = Fragment(Span(0, 4), "А.лекс", "subcode", comment="new", id=1)
    other = Fragment(Span(5, 9), "А.лекс", id=2)

    change = replacing(draft, [other, new], {"K1": 3}, lambda: TWO)

    assert change == Change(
        (Edit(ONE, Placed(mark, 3), Placed(new, 3)), Edit(TWO, None, Placed(other))),
        Restated({"K1": 2}, {"K1": 3}),
    )
    assert [edit.after.fragment.id for edit in change.edits] == [7, 0]
