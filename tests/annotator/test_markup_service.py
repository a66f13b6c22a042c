from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from annotator.core.values import Fragment, Kind, MarkedFile, Markup, Meta, Span
from annotator.models import Assignment, FragmentRecord, MarkupRecord
from annotator.services.drafts import (
    add_fragment,
    change_fragment,
    delete_fragment,
    open_draft,
    state_criteria,
)
from annotator.services.markup import send_markup, store_markup, submit_markup
from annotator.services.refusals import MarkupConflict, MarkupHasProblems
from annotator.signals import markup_submitted
from tests.factories import (
    TEXT,
    AssignmentFactory,
    DraftFactory,
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
    RuleSetFactory,
)
from tests.strategies import fragment
from web.client_keys import ClientKey

pytestmark = pytest.mark.django_db

THINK = fragment(12, 17, "А.лекс")


@pytest.fixture
def announced():
    heard = []

    def listen(markup_id, **_):
        heard.append(markup_id)

    markup_submitted.connect(listen)
    yield heard
    markup_submitted.disconnect(listen)


def add(record, fragment=THINK, version=None, uid=None):
    return add_fragment(
        record=record,
        version=record.version if version is None else version,
        uid=uid or uuid.uuid4(),
        fragment=fragment,
    )


def send(essay, participant, *fragments, key=None):
    return send_markup(
        essay=essay,
        author=participant,
        file=MarkedFile(Meta(), Markup(essay.text, fragments)),
        client_key=ClientKey(key, "0") if key else None,
    )


def test_a_draft_is_opened_once():
    assignment = AssignmentFactory(role=Assignment.Role.THIRD)

    record, again = open_draft(assignment=assignment), open_draft(assignment=assignment)

    assignment.refresh_from_db()
    assert record == again
    assert (record.author, record.third, assignment.state) == (assignment.expert, True, "working")


def test_a_fragment_is_stored_as_it_was_given():
    record = DraftFactory()
    given = Fragment(
        Span(0, 11), "А.запас", "син", "мало слов", "три раза people", "Many people", "син1"
    )

    row = add(record, given)

    assert row.to_core() == given
    assert MarkupRecord.objects.get().to_core() == Markup(TEXT, (given,))


def test_a_mistake_of_the_whole_text_has_no_bounds():
    record = DraftFactory()

    row = add(record, Fragment(None, "А.запас", kind=Kind.MISTAKE))

    assert (row.start, row.end, row.to_core().span) == (None, None, None)


def test_the_same_request_sent_twice_makes_one_fragment():
    record, uid = DraftFactory(), uuid.uuid4()

    first = add(record, version=0, uid=uid)
    second = add(record, version=0, uid=uid)

    assert first == second
    assert (record.fragments.count(), MarkupRecord.objects.get().version) == (1, 1)


def test_a_change_of_a_mark_that_changed_since_is_a_conflict_and_changes_nothing():
    record = DraftFactory()
    row = add(record)
    seen = record.version
    change_fragment(record=record, version=seen, row=row, fragment=fragment(12, 22, "А.грамм"))
    now = FragmentRecord.objects.get().to_core()

    with pytest.raises(MarkupConflict):
        change_fragment(record=record, version=seen, row=row, fragment=fragment(0, 4, "А.лекс"))

    assert (FragmentRecord.objects.get().to_core(), MarkupRecord.objects.get().version) == (now, 2)


def test_a_fragment_keeps_its_number_when_it_changes():
    record = DraftFactory()
    row = add(record)
    changed = fragment(12, 22, "А.грамм", correction="thinks that")

    after = change_fragment(record=record, version=record.version, row=row, fragment=changed)

    assert (after.pk, after.uid) == (row.pk, row.uid)
    assert FragmentRecord.objects.get().to_core() == changed


def test_a_deleted_fragment_is_gone():
    record = DraftFactory()
    row = add(record)

    delete_fragment(record=record, version=record.version, row=row)

    assert list(record.fragments.all()) == []


def test_stated_points_stand_beside_the_markup():
    record = DraftFactory()

    state_criteria(record=record, version=0, stated={"K3": 2})

    assert MarkupRecord.objects.get().stated == {"K3": 2}


def test_a_submission_closes_the_draft_and_the_assignment_and_is_announced(announced):
    record = DraftFactory()
    add(record)

    submit_markup(record=record, version=record.version)

    stored = MarkupRecord.objects.select_related("assignment").get()
    assert (stored.state, stored.assignment.state) == ("submitted", "submitted")
    assert stored.submitted_at is not None
    assert announced == [record.pk]


def test_a_second_submission_is_the_same_submission(announced):
    record = DraftFactory()
    submit_markup(record=record, version=0)
    before = MarkupRecord.objects.get().submitted_at

    submit_markup(record=record, version=0)

    assert MarkupRecord.objects.get().submitted_at == before
    assert announced == [record.pk]


def test_a_submitted_markup_cannot_be_changed():
    record = DraftFactory()
    submit_markup(record=record, version=0)

    with pytest.raises(MarkupConflict):
        add(record, version=MarkupRecord.objects.get().version)

    assert list(record.fragments.all()) == []


def test_a_markup_with_blocking_problems_stays_a_draft(announced):
    record = DraftFactory()
    add(record, Fragment(Span(0, 4), "ИСП"))

    with pytest.raises(MarkupHasProblems) as refused:
        submit_markup(record=record, version=record.version)

    assert [problem.code for problem in refused.value.problems] == ["empty-correction"]
    assert (MarkupRecord.objects.get().state, announced) == ("draft", [])


@pytest.mark.parametrize(("allowed", "state"), [(False, "draft"), (True, "submitted")])
def test_fragments_may_cross_where_the_rules_allow_it(allowed, state):
    rules = RuleSetFactory(allow_crossing=allowed)
    essay = EssayFactory(essay_set=EssaySetFactory(rules=rules))
    record = DraftFactory(assignment=AssignmentFactory(essay=essay))
    add(record, fragment(0, 11))
    add(record, fragment(5, 17))

    if allowed:
        submit_markup(record=record, version=record.version)
    else:
        with pytest.raises(MarkupHasProblems):
            submit_markup(record=record, version=record.version)

    assert MarkupRecord.objects.get().state == state


def test_a_sent_markup_supersedes_the_earlier_one(announced):
    essay, participant = EssayFactory(), PersonFactory(role="participant")
    first, _new = send(essay, participant, THINK)

    second, is_new = send(essay, participant, THINK, fragment(0, 4))

    first.refresh_from_db()
    assert (first.state, second.state, is_new) == ("superseded", "submitted", True)
    assert second.to_core() == Markup(TEXT, (THINK, fragment(0, 4)))
    assert announced == [first.pk, second.pk]


def test_a_superseded_markup_keeps_the_time_it_was_submitted(announced):
    essay, participant = EssayFactory(), PersonFactory(role="participant")
    first, _new = send(essay, participant, THINK)
    earlier = timezone.now() - timedelta(days=2)
    MarkupRecord.objects.filter(pk=first.pk).update(submitted_at=earlier)

    second, _new = send(essay, participant)

    first.refresh_from_db()
    second.refresh_from_db()
    assert first.submitted_at == earlier
    assert earlier < first.superseded_at <= second.submitted_at
    assert second.superseded_at is None
    assert announced == [first.pk, second.pk]


def test_a_draft_that_is_superseded_was_never_submitted():
    record = DraftFactory()

    store_markup(
        essay=record.essay,
        author=record.author,
        source="expert",
        file=MarkedFile(record.essay.meta(), Markup(TEXT)),
    )

    record.refresh_from_db()
    assert (record.state, record.submitted_at) == ("superseded", None)
    assert record.superseded_at is not None


def test_a_key_used_twice_is_one_submission(announced):
    essay, participant = EssayFactory(), PersonFactory(role="participant")
    first, _new = send(essay, participant, THINK, key="run-1")

    again, is_new = send(essay, participant, fragment(0, 4), key="run-1")

    assert (again, is_new) == (first, False)
    assert again.to_core() == Markup(TEXT, (THINK,))
    assert announced == [first.pk]


def test_a_key_of_another_essay_is_a_conflict():
    participant = PersonFactory(role="participant")
    send(EssayFactory(), participant, key="run-1")

    with pytest.raises(MarkupConflict):
        send(EssayFactory(), participant, key="run-1")


def test_two_participants_may_use_the_same_key():
    essay = EssayFactory()
    one, _ = send(essay, PersonFactory(role="participant"), key="run-1")
    other, is_new = send(essay, PersonFactory(role="participant"), key="run-1")

    assert (one != other, is_new) == (True, True)


def test_a_refused_markup_leaves_the_earlier_one_in_place():
    essay, participant = EssayFactory(), PersonFactory(role="participant")
    first, _ = send(essay, participant, THINK)

    with pytest.raises(MarkupHasProblems):
        send(essay, participant, Fragment(Span(0, 4), "Я.выдумал"))

    assert [record.state for record in essay.markups.all()] == ["submitted"]
    assert essay.markups.get() == first


def test_more_fragments_than_words_are_refused():
    essay, participant = EssayFactory(), PersonFactory(role="participant")

    with pytest.raises(MarkupHasProblems, match="1000"):
        send(essay, participant, *[THINK] * 1001)
