"""What a mail server says of a letter, and how long its sender waits."""

from __future__ import annotations

from datetime import timedelta
from smtplib import SMTPRecipientsRefused, SMTPServerDisconnected

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.core.mail.backends.locmem import EmailBackend

from accounts.services.posting import Unsent, message_id, pause_after, post

LETTER = EmailMessage(subject="Hello", body="Words.", to=["anna@school.example"])


def refusal(code, said=b"no such mailbox"):
    return SMTPRecipientsRefused({"anna@school.example": (code, said)})


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (refusal(499), Unsent("499 no such mailbox", for_good=False)),
        (refusal(500), Unsent("500 no such mailbox", for_good=True)),
        (refusal(550, "no such mailbox"), Unsent("550 no such mailbox", for_good=True)),
        (refusal(550, b"\xff"), Unsent("550 \ufffd", for_good=True)),
        (SMTPRecipientsRefused({}), Unsent("500 ", for_good=True)),
        (ValueError("no address"), Unsent("no address", for_good=True)),
        (SMTPServerDisconnected("gone"), Unsent("gone", for_good=False)),
        (ConnectionRefusedError("nobody there"), Unsent("nobody there", for_good=False)),
    ],
)
def test_what_is_said_of_a_letter_tells_whether_it_is_said_for_good(monkeypatch, error, told):
    def answer(_backend, _messages):
        raise error

    monkeypatch.setattr(EmailBackend, "send_messages", answer)

    assert post(LETTER) == told


def test_a_letter_that_is_taken_is_said_nothing_of():
    assert post(LETTER) is None
    assert [sent.subject for sent in mail.outbox] == ["Hello"]


def test_pauses_grow_to_an_hour_and_after_ten_tries_there_are_none():
    minutes = [1, 2, 4, 8, 16, 32, 60, 60, 60]

    assert [pause_after(tries) for tries in range(10)] == [
        *(timedelta(minutes=each) for each in minutes),
        None,
    ]


@pytest.mark.parametrize(
    ("address", "host"),
    [("Razbor <mail@razbor.example>", "razbor.example"), ("", "localhost")],
)
def test_a_letter_is_known_by_its_name_at_the_host_of_the_sender(settings, address, host):
    settings.DEFAULT_FROM_EMAIL = address

    assert message_id("teams.7") == f"<teams.7@{host}>"
