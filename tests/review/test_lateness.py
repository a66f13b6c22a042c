"""After the deadline: accepted and marked late, unless the check was given to somebody else."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from annotator.models import Assignment, MarkupRecord
from annotator.services.markup import submit_markup
from annotator.services.recalling import recall
from annotator.services.refusals import MarkupConflict
from review.models import ThirdCheck
from review.models.deadlines import SetTerms
from review.queries.deadlines import checks_to_remind_of, standing_reminders, terms_that_remind
from review.services.assigning import assign_expert, withdraw
from review.services.reminding import make_reminders, remind
from tests.annotator.drafts import draft_of
from tests.factories import PersonFactory
from tests.pages import texts_of
from tests.review.thirds import settle_rest, thirds
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


NUMBER = "the number of the essay"
LATE_ON = {
    "the number of the desk": ("/desk/", ".n-late b", ["1"]),
    "the desk": ("/desk/?state=late", "tr.is-late th a", NUMBER),
    "a line of the desk": ("/desk/", ".chk.late .vh", [", overdue"]),
    "the page of the essay": ("/desk/essays/{essay}/", ".badge.bad", ["overdue"]),
    "deadlines": ("/deadlines/?late=1", "tbody th a", NUMBER),
    "open checks": ("/deadlines/", "tbody th a", NUMBER),
    "people": ("/people/", ".fig.bad", ["1"]),
    "problems": ("/desk/problems/?days=0", "#silent a", NUMBER),
}


def shown_late(client, essay, place):
    address, selector, _late = LATE_ON[place]
    return texts_of(client.get(address.format(essay=essay)), selector)


def test_what_was_handed_in_is_late_nowhere_though_it_can_be_recalled_yet(log_in, settings):
    settings.RECALL_SECONDS = 60
    record = overdue()
    staff = log_in(PersonFactory(role=User.Role.COORDINATOR))

    def late():
        return {place: shown_late(staff, record.essay_id, place) for place in LATE_ON}

    number = [record.essay.number]
    is_late = {
        place: number if words == NUMBER else words
        for place, (_address, _selector, words) in LATE_ON.items()
    }
    assert late() == is_late

    submit_markup(record=record, version=0)
    assert late() == {place: [] for place in LATE_ON}

    recall(record=MarkupRecord.objects.get())
    assert late() == is_late


def test_a_third_check_that_can_be_recalled_yet_is_said_to_be_in_work(log_in, settings):
    settings.RECALL_SECONDS = 60
    made = thirds()
    settle_rest(made.record)
    ThirdCheck.objects.create(
        essay=made.essay, round=1, first=made.first, second=made.second, needed=True
    )
    staff = log_in(PersonFactory(role=User.Role.COORDINATOR))

    submit_markup(record=made.record, version=MarkupRecord.objects.get(pk=made.record.pk).version)

    page = staff.get("/desk/?state=third")
    assert texts_of(page, "td.l") == ["in work third check"]


def test_of_what_was_handed_in_nobody_is_reminded(settings):
    settings.RECALL_SECONDS = 60
    record = overdue()
    SetTerms.objects.create(essay_set=record.essay.essay_set, at_deadline=True)
    make_reminders()
    submit_markup(record=record, version=0)

    terms = terms_that_remind()
    assert not checks_to_remind_of(terms, terms[0].now).exists()
    assert remind() == 1  # the letter that was to be written already
    (letter,) = record.author.letters.all()
    assert list(standing_reminders(letter)) == []
