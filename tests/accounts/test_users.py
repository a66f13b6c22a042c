from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.access import people_kept_by, roles_granted_by
from accounts.models import Specialism, User
from accounts.services.people import save_person, seen_of
from tests.factories import PersonFactory

pytestmark = pytest.mark.django_db


def subjects_of(person):
    return list(person.specialisms.values_list("subject", flat=True))


def test_one_e_mail_belongs_to_one_account_in_any_letter_case():
    PersonFactory(username="anna", email="Anna@school.example")

    with pytest.raises(ValidationError) as refused:
        save_person(
            person=User(username="other", email="anna@SCHOOL.example"), subjects=[], actor=None
        )
    with pytest.raises(IntegrityError), transaction.atomic():
        PersonFactory(username="another", email="anna@SCHOOL.example")

    assert refused.value.messages == ["Another account has this e-mail."]
    assert list(User.objects.values_list("username", flat=True)) == ["anna"]


def test_any_number_of_accounts_have_no_e_mail():
    made = [PersonFactory(email="") for _ in range(3)]

    assert User.objects.filter(email="").count() == len(made)


def test_a_login_belongs_to_one_account_however_its_letters_are_coded():
    PersonFactory(username="ivan")

    with pytest.raises(ValidationError, match="username already exists"):
        save_person(person=User(username="ｉｖａｎ"), subjects=[], actor=None)


@pytest.mark.parametrize("field", ["full_name", "school"])
def test_an_account_is_not_saved_with_an_unseen_sign(field):
    with pytest.raises(ValidationError) as refused:
        save_person(person=User(username="anna", **{field: "a\u202eb"}), subjects=[], actor=None)

    assert list(refused.value.message_dict) == [field]
    assert not User.objects.exists()


def test_a_person_is_called_by_name_or_else_by_login():
    named, nameless = PersonFactory(full_name="Анна Лебедева"), PersonFactory(username="exp7")

    called = [(str(person), person.get_short_name()) for person in (named, nameless)]

    assert called == [("Анна Лебедева", "Анна"), ("exp7", "exp7")]


@pytest.mark.parametrize("role", User.Role.values)
def test_the_rights_in_the_administration_follow_the_role(role):
    person = PersonFactory(role=role, is_staff=True, is_superuser=True)

    person.refresh_from_db()
    is_administrator = role == User.Role.ADMINISTRATOR
    assert (person.is_staff, person.is_superuser) == (is_administrator, is_administrator)


def test_whoever_is_no_longer_administrator_loses_the_rights():
    person = PersonFactory(role=User.Role.ADMINISTRATOR)
    person.role = User.Role.JUDGE
    person.save()

    assert not User.objects.get().has_perm("accounts.change_user")


def test_the_command_line_makes_administrators():
    person = User.objects.create_superuser("root", password="first of all")

    assert (person.role, person.is_staff, person.is_superuser, person.is_active) == (
        "administrator",
        True,
        True,
        True,
    )


def test_managers_keep_and_make_accounts_below_their_own(people):
    marking = {"expert", "participant"}
    below = {role: set() for role in people} | {
        "coordinator": marking,
        "organiser": marking | {"coordinator", "judge", "commission"},
        "administrator": set(people),
    }

    kept = {role: {each.role for each in people_kept_by(person)} for role, person in people.items()}
    granted = {role: set(roles_granted_by(person)) for role, person in people.items()}

    assert (kept, granted) == (below, below)


def test_an_expert_has_the_subjects_of_the_last_change():
    person = save_person(person=User(username="anna"), subjects=["eng", "rus"], actor=None)
    assert subjects_of(person) == ["eng", "rus"]

    save_person(person=person, subjects=["rus", "lit"], actor=None)

    assert subjects_of(person) == ["lit", "rus"]


def test_nobody_but_experts_has_subjects():
    person = save_person(person=User(username="anna"), subjects=["eng"], actor=None)
    person.role = User.Role.JUDGE

    save_person(person=person, subjects=["eng"], actor=None)

    assert subjects_of(person) == []


def test_a_subject_is_given_once():
    person = PersonFactory(subjects=["eng"])

    with pytest.raises(IntegrityError), transaction.atomic():
        Specialism.objects.create(user=person, subject="eng")


def test_a_new_account_opens_to_no_password():
    person = save_person(person=User(username="anna"), subjects=[], actor=None)

    assert not person.has_usable_password()
    assert [person.check_password(guess) for guess in ("", "!", "anna")] == [False] * 3


def test_a_login_belongs_to_one_account_in_any_letter_case():
    PersonFactory(username="anna")

    with pytest.raises(ValidationError) as refused:
        save_person(person=User(username="Anna"), subjects=[], actor=None)
    with pytest.raises(IntegrityError), transaction.atomic():
        PersonFactory(username="ANNA")

    assert refused.value.messages == [
        "There is an account anna: logins must differ in more than case."
    ]
    assert list(User.objects.values_list("username", flat=True)) == ["anna"]


def test_a_change_reads_the_row_of_an_account_once():
    person = save_person(person=User(username="anna"), subjects=["eng"], actor=None)
    seen = seen_of(person, ["eng"])
    person.full_name = "Anna"

    with CaptureQueriesContext(connection) as context:
        save_person(person=person, subjects=["eng"], actor=None, seen=seen)

    own = f'"accounts_user"."id" = {person.pk}'
    asked = [each["sql"] for each in context if each["sql"].startswith("SELECT")]
    of_it = [each for each in asked if own in each and f"NOT ({own}" not in each]
    assert len(of_it) == 2, of_it  # the second one by an app above, which is told of the change
