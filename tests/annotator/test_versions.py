from __future__ import annotations

import uuid

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import AuditEntry
from annotator.models import Assignment, Essay, MarkupRecord
from annotator.models.changes import NotCarried
from annotator.queries.essays import LATEST
from annotator.services.drafts import add_fragment, open_draft
from annotator.services.markup import submit_markup
from annotator.services.refusals import MarkupConflict
from annotator.services.versions import (
    Replaced,
    correct_essay,
    dismiss_not_carried,
    replace_essay,
)
from review.models import Ruling
from tests.annotator.drafts import draft_of
from tests.factories import TEXT, AssignmentFactory, EssayFactory, PersonFactory, submitted
from tests.strategies import fragment, whole_text
from web.refusals import Conflict, Refused

pytestmark = pytest.mark.django_db

OTHER = TEXT.replace("sport unite people", "games unite people")
SAID = {
    "theme": "Sports",
    "task_text": "",
    "class_name": "11",
    "year": 2020,
    "category": "",
    "test": "",
}


@pytest.fixture
def actor():
    return PersonFactory(role="coordinator")


def replaced(essay, actor, text=OTHER, reason="A line was missing"):
    return replace_essay(essay=essay, text=text, reason=reason, actor=actor)


def test_what_is_said_of_an_essay_is_corrected_once_with_the_old_and_the_new(actor):
    essay = EssayFactory(theme="Sprots")

    done = [correct_essay(essay=essay, seen=0, actor=actor, values=SAID) for _ in range(2)]

    essay.refresh_from_db()
    assert (done, {name: getattr(essay, name) for name in SAID}) == ([True, False], SAID)
    ((action, details),) = AuditEntry.objects.values_list("action", "details")
    before = {"theme": "Sprots", "class_name": "", "year": None}
    after = {"theme": "Sports", "class_name": "11", "year": 2020}
    assert (action, details) == ("essay.corrected", {"before": before, "after": after})


def test_of_two_corrections_at_once_the_second_is_told(actor):
    essay = EssayFactory()
    correct_essay(essay=essay, seen=0, actor=actor, values=SAID)

    with pytest.raises(Conflict, match="Somebody corrected this essay meanwhile"):
        correct_essay(essay=essay, seen=0, actor=actor, values={**SAID, "year": 2021})


def test_a_new_version_has_the_number_and_closes_the_former_one(actor):
    essay = EssayFactory(number="7", theme="Sport", year=2020)

    done = replaced(essay, actor)

    essay.refresh_from_db()
    latest = done.essay
    assert (essay.closed_at is None, essay.replaced_because) == (False, "A line was missing")
    shared = ("essay_set_id", "number", "subject", "theme", "year")
    assert [getattr(latest, name) for name in shared] == [getattr(essay, name) for name in shared]
    assert (latest.version, latest.text, latest.uuid == essay.uuid) == (2, OTHER, False)
    assert list(Essay.objects.filter(LATEST)) == [latest]
    ((action, details),) = AuditEntry.objects.values_list("action", "details")
    counts = {"checks": 0, "kept": 0, "left": 0}
    told = {"former": essay.pk, "version": 2, "reason": "A line was missing", **counts}
    assert (action, details) == ("essay.replaced", told)


def test_the_same_version_sent_twice_is_made_once(actor):
    essay = draft_of(TEXT, fragment(0, 4), fragment(23, 28)).essay

    first, second = (replaced(essay, actor) for _ in range(2))

    assert second == first == Replaced(first.essay, checks=1, kept=1, left=1)
    assert Essay.objects.count() == 2


def test_the_same_version_sent_twice_is_told_also_where_the_trail_does_not_reach_so_far(actor):
    essay = EssayFactory()
    made = Essay.objects.filter(pk=essay.pk)
    made.update(closed_at=timezone.now(), replaced_because="A line was missing")
    latest = EssayFactory(essay_set=essay.essay_set, number=essay.number, version=2, text=OTHER)

    assert replaced(essay, actor) == Replaced(latest, checks=0, kept=0, left=0)


def test_of_two_versions_at_once_the_second_is_told(actor):
    essay = EssayFactory()
    replaced(essay, actor)

    with pytest.raises(Conflict, match="Somebody made version 2"):
        replaced(essay, actor, text="Quite another text.")


def test_the_same_text_is_no_version(actor):
    with pytest.raises(Refused, match="The text is the same"):
        replaced(EssayFactory(), actor, text=TEXT)


def test_two_latest_versions_of_a_number_cannot_be():
    essay = EssayFactory()

    with pytest.raises(IntegrityError), transaction.atomic():
        EssayFactory(essay_set=essay.essay_set, number=essay.number, version=2)


def test_the_number_of_a_version_never_changes():
    essay = EssayFactory()

    with pytest.raises(IntegrityError, match="cannot be changed"), transaction.atomic():
        Essay.objects.filter(pk=essay.pk).update(version=2)


def test_an_open_draft_comes_along_with_what_still_fits(actor):
    marks = (fragment(0, 4, "А.грамм", comment="so"), fragment(23, 28, "А.лекс", subcode="выб"))
    draft = draft_of(TEXT, *marks, whole_text("А.логика"))
    former = draft.essay

    done = replaced(former, actor)

    draft.refresh_from_db()
    assert (done.checks, done.kept, done.left) == (1, 2, 1)
    assert (draft.essay, draft.assignment.essay, draft.state) == (done.essay, done.essay, "draft")
    assert [row.to_core().span for row in draft.fragments.all()] == [marks[0].span, None]
    (left,) = NotCarried.objects.all()
    assert (left.markup, left.code, left.subcode, left.words) == (draft, "А.лекс", "выб", "sport")


def test_what_follows_a_change_moves_with_its_words(actor):
    draft = draft_of(TEXT, fragment(45, 57))

    replaced(draft.essay, actor, text=TEXT.replace("Some", "Quite a few"))

    draft.refresh_from_db()
    (row,) = draft.fragments.all()
    assert draft.essay.text[row.start : row.end] == TEXT[45:57]


def test_a_page_of_before_cannot_mark_the_new_text(actor):
    draft = draft_of(TEXT)
    seen = MarkupRecord.objects.get(pk=draft.pk)
    replaced(draft.essay, actor)

    with pytest.raises(MarkupConflict):
        add_fragment(record=seen, version=seen.version, uid=uuid.uuid4(), fragment=fragment(0, 4))
    with pytest.raises(MarkupConflict):
        submit_markup(record=seen, version=seen.version)


def test_a_check_that_was_not_begun_opens_over_the_new_text(actor):
    waiting = AssignmentFactory()

    done = replaced(waiting.essay, actor)
    draft = open_draft(assignment=waiting)  # the queue was loaded before

    assert (draft.essay, Assignment.objects.get().essay) == (done.essay, done.essay)


def test_what_was_submitted_or_lost_stays_with_its_version(actor):
    essay = EssayFactory()
    check = AssignmentFactory(essay=essay, state="submitted")
    record = submitted(essay, fragment(0, 4), assignment=check)
    lost = draft_of(TEXT, fragment(0, 4))
    Assignment.objects.filter(pk=lost.assignment_id).update(
        essay=essay, state="returned", role="second"
    )
    MarkupRecord.objects.filter(pk=lost.pk).update(essay=essay)

    done = replaced(essay, actor)

    assert done.checks == 0
    assert set(MarkupRecord.objects.values_list("pk", "essay")) == {
        (record.pk, essay.pk),
        (lost.pk, essay.pk),
    }


def test_a_third_expert_keeps_what_was_taken_and_nothing_of_the_other_text(actor):
    essay = EssayFactory()
    first = submitted(
        essay, fragment(0, 4), assignment=AssignmentFactory(essay=essay, state="submitted")
    )
    draft = draft_of(TEXT, fragment(0, 4))
    Assignment.objects.filter(pk=draft.assignment_id).update(essay=essay, role="third")
    MarkupRecord.objects.filter(pk=draft.pk).update(essay=essay, third=True)
    draft.fragments.update(taken_from=first.fragments.get())
    Ruling.objects.create(markup=draft, fragment=first.fragments.get(), neither=True)

    replaced(essay, actor)

    kept = list(draft.fragments.values_list("start", "end", "taken_from"))
    assert (kept, Ruling.objects.count()) == ([(0, 4, None)], 0)


def test_what_was_not_carried_is_seen_once(actor):
    draft = draft_of(TEXT, fragment(23, 28))
    replaced(draft.essay, actor)
    (number,) = draft.not_carried.values_list("pk", flat=True)

    dismiss_not_carried(record=draft, numbers=[number])
    first = draft.not_carried.get().dismissed_at
    dismiss_not_carried(record=draft, numbers=[number])

    assert draft.not_carried.get().dismissed_at == first is not None


def test_a_version_of_an_archived_set_stays(actor):
    with pytest.raises(Refused, match="in the archive"):
        replaced(EssayFactory(essay_set__state="archived"), actor)
