"""Every step of a draft is kept as a change, made once, and can be taken back from its log."""

from __future__ import annotations

import uuid

import pytest

from annotator.core.changes import Change, Draft, Edit, Placed, apply, inverse
from annotator.core.values import Fragment, Span
from annotator.models import MarkupRecord
from annotator.services.drafts import (
    add_fragment,
    change_fragment,
    delete_fragment,
    link_fragments,
    make,
    placed,
    state_criteria,
)
from annotator.services.markup import submit_markup
from annotator.services.refusals import MarkupConflict
from tests.factories import DraftFactory
from tests.strategies import fragment

pytestmark = pytest.mark.django_db

UID = uuid.UUID(int=7)


def now(record):
    return MarkupRecord.objects.get(pk=record.pk)


def draft_of(record):
    marks = {row.uid: placed(row) for row in record.fragments.all()}
    return Draft(marks, now(record).stated)


def steps(record):
    """One step of every kind, each given the version it meets."""
    first = add_fragment(record=record, version=0, uid=uuid.uuid4(), fragment=fragment(0, 4))
    second = add_fragment(record=record, version=1, uid=uuid.uuid4(), fragment=fragment(5, 11))
    change_fragment(
        record=record, version=2, row=first, fragment=Fragment(Span(0, 11), "А.лекс", comment="b")
    )
    first.refresh_from_db()
    link_fragments(record=record, version=3, first=first.pk, second=second.pk)
    state_criteria(record=record, version=4, stated={"K3": 2, "K4": (1, 2)})
    second.refresh_from_db()
    delete_fragment(record=record, version=5, row=second)


def test_the_log_leads_from_the_empty_draft_to_the_present_one_and_back():
    record = DraftFactory()

    steps(record)
    log = [row.to_core() for row in record.changes.all()]

    made = Draft()
    for change in log:
        made = apply(made, change)
    undone = made
    for change in reversed(log):
        undone = apply(undone, inverse(change))
    assert made == Draft(draft_of(record).marks, {"K3": 2, "K4": (1, 2)})
    assert undone == Draft()
    assert list(record.changes.values_list("version", flat=True)) == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("version", [0, 1], ids=["of the same version", "of the next one"])
def test_a_change_sent_again_is_made_once(version):
    record = DraftFactory()
    change = Change((Edit(uuid.UUID(int=1), None, Placed(fragment(0, 4))),))

    made = make(record=now(record), version=0, uid=UID, change=change)
    again = make(record=now(record), version=version, uid=UID, change=change)

    assert (made, again) == (True, False)
    assert (record.fragments.count(), now(record).version, record.changes.count()) == (1, 1, 1)


def test_a_change_of_an_old_version_leaves_no_trace():
    record = DraftFactory()
    row = add_fragment(record=record, version=0, uid=uuid.uuid4(), fragment=fragment(0, 4))
    change_fragment(record=record, version=1, row=row, fragment=fragment(0, 4, comment="theirs"))

    with pytest.raises(MarkupConflict):
        change_fragment(record=now(record), version=1, row=row, fragment=fragment(0, 6), uid=UID)

    assert [each.comment for each in record.fragments.all()] == ["theirs"]
    assert record.changes.count() == 2


def test_a_deletion_that_is_sent_again_deletes_nothing_else():
    record = DraftFactory()
    row = add_fragment(record=record, version=0, uid=uuid.uuid4(), fragment=fragment(0, 4))
    add_fragment(record=record, version=1, uid=uuid.uuid4(), fragment=fragment(5, 11))

    for _ in range(2):
        delete_fragment(record=now(record), version=2, row=row, uid=UID)

    assert [each.start for each in record.fragments.all()] == [5]
    assert now(record).version == 3


def test_the_submission_is_the_last_step_of_the_log():
    record = DraftFactory()
    add_fragment(record=record, version=0, uid=UID, fragment=fragment(0, 4))

    submit_markup(record=record, version=1)

    made = Change((Edit(UID, None, Placed(fragment(0, 4))),))
    log = [(row.version, row.to_core()) for row in record.changes.all()]
    assert log == [(1, made), (2, Change())]
