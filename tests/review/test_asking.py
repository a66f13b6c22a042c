"""A coordinator reminds people by hand: one letter each, once a press."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone

from accounts.models import AuditEntry
from review.models.deadlines import LetterTerms
from review.services.reminding import remind
from tests.factories import PersonFactory
from tests.pages import page_of, texts_of
from tests.review.deadlines import (
    DAY,
    HOUR,
    REMINDING,
    check,
    expert,
    letters,
    set_with_terms,
    work_off,
)

pytestmark = pytest.mark.django_db
ADDRESS = "/deadlines/remind/"


@pytest.fixture
def client(log_in):
    return log_in(PersonFactory(role="coordinator"))


def pressed(client, *people):
    """What the question asks, to be answered."""
    page = client.get(ADDRESS, {"person": [each.pk for each in people]})
    fields = page_of(page).find("input[name=person]")
    key = page_of(page).one("input[name=key]")["value"]
    return page, {"key": key, "person": [each["value"] for each in fields]}


def test_each_gets_one_letter_about_all_open_checks(client):
    essay_set = set_with_terms()
    anna = expert(username="anna", full_name="Anna")
    boris = expert(username="boris", full_name="Boris")
    mute, idle = expert(full_name="Mute", email=""), expert(full_name="Idle")
    refused = expert(username="ruth", full_name="Ruth")
    LetterTerms.objects.create(
        person=refused,
        refused_address=refused.email,
        refused_because="550 no",
        refused_at="2026-01-01T00:00:00Z",
    )
    for number, left in (("0001", -DAY), ("0002", 9 * DAY)):
        check(essay_set, anna, left=left, essay={"number": number})
    check(essay_set, boris, left=9 * DAY, essay={"number": "0003"})
    check(essay_set, boris, left=9 * DAY, essay={"number": "0004"}, state="submitted")
    for person in (mute, refused):
        check(essay_set, person, left=DAY)

    page, form = pressed(client, anna, boris, mute, idle, refused)
    answers = [client.post(ADDRESS, form, follow=True) for _press in range(2)]
    work_off()

    assert texts_of(page, ".remarks li") == [
        "Anna, anna@school.example: 2",
        "Boris, boris@school.example: 1",
    ]
    assert texts_of(page, "form p")[1:] == [
        "Without an address that takes letters: Mute, Ruth",
        "Without open checks, and so without a letter: Idle",
    ]
    assert [texts_of(answer, ".messages li")[0] for answer in answers] == [
        "2 people get a letter.",
        "These letters were ordered already.",
    ]
    assert sorted(letters()) == [
        (("anna@school.example",), ["0001", "0002"]),
        (("boris@school.example",), ["0003"]),
    ]
    assert [each.subject for each in mail.outbox] == [
        "Разбор: просрочена 1 проверка",
        "Разбор: вас ждёт 1 проверка",
    ]
    assert AuditEntry.objects.filter(action="person.reminded").count() == 2


def test_who_was_reminded_a_moment_ago_gets_no_other_letter(client, log_in):
    essay_set = set_with_terms()
    anna, boris = expert(username="anna"), expert(username="boris")
    for person in (anna, boris):
        check(essay_set, person, left=DAY)
    other = log_in(PersonFactory(role="organiser"))

    asked = [(client, [anna]), (client, [anna]), (other, [anna, boris])]
    forms = [(each, pressed(each, *people)[1]) for each, people in asked]
    _first, *answers = [each.post(ADDRESS, form, follow=True) for each, form in forms]
    work_off()

    assert [texts_of(answer, ".messages li") for answer in answers] == [
        ["Had a letter a moment ago: 1."],
        ["1 person gets a letter.", "Had a letter a moment ago: 1."],
    ]
    assert sorted(to for to, _numbers in letters()) == [
        ("anna@school.example",),
        ("boris@school.example",),
    ]


def test_the_question_names_who_was_reminded_a_moment_ago(client):
    essay_set = set_with_terms()
    anna, boris = expert(full_name="Anna"), expert(username="boris", full_name="Boris")
    for person in (anna, boris):
        check(essay_set, person, left=DAY)
    client.post(ADDRESS, pressed(client, anna)[1])

    both, form = pressed(client, anna, boris)
    alone, _form = pressed(client, anna)

    had = "Had a letter a moment ago, and so without another one: Anna"
    assert texts_of(both, ".remarks li") == ["Boris, boris@school.example: 1"]
    assert form["person"] == [str(boris.pk)]
    assert texts_of(both, "form p")[1:] == [had]
    assert texts_of(alone, "form p") == ["Nobody gets a letter.", had]
    assert "Send" not in texts_of(alone, "form button")


def test_a_later_press_reminds_anew_and_keeps_no_other_reminder(client):
    anna = expert(username="anna")
    check(set_with_terms(**REMINDING), anna, left=9 * HOUR)
    AuditEntry.objects.create(
        action="person.reminded",
        object_type="accounts.user",
        object_id=str(anna.pk),
        at=timezone.now() - timedelta(minutes=11),
    )

    client.post(ADDRESS, pressed(client, anna)[1])
    work_off()
    remind()
    work_off()

    assert len(mail.outbox) == 2


@pytest.mark.parametrize(
    "form", [{}, {"key": "x"}, {"key": "0a4a1c3e-3f5d-4b0c-9d55-7d0a0a5d8a11", "person": ["0"]}]
)
def test_nobody_is_told_to_be_ticked(client, form):
    response = client.post(ADDRESS, form)

    assert response.status_code == 422
    assert "Tick people who have open checks and an address." in response.content.decode()


@pytest.mark.parametrize("role", ["expert", "participant", "judge", "commission"])
def test_a_stranger_reminds_nobody(log_in, role):
    client = log_in(PersonFactory(role=role))

    assert [client.get(ADDRESS).status_code, client.post(ADDRESS).status_code] == [403, 403]


def test_the_question_takes_as_many_queries_for_one_as_for_many(client, django_assert_num_queries):
    essay_set = set_with_terms()
    people = []
    for many in (1, 6):
        people += [expert(username=f"e{many}-{at}") for at in range(many)]
        for person in people:
            check(essay_set, person, left=DAY)
        with django_assert_num_queries(5):
            client.get(ADDRESS, {"person": [each.pk for each in people]})
