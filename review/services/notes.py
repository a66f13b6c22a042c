"""An expert writes to the coordinators about a check, one of them answers: each once."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Final

from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit
from accounts.services.limits import Limit, TooMany, take_each
from annotator.models import Assignment
from review.models import Letter, Note
from review.queries.notes import people_to_answer
from review.services.reminding import order
from web.refusals import Conflict, Refused

OFTEN: Final = Limit(tries=20, seconds=3600)
"""So many messages somebody may write in an hour."""


@transaction.atomic
def write_note(*, check: Assignment, key: uuid.UUID, words: str) -> Note:
    """Keep a message of a check's expert and order a letter to each who may answer it.

    With a ``key`` that was used before it is the message from then. Raises ``Refused`` for too
    many, and ``Conflict`` for a key of another check or of other words: those are not lost.
    """
    author = User.objects.select_for_update(no_key=True).get(
        pk=check.expert_id
    )  # of two presses one
    known = Note.objects.filter(key=key).first()
    if known is not None:
        if (known.assignment_id, known.words) != (check.pk, words):
            raise Conflict(
                _("Another message was sent with this form. Send this one too, if it is meant so.")
            )
        return known
    _count(author)
    note = Note.objects.create(assignment=check, key=key, words=words)
    audit(actor=author, action="note.written", target=note, assignment=check.pk)
    _tell(note, people_to_answer())
    return note


def _count(author: User) -> None:
    try:
        take_each({f"note:{author.pk}": OFTEN})
    except TooMany as error:
        message = _("You wrote %(tries)d messages within an hour. Wait %(minutes)d min, then send.")
        fields = {"tries": OFTEN.tries, "minutes": -(-error.seconds // 60)}
        raise Refused(message % fields) from None


@transaction.atomic
def answer_note(*, note: Note, words: str, actor: User) -> Note:
    """Answer a message, which closes it, and order a letter to its expert.

    The same answer sent twice is one. Raises ``Conflict`` where somebody answered otherwise.
    """
    held = Note.objects.select_for_update(of=("self",)).select_related("answered_by", "assignment")
    note = held.get(pk=note.pk)
    if note.answered_at is not None:
        if note.answered_by == actor and note.answer == words:
            return note
        raise Conflict(_("%s has answered meanwhile. Read the answer first.") % note.answered_by)
    note.answer, note.answered_by, note.answered_at = words, actor, Now()
    note.save(update_fields=["answer", "answered_by", "answered_at"])
    audit(actor=actor, action="note.answered", target=note, assignment=note.assignment_id)
    _tell(note, [note.assignment.expert])
    note.refresh_from_db(fields=["answered_at"])
    return note


def _tell(note: Note, people: Iterable[User]) -> None:
    order(Letter.objects.bulk_create(Letter(person=person, note=note) for person in people))
