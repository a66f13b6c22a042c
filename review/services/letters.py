"""Letters: what still holds is sent; what the mail server says of it is kept."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import F
from django.db.models.functions import Now
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.models import User
from accounts.roles import MANAGERS
from accounts.services import posting
from jobs.services.work import fenced
from review.models.deadlines import NO_ADDRESS, Letter, LetterTerms, Reminder
from review.queries.deadlines import standing_reminders
from review.services.letter_words import words_of
from review.signals import words_asked

log = logging.getLogger(__name__)

OF_NOTE: Final = ("note__assignment__essay__essay_set", "note__assignment__expert")
"""What a letter about a message tells of."""
OF_VERDICT: Final = ("verdict__who", "verdict__protocol__essay_set")
"""What a letter about a returned set tells of."""

Said = tuple[str, str, dict[str, Any]]
"""The subject of a letter, its template, and what stands in it."""
Say = Callable[[Letter], Said]


def send_letter(*, letter_id: int) -> None:
    """Send a letter, unless nothing in it holds any more.

    Nothing is locked while the mail server is spoken to. A worker that is lost between sending
    and writing so down leaves a letter that goes out again, under the same Message-ID.
    """
    found = Letter.objects.filter(pk=letter_id, state=Letter.State.ORDERED)
    letter = found.select_related("person__letter_terms", *OF_NOTE, *OF_VERDICT).first()
    if letter is None:
        return
    said = _what_holds(letter)
    reason = why_not(letter.person)
    if said is None:
        _close(letter, state=Letter.State.VOID)
    elif reason:
        refuse(letter, reason)
    else:
        _hand_over(letter, message_of(letter, said))


def _what_holds(letter: Letter) -> Say | None:
    """What a letter has to say by now; what stands in it and does not hold any more is void."""
    if letter.verdict:
        leads = letter.person.is_active and letter.person.role in MANAGERS
        return _of_return if leads else None
    if letter.note:
        return _of_note if _is_to_be_told(letter) else None
    reminders = list(standing_reminders(letter))
    void_others(letter, reminders)
    if reminders:
        return partial(_of_deadlines, reminders)
    asked = _of_others(letter)
    return (lambda _letter: asked()) if asked else None


def _of_others(letter: Letter) -> Callable[[], Said] | None:
    """Who tells what an app above has to say by this letter."""
    answers = words_asked.send(sender=Letter, letter_id=letter.pk)
    return next((told for _receiver, told in answers if told), None)


def _hand_over(letter: Letter, message: EmailMessage) -> None:
    unsent = posting.post(message)
    if unsent is None:
        _close(letter, state=Letter.State.SENT, sent_at=Now())
    elif unsent.for_good:
        refuse(letter, unsent.reason)
    else:
        put_off(letter, unsent.reason)


def _is_to_be_told(letter: Letter) -> bool:
    """Does a letter about a message still tell something to somebody it is for?"""
    note, person = letter.note, letter.person
    if note is None or not person.is_active:
        return False
    if person.pk == note.assignment.expert_id:
        return person.role == User.Role.EXPERT and note.answered_at is not None
    return person.role in MANAGERS and note.answered_at is None


def message_of(letter: Letter, say: Say) -> EmailMessage:
    """The letter in its reader's language; the same row always has the same Message-ID."""
    with override(language_of(letter.person)):
        subject, template, said = say(letter)
        return EmailMessage(
            subject=subject,
            body=render_to_string(template, {"person": letter.person, **said}).strip() + "\n",
            to=[letter.person.email],
            headers={"Message-ID": message_id(letter), **posting.letter_headers()},
        )


def _of_deadlines(reminders: Sequence[Reminder], _letter: Letter) -> Said:
    words = words_of(reminders)
    said = {"words": words, "link": link_to("annotator:queue")}
    return words.subject, "review/deadlines/letter.txt", said


def _of_note(letter: Letter) -> Said:
    note = letter.note
    essay = note.assignment.essay
    said = {
        "note": note,
        "essay": essay,
        "link": link_to("annotator:essay", essay.pk, part="#notes"),
    }
    if note.answered_at:
        return _("Razbor: your message is answered"), "review/notes/answered.txt", said
    return _("Razbor: a message of an expert"), "review/notes/written.txt", said


def _of_return(letter: Letter) -> Said:
    verdict = letter.verdict
    essay_set = verdict.protocol.essay_set
    subject = _("Razbor: the set “%s” was returned") % essay_set
    said = {"verdict": verdict, "set": essay_set, "link": link_to("review:verdicts", essay_set.pk)}
    return subject, "review/verdicts/letter.txt", said


def link_to(page: str, *args: object, part: str = "") -> str:
    """The whole address of a page; nothing where the platform does not know its own."""
    if not settings.PUBLIC_ADDRESS:
        return ""
    address = reverse(page, args=args)
    return f"{settings.PUBLIC_ADDRESS}{address}{part}"


def message_id(letter: Letter) -> str:
    """What a mail server and a reader know a letter by, however often it is sent."""
    return posting.message_id(f"deadlines.{letter.key}")


def language_of(person: User) -> str:
    """The language somebody chose for letters, else that of the settings."""
    terms = getattr(person, "letter_terms", None)
    return (terms.language if terms else "") or settings.MAIL_LANGUAGE


def why_not(person: User) -> str:
    """Why no letter is even tried: ``NO_ADDRESS``, or what was said of it before."""
    if not person.email:
        return NO_ADDRESS
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
    pause = posting.pause_after(letter.tries)
    if pause is None:
        _close(letter, state=Letter.State.REFUSED, error=reason[:300])
        return
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
