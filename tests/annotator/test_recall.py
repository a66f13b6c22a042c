"""A submitted check can be recalled for a minute; nothing takes effect before it is final."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core import mail
from django.db.models import F
from django.db.models.functions import Now
from django.urls import reverse

import annotator.tasks  # noqa: F401 - its kinds of work
import scoring.tasks  # noqa: F401 - and those that follow
from accounts.models import AuditEntry
from annotator.access import markups_seen_by, may_mark
from annotator.models import Assignment, MarkupRecord
from annotator.queries.work import work_of
from annotator.services.assignment import hand_back
from annotator.services.drafts import add_fragment
from annotator.services.markup import submit_markup
from annotator.services.recalling import make_final, recall, settle
from annotator.services.refusals import MarkupConflict
from annotator.services.set_acts import bring_into, describe_set
from jobs.models import Job
from jobs.queries import waiting_jobs
from jobs.tasks import take_turn
from review.models import ThirdCheck
from review.services.assigning import return_work_of
from scoring.models import CriteriaRecord
from tests.annotator.drafts import draft_of
from tests.factories import AssignmentFactory, PersonFactory, RuleSetFactory, submitted
from tests.pages import page_of, texts_of
from tests.strategies import fragment
from web.refusals import Refused

pytestmark = pytest.mark.django_db

State = Assignment.State


@pytest.fixture(autouse=True)
def _a_minute(settings):
    settings.RECALL_SECONDS = 60


def handed_in(**fields):
    record = draft_of("Some people think.", fragment(5, 11), **fields)
    return submit_markup(record=record, version=record.version)


def later(record, **time):
    """The database's clock is so much further: all that is due lies so much nearer."""
    back = timedelta(**time)
    MarkupRecord.objects.filter(pk=record.pk).update(
        final_at=F("final_at") - back, submitted_at=F("submitted_at") - back
    )
    Job.objects.filter(next_try_at__gt=Now()).update(next_try_at=F("next_try_at") - back)
    record.refresh_from_db()


def work_all():
    for _ in range(9):
        take_turn()


def seen(record):
    fresh = MarkupRecord.objects.select_related("assignment").get(pk=record.pk)
    return fresh.state, fresh.final_at is None, fresh.assignment.state


def test_nothing_takes_effect_while_a_check_can_be_recalled(mailoutbox):
    record = handed_in()
    essay = record.essay
    expert = record.author
    other = submitted(
        essay, assignment=AssignmentFactory(essay=essay, role="second", state="submitted")
    )

    work_all()

    assert seen(record) == ("draft", False, "working")
    assert not may_mark(expert, record)
    assert not markups_seen_by(expert).filter(pk=other.pk).exists()
    assert not markups_seen_by(other.author).filter(pk=record.pk).exists()
    assert not CriteriaRecord.objects.filter(markup=record).exists()
    assert not ThirdCheck.objects.exists()
    assert mailoutbox == mail.outbox == []
    assert list(waiting_jobs()) == []
    with pytest.raises(MarkupConflict):
        add_fragment(record=record, version=record.version, uid=None, fragment=fragment(0, 4))
    assert not AuditEntry.objects.filter(action="markup.submitted").exists()


def test_after_a_minute_it_is_final_as_of_the_moment_it_was_handed_in():
    record = handed_in()
    moment = record.submitted_at
    later(record, seconds=59)
    work_all()
    assert seen(record) == ("draft", False, "working")

    later(record, seconds=2)
    work_all()

    assert seen(record) == ("submitted", True, "submitted")
    record.refresh_from_db()
    assert record.submitted_at == moment - timedelta(seconds=61)
    assert Assignment.objects.get().submitted_at == record.submitted_at
    assert CriteriaRecord.objects.filter(markup=record).count() == 1
    settle(markup_id=record.pk)
    make_final(record=record)
    assert AuditEntry.objects.filter(action="markup.submitted").count() == 1


def test_a_recalled_check_is_a_draft_again_and_its_old_end_does_not_close_it():
    record = handed_in()

    recall(record=record)
    recall(record=record)  # said twice

    assert seen(record) == ("draft", True, "working")
    assert may_mark(record.author, record)
    assert not Job.objects.exists()
    submit_markup(record=record, version=record.version)
    later(record, seconds=30)
    Job.objects.update(next_try_at=Now())
    settle(markup_id=record.pk)  # a job that comes too early
    assert seen(record) == ("draft", False, "working")
    later(record, seconds=30)
    settle(markup_id=record.pk)
    assert seen(record)[0] == "submitted"
    told = AuditEntry.objects.filter(action__startswith="markup.").order_by("pk")
    assert [each.action for each in told] == ["markup.recalled", "markup.submitted"]


def test_it_can_be_made_final_at_once_and_then_not_be_recalled():
    record = handed_in()

    make_final(record=record)

    assert seen(record) == ("submitted", True, "submitted")
    assert not Job.objects.filter(kind="annotator.settle_submission").exists()
    with pytest.raises(MarkupConflict, match="final"):
        recall(record=record)


def test_when_its_time_is_over_it_cannot_be_recalled_though_no_worker_came():
    record = handed_in()
    later(record, seconds=60)

    with pytest.raises(MarkupConflict, match="final"):
        recall(record=record)

    work_all()
    assert seen(record)[0] == "submitted"


def test_what_was_recalled_cannot_be_made_final():
    record = handed_in()
    recall(record=record)

    with pytest.raises(MarkupConflict, match="recalled"):
        make_final(record=record)


def test_a_check_that_can_be_recalled_is_not_handed_back_and_does_not_stand_in_the_queue():
    record = handed_in()

    assert list(work_of(record.author)) == []
    with pytest.raises(Refused):
        hand_back(assignment=record.assignment, actor=record.author, reason="no")
    assert seen(record) == ("draft", False, "working")


def brought_into(state, essay_set):
    essay_set.refresh_from_db()
    actor = PersonFactory(role="coordinator")
    bring_into(essay_set=essay_set, state=state, seen=essay_set.revision, actor=actor)


def test_what_was_handed_in_before_its_set_was_closed_becomes_final_all_the_same():
    record = handed_in()
    essay_set = record.essay.essay_set

    brought_into("closed", essay_set)
    with pytest.raises(Refused, match="not submitted: 1"):
        brought_into("archived", essay_set)
    assert seen(record) == ("draft", False, "working")
    later(record, seconds=60)
    work_all()

    assert seen(record) == ("submitted", True, "submitted")
    assert CriteriaRecord.objects.filter(markup=record).count() == 1
    brought_into("archived", essay_set)


def test_what_is_recalled_in_a_set_that_was_closed_meanwhile_can_be_submitted_again():
    record = handed_in()
    brought_into("closed", record.essay.essay_set)

    recall(record=record)
    submit_markup(record=record, version=record.version)
    make_final(record=record)

    assert seen(record) == ("submitted", True, "submitted")


def test_a_set_keeps_the_rules_a_check_was_handed_in_under_unless_it_is_recalled():
    record = handed_in()
    essay_set = record.essay.essay_set
    actor, others = PersonFactory(role="coordinator"), RuleSetFactory()

    def takes_others():
        values = {"rules": others}
        seen = essay_set.revision
        return describe_set(essay_set=essay_set, seen=seen, actor=actor, values=values)

    with pytest.raises(Refused, match="keeps these rules"):
        takes_others()
    recall(record=record)
    assert takes_others()


def test_a_check_taken_away_meanwhile_stays_a_draft():
    record = handed_in()
    Assignment.objects.update(state=State.WITHDRAWN)
    later(record, seconds=60)

    work_all()

    assert seen(record) == ("draft", True, "withdrawn")
    assert [job.state for job in Job.objects.all()] == ["done"]


@pytest.mark.parametrize("state", [State.RETURNED, State.WITHDRAWN])
def test_a_check_that_was_taken_away_before_is_not_handed_in(client, state):
    record = draft_of("Some people think.", fragment(5, 11))
    client.force_login(record.author)
    Assignment.objects.update(state=state)

    page = client.post(f"/markups/{record.pk}/submit/", {"version": record.version})

    assert (page.status_code, texts_of(page, "#notice")) == (
        409,
        ["This check was handed back or taken away."],
    )
    assert seen(record) == ("draft", True, state)
    assert not Job.objects.exists()


def test_what_somebody_handed_in_counts_although_the_account_is_closed():
    record = handed_in()

    assert return_work_of(expert_id=record.author_id, actor_id=None) == 0

    assert seen(record) == ("submitted", True, "submitted")


def test_once_its_time_is_over_the_pages_say_it_is_final_though_no_worker_came(log_in):
    record = handed_in()
    later(record, seconds=60)
    client = log_in(record.author)

    for path in ("/queue/", f"/markups/{record.pk}/"):
        notice = page_of(client.get(path)).one(".recallable")
        assert notice.text == (
            f"The check of essay {record.essay.number} of “{record.essay.essay_set}” is final. "
            "To the submitted checks"
        )
        assert (notice["data-recall"], notice.find("form")) == ("0", [])
        assert [link["href"] for link in notice.find("a")] == ["/queue/"]


def test_the_pages_offer_to_recall_and_to_make_final(client):
    record = draft_of("Some people think.", fragment(5, 11))
    client.force_login(record.author)
    following = AssignmentFactory(expert=record.author)

    said = client.post(
        reverse("annotator:submit", args=[record.pk]), {"version": 0, "next": "1"}, follow=True
    )
    assert said.request["PATH_INFO"] == reverse(
        "annotator:markup", args=[following.markups.get().pk]
    )
    assert texts_of(said, ".messages li") == []  # it is said once, with the time that is left
    named = f"Essay {record.essay.number} of “{record.essay.essay_set}” is submitted and can be"
    for path in (said.request["PATH_INFO"], "/queue/", f"/markups/{record.pk}/"):
        page = client.get(path).content.decode()
        assert named in " ".join(page.split()), path
        assert reverse("annotator:recall", args=[record.pk]) in page, path
        assert reverse("annotator:make_final", args=[record.pk]) in page, path

    stranger = PersonFactory(role="expert")
    client.force_login(stranger)
    for name in ("recall", "make_final"):
        assert client.post(reverse(f"annotator:{name}", args=[record.pk])).status_code == 404
    assert seen(record) == ("draft", False, "working")

    client.force_login(record.author)
    client.post(reverse("annotator:recall", args=[record.pk]))
    assert seen(record) == ("draft", True, "working")
    client.post(reverse("annotator:submit", args=[record.pk]), {"version": 1})
    client.post(reverse("annotator:make_final", args=[record.pk]))
    assert seen(record) == ("submitted", True, "submitted")
