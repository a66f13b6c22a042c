"""Reminders: one row a check and step, one letter a person, none for what does not hold."""

from __future__ import annotations

from smtplib import SMTPRecipientsRefused, SMTPServerDisconnected

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.db.models.functions import Now

from annotator.models import Assignment
from jobs.models import Job
from jobs.signals import ticked
from review.core.reminding import AT, BEFORE
from review.models.deadlines import Letter, LetterTerms, Reminder, SetTerms
from review.queries.deadlines import reminders_without_letter
from review.services.letters import message_id, send_letter
from review.services.reminding import remind, write_letters
from review.services.terms import choose_language
from tests.factories import PersonFactory
from tests.pages import texts_of
from tests.review.deadlines import (
    HOUR,
    REMINDING,
    check,
    expert,
    letters,
    move,
    set_with_terms,
    work_off,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def essay_set():
    return set_with_terms(**REMINDING)


@pytest.fixture
def anna():
    return expert(username="anna", full_name="Анна Лебедева", email="anna@school.example")


def steps():
    return list(Reminder.objects.order_by("pk").values_list("step", flat=True))


def test_before_at_and_after_a_deadline_a_letter_goes_out_once(essay_set, anna):
    made = check(essay_set, anna, left=30 * HOUR)
    sent = []
    for hours in (30, 20, 10, -1, -2, -49, -97, -2000):
        former = made.deadline_at
        move(made, hours * HOUR)
        Reminder.objects.filter(deadline_at=former).update(deadline_at=made.deadline_at)
        remind()
        remind()
        work_off()
        sent.append(len(mail.outbox))

    assert sent == [0, 1, 1, 2, 2, 3, 4, 4]
    assert steps() == [BEFORE, AT, AT + 1, AT + 2]


def test_tick_reminds(essay_set, anna):
    check(essay_set, anna, left=-HOUR, essay={"number": "0001"})

    ticked.send(sender=None)
    work_off()

    assert letters() == [(("anna@school.example",), ["0001"])]


def test_thirty_late_checks_are_one_letter(essay_set, anna):
    boris = expert(username="boris")
    for number in range(30):
        check(essay_set, anna, left=-HOUR * number, essay={"number": f"a{number:02}"})
    check(essay_set, boris, left=-HOUR, essay={"number": "b"})

    remind()
    work_off()

    assert sorted((to, len(numbers)) for to, numbers in letters()) == [
        (("anna@school.example",), 30),
        (("boris@school.example",), 1),
    ]
    assert [sent.subject for sent in mail.outbox if len(sent.body) > 1000] == [
        "Разбор: просрочено 30 проверок"
    ]


def test_more_late_checks_than_a_round_takes_are_still_one_letter_a_person(
    essay_set, anna, monkeypatch
):
    monkeypatch.setattr("review.services.reminding.CHECKS_AT_ONCE", 3)
    for person in (anna, expert(username="boris")):
        for number in "12":
            check(essay_set, person, left=-HOUR, essay={"number": f"{person.username}{number}"})
    carl = expert(username="carl")
    for number in "12345":
        check(essay_set, carl, left=-HOUR, essay={"number": f"carl{number}"})

    made = [remind() for _round in range(5)]
    work_off()

    assert [numbers for _to, numbers in letters()] == [
        ["anna1", "anna2"],
        ["boris1", "boris2"],
        ["carl1", "carl2", "carl3", "carl4", "carl5"],
    ]
    assert made == [1, 1, 1, 0, 0]


def test_what_is_due_in_a_moment_goes_along(essay_set, anna):
    check(essay_set, anna, left=24 * HOUR - HOUR / 60, essay={"number": "now"})
    check(essay_set, anna, left=24 * HOUR + HOUR / 10, essay={"number": "soon"})
    check(essay_set, anna, left=25 * HOUR, essay={"number": "later"})

    remind()
    remind()
    work_off()

    assert letters() == [(("anna@school.example",), ["now", "soon"])]


def test_a_letter_names_checks_by_their_state_in_the_time_zone_of_the_set(anna):
    far = set_with_terms(**REMINDING, zone="Asia/Kamchatka")
    late = check(far, anna, left=-HOUR, essay={"number": "0001"})
    Assignment.objects.filter(pk=late.pk).update(deadline_at="2026-03-01T12:30:00Z")
    choose_language(person=anna, language="en")

    remind()
    work_off()

    (letter,) = mail.outbox
    assert letter.subject == "Razbor: 1 check is late"
    line = "– essay 0001, first check, set “{}”: was due 2 Mar 2026, 00:30 (UTC+12)"
    assert line.format(far) in letter.body
    assert letter.extra_headers["Auto-Submitted"] == "auto-generated"
    assert letter.extra_headers["Content-Language"] == "en"


@pytest.mark.parametrize("fate", ["submitted", "returned", "withdrawn", "closed", "no expert"])
def test_what_needs_no_reminder_gets_none_even_after_it_was_ordered(essay_set, anna, fate):
    made = check(essay_set, anna, left=-HOUR)
    remind()
    if fate == "closed":
        anna.is_active = False
        anna.save()
    elif fate == "no expert":
        anna.role = "coordinator"
        anna.save()
    else:
        Assignment.objects.filter(pk=made.pk).update(state=fate)

    work_off()

    assert mail.outbox == []
    assert [(row.voided_at is not None, row.letter.state) for row in Reminder.objects.all()] == [
        (True, "void")
    ]
    remind()
    work_off()
    assert mail.outbox == []


def test_a_moved_deadline_voids_what_was_not_sent_and_reminds_anew(essay_set, anna):
    made = check(essay_set, anna, left=-HOUR)
    remind()
    move(made, 20 * HOUR)

    work_off()
    assert (mail.outbox, Letter.objects.get().state) == ([], "void")

    remind()
    work_off()
    assert len(mail.outbox) == 1
    assert steps() == [AT, BEFORE]


def test_sets_without_terms_remind_nobody(anna):
    check(set_with_terms(), anna, left=-HOUR)

    remind()

    assert (Reminder.objects.count(), Letter.objects.count(), Job.objects.count()) == (0, 0, 0)


def test_a_letter_that_was_not_written_down_goes_out_again_under_one_message_id(essay_set, anna):
    check(essay_set, anna, left=-HOUR)
    remind()
    letter = Letter.objects.get()
    send_letter(letter_id=letter.pk)
    Letter.objects.update(state="ordered", sent_at=None)  # the worker died before it wrote

    send_letter(letter_id=letter.pk)
    send_letter(letter_id=letter.pk)

    assert [sent.message()["Message-ID"] for sent in mail.outbox] == [message_id(letter)] * 2


def test_two_ticks_write_one_letter_a_person(essay_set, anna):
    check(essay_set, anna, left=-HOUR)

    assert (remind(), remind()) == (1, 0)
    assert write_letters(reminders_without_letter()) == 0
    assert (Letter.objects.count(), Job.objects.count()) == (1, 1)


def test_however_many_checks_are_late_a_round_has_as_many_statements(
    essay_set, django_assert_num_queries
):
    for count in (1, 40):
        for number in range(count):
            check(essay_set, expert(username=f"e{count}-{number}"), left=-HOUR)
        with django_assert_num_queries(17):
            remind()
    with django_assert_num_queries(6):  # nothing is due any more
        remind()


# -- addresses and servers -----------------------------------------------------------------------


@pytest.fixture
def server(monkeypatch):
    """A mail server that answers with these errors in turn, then takes what comes."""
    errors = []
    send = EmailBackend.send_messages

    def answer(backend, messages):
        if errors:
            raise errors.pop(0)
        return send(backend, messages)

    monkeypatch.setattr(EmailBackend, "send_messages", answer)
    return errors


def refusal(code):
    return SMTPRecipientsRefused({"anna@school.example": (code, b"no such mailbox")})


def test_an_address_that_was_refused_is_skipped_until_it_changes(essay_set, anna, server):
    server.append(refusal(550))
    for _ in range(2):
        check(essay_set, anna, left=-HOUR)
        remind()
        work_off()
    terms = LetterTerms.objects.get()
    assert (mail.outbox, terms.refused_because) == ([], "550 no such mailbox")
    assert [letter.state for letter in Letter.objects.all()] == ["refused"] * 2

    anna.email = "anna@home.example"
    anna.save()
    check(essay_set, anna, left=-HOUR, essay={"number": "new"})
    remind()
    work_off()
    assert letters() == [(("anna@home.example",), ["new"])]


@pytest.mark.parametrize(
    "error", [refusal(451), SMTPServerDisconnected("gone"), ConnectionRefusedError("nobody there")]
)
def test_a_server_that_does_not_answer_is_asked_again_later(essay_set, anna, server, error):
    server.append(error)
    check(essay_set, anna, left=-HOUR, essay={"number": "0001"})
    remind()
    work_off()
    assert Letter.objects.values_list("state", "tries").get() == ("waiting", 1)
    assert remind() == 0  # its time has not come

    Letter.objects.update(try_at=Now())
    assert remind() == 1
    work_off()

    assert letters() == [(("anna@school.example",), ["0001"])]
    assert [job.state for job in Job.objects.all()] == ["done", "done"]
    assert not LetterTerms.objects.exists()


def test_in_the_end_a_letter_is_given_up(essay_set, anna, server):
    server.append(ConnectionRefusedError("nobody there"))
    check(essay_set, anna, left=-HOUR)
    remind()
    Letter.objects.update(tries=9)

    work_off()

    assert Letter.objects.values_list("state", "error").get() == ("refused", "nobody there")


def test_who_has_no_address_is_told_to_coordinators(essay_set, log_in):
    check(essay_set, PersonFactory(full_name="Nobody Knows", email=""), left=-HOUR)
    remind()
    work_off()

    client = log_in(PersonFactory(role="coordinator"))
    page = client.get("/deadlines/")
    russian = client.get("/deadlines/", headers={"accept-language": "ru"})

    assert texts_of(page, "section.panel h2")[0] == "No letters reach these people"
    assert texts_of(page, "td.reason") == ["There is no e-mail address."]
    assert texts_of(russian, "td.reason") == ["Адрес не указан."]
    assert LetterTerms.objects.get().refused_because == "no-address"
    assert SetTerms.objects.count() == 1
