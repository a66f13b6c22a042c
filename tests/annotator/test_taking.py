from __future__ import annotations

from dataclasses import replace

import pytest

from annotator.core.validation import MAX_FRAGMENTS
from annotator.models import Assignment, FragmentRecord, MarkupRecord
from annotator.services.drafts import change_fragment
from annotator.services.markup import row_of
from annotator.services.refusals import MarkupConflict, MarkupHasProblems
from annotator.services.taking import Instead, take_fragments
from tests.review.thirds import AGREED, LEFT, RIGHT, thirds
from tests.strategies import fragment

pytestmark = pytest.mark.django_db


def take(desk, sources, instead_of=(), version=None):
    record = MarkupRecord.objects.get(pk=desk.record.pk)
    seen = record.version if version is None else version
    return take_fragments(
        record=record, version=seen, sources=sources, instead=Instead(frozenset(instead_of))
    )


def marks(desk):
    return list(desk.record.fragments.values_list("start", "end", "code", "taken_from"))


def version(desk):
    return MarkupRecord.objects.get(pk=desk.record.pk).version


def test_a_taken_fragment_is_a_copy_that_remembers_its_source():
    explained = replace(
        LEFT, subcode="выбор", comment="a", explanation="b", correction="c", tag="лекс1"
    )
    desk = thirds(first=(explained,))
    (source,) = desk.rows("first")

    (row,) = take(desk, [source])

    assert row.taken_from_id == source
    assert replace(row.to_core(), id=0) == explained
    assert (row.markup, version(desk)) == (desk.record, 1)


def test_taken_again_it_is_the_same_fragment_and_no_change():
    desk = thirds()
    source = desk.rows("first")[0]
    (row,) = take(desk, [source], version=0)

    again = take(desk, [source], version=0)  # the same request, sent once more

    assert (again, version(desk)) == ([], 1)
    assert [each.pk for each in desk.record.fragments.all()] == [row.pk]


def test_several_fragments_are_taken_as_one_change():
    desk = thirds()
    sources = [*desk.rows("first"), desk.rows("second")[2]]

    take(desk, sources)

    assert (version(desk), [each[3] for each in marks(desk)]) == (1, sources)


def test_the_other_side_of_a_pair_takes_the_place_of_an_untouched_copy():
    desk = thirds()
    left, right = desk.rows("first")[1], desk.rows("second")[1]
    take(desk, [left])

    take(desk, [right], instead_of=[left])

    assert marks(desk) == [(12, 17, "А.орф", right)]


def test_a_copy_that_was_changed_stays_beside_the_other_side():
    desk = thirds()
    left, right = desk.rows("first")[1], desk.rows("second")[1]
    (row,) = take(desk, [left])
    record = MarkupRecord.objects.get(pk=desk.record.pk)
    changed = replace(LEFT, comment="my own words")
    change_fragment(record=record, version=1, row=row, fragment=changed)

    take(desk, [right], instead_of=[left])

    assert marks(desk) == [(12, 17, "А.лекс", left), (12, 17, "А.орф", right)]


def test_a_changed_copy_still_knows_its_source():
    desk = thirds()
    source = desk.rows("first")[1]
    (row,) = take(desk, [source])

    record = MarkupRecord.objects.get(pk=desk.record.pk)
    change_fragment(record=record, version=1, row=row, fragment=fragment(12, 22, "А.орф"))

    assert marks(desk) == [(12, 22, "А.орф", source)]


def test_a_tag_stays_where_it_links_what_it_linked_and_is_new_where_it_would_link_others():
    one = [replace(AGREED, tag="т1"), replace(LEFT, tag="т1")]
    two = [replace(AGREED, tag="т1"), replace(RIGHT, subcode="гл", tag="т1")]
    desk = thirds(first=(*one,), second=(*two,))
    (a, b), (c, d) = desk.rows("first"), desk.rows("second")

    take(desk, [a])
    take(desk, [d])
    take(desk, [b, c])

    tags = dict(desk.record.fragments.values_list("taken_from", "tag"))
    assert tags == {a: "т1", b: "т1", c: "гл1", d: "гл1"}


def test_a_stale_version_takes_nothing():
    desk = thirds()
    MarkupRecord.objects.filter(pk=desk.record.pk).update(version=3)

    with pytest.raises(MarkupConflict):
        take(desk, [desk.rows("first")[0]], version=2)

    assert (marks(desk), version(desk)) == ([], 3)


def not_given(desk):
    Assignment.objects.filter(pk=desk.record.assignment_id).update(state="withdrawn")


def not_third(desk):
    MarkupRecord.objects.filter(pk=desk.record.pk).update(third=False)


def reopened(desk):
    MarkupRecord.objects.filter(pk=desk.first.pk).update(state="draft", submitted_at=None)


@pytest.mark.parametrize("change", [not_given, not_third, reopened])
def test_what_may_not_be_seen_is_not_taken(change):
    desk = thirds()
    change(desk)

    with pytest.raises(MarkupConflict, match="gone"):
        take(desk, [desk.rows("first")[0]])

    assert (marks(desk), version(desk)) == ([], 0)


def test_a_third_expert_who_marks_blindly_takes_nothing():
    desk = thirds(blind_first=True)

    with pytest.raises(MarkupConflict, match="gone"):
        take(desk, [desk.rows("first")[0]])


@pytest.mark.parametrize("number", [0, 10**18])
def test_a_fragment_of_another_essay_is_not_taken(number):
    desk, other = thirds(), thirds()

    for wrong in (number, other.rows("first")[0]):
        with pytest.raises(MarkupConflict, match="gone"):
            take(desk, [desk.rows("first")[0], wrong])

    assert marks(desk) == []


def test_a_markup_does_not_grow_beyond_its_limit():
    desk = thirds()
    own = [row_of(desk.record, AGREED) for _ in range(MAX_FRAGMENTS - 2)]
    FragmentRecord.objects.bulk_create(own)

    with pytest.raises(MarkupHasProblems, match="at most 1000"):
        take(desk, desk.rows("first"))
    take(desk, desk.rows("first")[:2])

    assert desk.record.fragments.count() == MAX_FRAGMENTS


def test_a_copy_outlives_its_source():
    desk = thirds()
    source = desk.rows("first")[0]
    take(desk, [source])

    FragmentRecord.objects.filter(pk=source).delete()

    assert marks(desk) == [(0, 4, "А.грамм", None)]
