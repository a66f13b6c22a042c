"""A change of what the form of an account says undoes nothing that was done to it meanwhile."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError

from accounts.models import User
from accounts.services.people import save_person, seen_of, set_active
from accounts.services.tokens import issue_token, user_of_token
from tests.factories import PersonFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def person():
    return PersonFactory(role="participant", school="")


@pytest.fixture
def as_looked_at(person):
    """The same account as the request of somebody who changes it has read it."""
    found = User.objects.get(pk=person.pk)
    found.school = "Lyceum"
    return found


def change(as_looked_at):
    before = User(pk=as_looked_at.pk)
    before.__dict__.update({**as_looked_at.__dict__, "school": ""})
    return save_person(person=as_looked_at, subjects=[], actor=None, seen=seen_of(before, []))


def test_a_password_that_was_chosen_meanwhile_stays(person, as_looked_at):
    person.set_password("the new lake")
    person.save()

    change(as_looked_at)

    person.refresh_from_db()
    assert (person.check_password("the new lake"), person.school) == (True, "Lyceum")


@pytest.mark.parametrize("active", [False, True])
def test_an_account_that_was_closed_or_opened_meanwhile_stays_so(person, active):
    set_active(person=person, active=not active, actor=None)
    as_looked_at = User.objects.get(pk=person.pk)
    as_looked_at.school = "Lyceum"
    set_active(person=person, active=active, actor=None)
    key = issue_token(user=User.objects.get(pk=person.pk), name="program") if active else ""

    change(as_looked_at)

    person.refresh_from_db()
    assert (person.is_active, person.school) == (active, "Lyceum")
    assert user_of_token(key) == (person if active else None)


def test_an_account_without_a_password_keeps_its_keys():
    team = PersonFactory(role="participant", invited=True)
    key = issue_token(user=team, name="program")
    team.school = "Lyceum"

    save_person(person=team, subjects=[], actor=None)

    assert user_of_token(key) == team


def test_who_got_a_role_meanwhile_that_one_does_not_give_is_not_changed(person, as_looked_at):
    User.objects.filter(pk=person.pk).update(role="administrator")

    with pytest.raises(ValidationError, match="does not give that one"):
        save_person(
            person=as_looked_at, subjects=[], actor=PersonFactory(role="coordinator"), seen=""
        )

    person.refresh_from_db()
    assert (person.role, person.school) == ("administrator", "")


def test_an_account_that_is_gone_is_not_made_anew_by_whoever_saw_nothing_of_it(
    person, as_looked_at
):
    person.delete()

    with pytest.raises(ValidationError, match="Somebody changed this account meanwhile"):
        save_person(person=as_looked_at, subjects=[], actor=None)

    assert not User.objects.filter(username=as_looked_at.username).exists()
