"""A coordinator reminds people by hand: one letter each, once a press."""

from __future__ import annotations

import pytest
from django.core import mail

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


def test_another_press_reminds_anew_and_keeps_no_other_reminder(client):
    anna = expert(username="anna")
    check(set_with_terms(**REMINDING), anna, left=9 * HOUR)

    for _press in range(2):
        client.post(ADDRESS, pressed(client, anna)[1])
        work_off()
    remind()
    work_off()

    assert len(mail.outbox) == 3


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
        with django_assert_num_queries(4):
            client.get(ADDRESS, {"person": [each.pk for each in people]})
