"""An expert removed while holding work: drafts are kept, the work returns to the pool."""

from __future__ import annotations

import pytest

from accounts.models import AuditEntry, User
from accounts.services.people import save_person, set_active
from annotator.models import Assignment, MarkupRecord
from annotator.services.markup import submit_markup
from annotator.services.refusals import MarkupConflict
from review.queries.experts import experts_at_hand, experts_free_for
from review.services.assigning import assign_expert, return_work_of
from tests.annotator.drafts import draft_of
from tests.factories import AssignmentFactory, EssayFactory, PersonFactory
from tests.pages import texts_of
from tests.strategies import fragment
from web.refusals import Refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def manager():
    return PersonFactory(role=User.Role.COORDINATOR)


def states(expert):
    return list(expert.assignments.order_by("pk").values_list("state", flat=True))


def close(expert, manager):
    set_active(person=User.objects.get(pk=expert.pk), active=False, actor=manager)


def test_work_of_a_closed_account_returns_to_the_pool_and_the_draft_is_kept(manager):
    record = draft_of("Some people think.", fragment(0, 4))
    AssignmentFactory(expert=record.author)
    AssignmentFactory(expert=record.author, state="submitted")
    kept = list(record.fragments.values())

    close(record.author, manager)

    assert states(record.author) == ["returned", "withdrawn", "submitted"]
    assert MarkupRecord.objects.get().state == "draft"
    assert list(record.fragments.values()) == kept
    told = AuditEntry.objects.filter(action="assignment.returned")
    assert [(each.actor, each.details) for each in told] == [
        (manager, {"reason": "expert left"})
    ] * 2


def test_the_work_can_be_given_to_another_expert(manager):
    record = draft_of()
    successor = PersonFactory()
    close(record.author, manager)

    given = assign_expert(
        essay=record.essay, expert=successor, role=Assignment.Role.FIRST, actor=manager
    )

    assert (given.expert, given.state) == (successor, "waiting")
    assert list(experts_free_for(record.essay)) == []


def test_the_draft_cannot_be_handed_in_any_more(manager):
    record = draft_of()
    close(record.author, manager)

    with pytest.raises(MarkupConflict, match="handed back or taken away"):
        submit_markup(record=record, version=0)


def test_an_account_that_is_opened_again_does_not_get_its_work_back(manager):
    record = draft_of()
    close(record.author, manager)

    set_active(person=User.objects.get(pk=record.author_id), active=True, actor=manager)

    assert states(record.author) == ["returned"]


def test_the_question_says_how_many_checks_go_back_where(manager, log_in):
    record = draft_of()
    expert = record.author
    name = record.essay.essay_set.name
    unopened = [AssignmentFactory(expert=expert, essay__essay_set__name="Я") for _ in range(1)]
    AssignmentFactory(expert=expert, essay__essay_set=unopened[0].essay.essay_set, role="third")
    AssignmentFactory(expert=expert, state="submitted")

    page = log_in(manager).get(f"/people/{expert.pk}/activity/")

    assert texts_of(page, "h1") == [f"Close the account of {expert}?"]
    assert texts_of(page, "table.held tbody tr") == [f"{name} 0 1 0", "Я 2 0 1"]
    assert User.objects.get(pk=expert.pk).is_active


def test_what_was_submitted_within_the_last_minute_does_not_go_back(manager, log_in, settings):
    settings.RECALL_SECONDS = 60
    record = draft_of()
    submit_markup(record=record, version=record.version)
    browser, address = log_in(manager), f"/people/{record.author_id}/activity/"

    asked = browser.get(address)
    told = texts_of(browser.post(address, follow=True), ".messages li")

    kept = "What was submitted stays, also within the last minute."
    assert kept in texts_of(asked, "form.form p")[0]
    assert "No check goes back." in texts_of(asked, "form.form p")
    assert told == [f"{record.author}: the account is closed."]
    assert states(record.author) == ["submitted"]


def test_the_question_about_somebody_without_work_says_so(manager, log_in):
    page = log_in(manager).get(f"/people/{PersonFactory().pk}/activity/")

    assert "No check goes back." in texts_of(page, "form.form p")


def test_a_check_lost_unopened_can_be_offered_to_the_same_person_again(manager):
    lost = AssignmentFactory(expert=PersonFactory())
    essay, expert = lost.essay, lost.expert
    close(expert, manager)
    assert list(experts_free_for(essay)) == []

    set_active(person=User.objects.get(pk=expert.pk), active=True, actor=manager)

    assert list(experts_free_for(essay)) == [expert]
    assert list(experts_at_hand(essay)) == [expert]
    assign_expert(essay=essay, expert=expert, role=Assignment.Role.FIRST, actor=manager)
    assert states(expert) == ["withdrawn", "waiting"]


def test_who_is_made_something_else_than_an_expert_holds_no_work():
    record = draft_of()
    person = User.objects.get(pk=record.author_id)
    person.role = User.Role.JUDGE

    save_person(person=person, subjects=[], actor=PersonFactory(role=User.Role.ADMINISTRATOR))

    assert states(record.author) == ["returned"]


def test_an_administrator_who_unticks_active_returns_the_work_too(log_in):
    record = draft_of()
    chief = PersonFactory(role=User.Role.ADMINISTRATOR, is_staff=True, is_superuser=True)
    inline = {"TOTAL_FORMS": 0, "INITIAL_FORMS": 0}
    fields = {"username": record.author.username, "role": "expert"}

    log_in(chief).post(
        f"/admin/accounts/user/{record.author_id}/change/",
        {**fields, **{f"specialisms-{key}": value for key, value in inline.items()}},
    )

    assert not User.objects.get(pk=record.author_id).is_active
    assert states(record.author) == ["returned"]


def test_a_change_of_the_name_returns_nothing(manager):
    record = draft_of()
    person = User.objects.get(pk=record.author_id)
    person.full_name = "Anna"

    save_person(person=person, subjects=["eng"], actor=manager)

    assert states(record.author) == ["working"]


def test_returning_twice_changes_nothing_more(manager):
    record = draft_of()
    close(record.author, manager)

    again = return_work_of(expert_id=record.author_id, actor_id=manager.pk)

    assert (again, AuditEntry.objects.filter(action="assignment.returned").count()) == (0, 1)


def test_somebody_closed_since_the_page_was_loaded_gets_no_work(manager):
    expert = PersonFactory()
    seen = User.objects.get(pk=expert.pk)
    close(expert, manager)

    with pytest.raises(Refused, match="is not an active expert"):
        assign_expert(essay=EssayFactory(), expert=seen, role=Assignment.Role.FIRST, actor=manager)
