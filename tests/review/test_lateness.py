"""After the deadline: accepted and marked late, unless the check was given to somebody else."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from annotator.models import Assignment, MarkupRecord
from annotator.services.markup import submit_markup
from annotator.services.refusals import MarkupConflict
from review.services.assigning import assign_expert, withdraw
from tests.annotator.drafts import draft_of
from tests.factories import PersonFactory
from tests.pages import texts_of
from tests.strategies import fragment

pytestmark = pytest.mark.django_db


def overdue(hours=1):
    record = draft_of("Some people think.", fragment(0, 4))
    deadline = timezone.now() - timedelta(hours=hours)
    Assignment.objects.filter(pk=record.assignment_id).update(deadline_at=deadline)
    return MarkupRecord.objects.get(pk=record.pk)


@pytest.mark.parametrize(("hours", "is_late"), [(1, True), (-1, False)])
def test_a_submission_after_the_deadline_is_accepted_and_marked_late(log_in, hours, is_late):
    record = overdue(hours)

    submit_markup(record=record, version=0)

    assignment = Assignment.objects.get()
    assert (assignment.state, assignment.is_late) == ("submitted", is_late)
    client, staff = log_in(record.author), log_in(PersonFactory(role=User.Role.COORDINATOR))
    pages = client.get("/queue/"), staff.get(f"/desk/essays/{record.essay_id}/")
    assert ["late" in texts_of(page, ".badge") for page in pages] == [is_late] * 2


@pytest.mark.parametrize(("hours", "is_overdue"), [(1, True), (-1, False)])
def test_what_is_overdue_the_database_says(log_in, web_clock, hours, is_overdue):
    record = overdue(hours)
    client, staff = log_in(record.author), log_in(PersonFactory(role=User.Role.COORDINATOR))

    web_clock(-2 * 60 * 60 * hours)

    assert bool(texts_of(client.get("/queue/"), ".late")) == is_overdue
    desk = staff.get(f"/desk/essays/{record.essay_id}/")
    assert ("overdue" in texts_of(desk, ".badge")) == is_overdue


def test_work_that_is_not_submitted_is_not_late():
    record = overdue()

    assert not record.assignment.is_late


def test_after_the_check_was_given_to_another_it_is_refused_and_the_draft_kept():
    record = overdue()
    manager, successor = PersonFactory(role=User.Role.COORDINATOR), PersonFactory()
    kept = list(record.fragments.values())
    withdraw(assignment=record.assignment, actor=manager)
    assign_expert(essay=record.essay, expert=successor, role=Assignment.Role.FIRST, actor=manager)

    with pytest.raises(MarkupConflict, match="handed back or taken away"):
        submit_markup(record=record, version=0)

    assert MarkupRecord.objects.get().state == "draft"
    assert list(record.fragments.values()) == kept
    assert successor.assignments.get().state == "waiting"
