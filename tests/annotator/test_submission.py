from __future__ import annotations

import pytest
from django.test import Client

from annotator.core.values import Fragment, Span
from annotator.models import Assignment, MarkupRecord
from jobs.models import Job
from tests.annotator.drafts import MISSING, draft_of
from tests.factories import AssignmentFactory, PersonFactory
from tests.pages import texts_of
from tests.strategies import fragment

pytestmark = pytest.mark.django_db


@pytest.fixture
def submit(log_in):
    def send(record, user=None, version=None, **follow):
        fields = {"version": record.version if version is None else version}
        return log_in(user or record.author).post(f"/markups/{record.pk}/submit/", fields, **follow)

    return send


def state_of(record):
    found = MarkupRecord.objects.select_related("assignment").get(pk=record.pk)
    return found.state, found.assignment.state


def test_a_submission_closes_the_check_and_leads_back_to_the_queue(submit):
    record = draft_of("Some people think.", fragment(0, 4))

    response = submit(record, follow=True)

    assert response.redirect_chain == [("/queue/", 302)]
    assert texts_of(response, ".messages li") == [
        f"Essay {record.essay.number} of “{record.essay.essay_set}” is submitted."
    ]
    assert state_of(record) == ("submitted", "submitted")
    assert [job.key for job in Job.objects.all()] == [f"grade:{record.pk}", f"score:{record.pk}"]


def test_an_empty_markup_may_be_submitted(submit):
    record = draft_of()

    submit(record)

    assert state_of(record) == ("submitted", "submitted")


def test_problems_keep_the_page_and_are_listed(submit):
    record = draft_of("Some people think.", Fragment(Span(0, 4), "ИСП"), fragment(2, 8))

    response = submit(record, follow=True)

    assert response.redirect_chain == [(f"/markups/{record.pk}/#checklist", 302)]
    assert texts_of(response, ".messages li") == [
        "2 problems keep the markup from being submitted."
    ]
    assert texts_of(response, "#checklist .remarks li") == [
        "ИСП Correction only Some ИСП needs a correction. Write what should stand here.",
        "А.грамм Grammar me peo The fragment crosses fragment ИСП (Some). Nest one in the other.",
        MISSING,
    ]
    assert state_of(record) == ("draft", "working")
    assert list(Job.objects.all()) == []


def test_crossing_fragments_may_be_submitted_where_the_rules_allow_it(submit):
    record = draft_of(
        "Some people think.", fragment(0, 8), fragment(2, 11), rules={"allow_crossing": True}
    )

    submit(record)

    assert state_of(record) == ("submitted", "submitted")


@pytest.mark.parametrize("version", ["0", "", "x", "-1", "9" * 30])
def test_a_stale_version_is_not_submitted(submit, version):
    record = draft_of()
    MarkupRecord.objects.update(version=1)

    response = submit(record, version=version, follow=True)

    assert response.redirect_chain == [(f"/markups/{record.pk}/", 302)]
    assert texts_of(response, ".messages li") == [
        "The check was changed in another tab. See it, then submit it."
    ]
    assert state_of(record) == ("draft", "working")


def test_a_second_submission_is_the_same_one(submit):
    record = draft_of()
    submit(record)
    before = MarkupRecord.objects.values().get()

    response = submit(record)

    assert (response.status_code, response.headers["Location"]) == (302, "/queue/")
    assert MarkupRecord.objects.values().get() == before
    assert Job.objects.count() == 2


@pytest.mark.parametrize("state", ["returned", "withdrawn"])
def test_a_check_that_was_taken_away_is_not_submitted(submit, state):
    record = draft_of()
    Assignment.objects.update(state=state)
    successor = AssignmentFactory(essay=record.essay, role=record.assignment.role)

    response = submit(record)

    assert (response.status_code, texts_of(response, "#notice")) == (
        409,
        ["This check was handed back or taken away."],
    )
    assert state_of(record) == ("draft", state)
    assert Assignment.objects.get(pk=successor.pk).state == "waiting"
    assert list(Job.objects.all()) == []


@pytest.mark.parametrize(
    ("role", "status"),
    [("expert", 404), ("judge", 403), ("coordinator", 403), ("participant", 403)],
)
def test_nobody_submits_somebody_elses_markup(submit, role, status):
    record = draft_of()

    assert submit(record, PersonFactory(role=role)).status_code == status
    assert state_of(record) == ("draft", "working")


def test_a_stranger_is_asked_to_log_in():
    record = draft_of()

    response = Client().post(f"/markups/{record.pk}/submit/", {"version": 0})

    assert response.status_code == 302
    assert response.headers["Location"].startswith("/login/")
    assert state_of(record) == ("draft", "working")
