"""Letters about deadlines: what still holds is sent; what the mail server says of it is kept."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import timedelta
from email.utils import parseaddr
from smtplib import SMTPRecipientsRefused
from typing import Final

from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import F
from django.db.models.functions import Now
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.models import User
from jobs.services.work import fenced
from review.deadline_models import Letter, LetterTerms, Reminder
from review.deadline_queries import standing_reminders
from review.services.letter_words import words_of

log = logging.getLogger(__name__)

MOST_TRIES: Final = 10
LONGEST_PAUSE: Final = 60
"""Minutes between two tries at most: ten tries take five hours."""

FOR_GOOD: Final = 500
"""An answer of a mail server from here on is its last word (RFC 5321, 4.2.1)."""


def send_letter(*, letter_id: int) -> None:
    """Send a letter, unless nothing in it holds any more.

    Nothing is locked while the mail server is spoken to. A worker that is lost between sending
    and writing so down leaves a letter that goes out again, under the same Message-ID.
    """
    found = Letter.objects.filter(pk=letter_id, state=Letter.State.ORDERED)
    letter = found.select_related("person__letter_terms").first()
    if letter is None:
        return
    reminders = list(standing_reminders(letter))
    void_others(letter, reminders)
    if not reminders:
        _close(letter, state=Letter.State.VOID)
        return
    reason = why_not(letter.person)
    if reason:
        refuse(letter, reason)
        return
    _hand_over(letter, message_of(letter, reminders))


def _hand_over(letter: Letter, message: EmailMessage) -> None:
    try:
        message.send()
    except SMTPRecipientsRefused as error:
        code, said = next(iter(error.recipients.values()), (FOR_GOOD, b""))
        words = f"{code} {said.decode(errors='replace') if isinstance(said, bytes) else said}"
        (refuse if code >= FOR_GOOD else put_off)(letter, words)
    except (ValueError, UnicodeError) as error:  # no address at all
        refuse(letter, str(error))
    except OSError as error:
        put_off(letter, str(error))
    else:
        _close(letter, state=Letter.State.SENT, sent_at=Now())


def message_of(letter: Letter, reminders: Sequence[Reminder]) -> EmailMessage:
    """The letter in its reader's language; the same row always has the same Message-ID."""
    with override(language_of(letter.person)):
        words = words_of(reminders)
        context = {
            "person": letter.person,
            "words": words,
            "link": f"{settings.PUBLIC_ADDRESS}{reverse('annotator:queue')}"
            if settings.PUBLIC_ADDRESS
            else "",
        }
        return EmailMessage(
            subject=words.subject,
            body=render_to_string("review/deadlines/letter.txt", context).strip() + "\n",
            to=[letter.person.email],
            headers={"Message-ID": message_id(letter), "Auto-Submitted": "auto-generated"},
        )


def message_id(letter: Letter) -> str:
    """What a mail server and a reader know a letter by, however often it is sent."""
    host = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2] or "localhost"
    return f"<deadlines.{letter.key}@{host}>"


def language_of(person: User) -> str:
    """The language somebody chose for letters, else that of the settings."""
    terms = getattr(person, "letter_terms", None)
    return (terms.language if terms else "") or settings.MAIL_LANGUAGE


def why_not(person: User) -> str:
    """Why no letter is even tried: no address, or one that was refused before."""
    if not person.email:
        return _("There is no e-mail address.")
    terms = getattr(person, "letter_terms", None)
    is_refused = terms is not None and terms.refused_at and terms.refused_address == person.email
    return terms.refused_because if is_refused else ""


def void_others(letter: Letter, standing: Sequence[Reminder]) -> None:
    """Void what stands in a letter and does not hold any more."""
    others = letter.reminders.filter(voided_at=None).exclude(pk__in=[row.pk for row in standing])
    with fenced():
        others.update(voided_at=Now())


def refuse(letter: Letter, reason: str) -> None:
    """Close a letter nobody takes, and tell coordinators which address that is."""
    with fenced():
        _close(letter, state=Letter.State.REFUSED, error=reason[:300])
        LetterTerms.objects.update_or_create(
            person=letter.person,
            defaults={
                "refused_address": letter.person.email,
                "refused_because": reason[:300],
                "refused_at": Now(),
            },
        )


def put_off(letter: Letter, reason: str) -> None:
    """Try again later, less and less often; in the end the letter is given up."""
    log.warning("Letter %s is put off: %s", letter.pk, reason)
    if letter.tries + 1 >= MOST_TRIES:
        _close(letter, state=Letter.State.REFUSED, error=reason[:300])
        return
    pause = timedelta(minutes=min(2**letter.tries, LONGEST_PAUSE))
    _close(
        letter,
        state=Letter.State.WAITING,
        tries=F("tries") + 1,
        try_at=Now() + pause,
        error=reason[:300],
    )


def _close(letter: Letter, **fields: object) -> None:
    with fenced():
        Letter.objects.filter(pk=letter.pk, state=Letter.State.ORDERED).update(**fields)
