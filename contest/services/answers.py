"""Markups are made of the answers of a session that has ended; a job does it, some at a time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.db.models import QuerySet

from annotator.services.answers import Answer, hand_in_answers
from contest.models import ExchangeSession, SessionFile
from contest.queries.exchanged import session_named, sets_of, unassessed_of
from contest.queries.solutions import is_marked
from contest.services.content import judge_content
from contest.services.sending import stored_body
from jobs.models import Job
from jobs.services.work import Promise, fenced, order_all
from scoring.services.report_ordering import order_report_of_answers

CHUNK: Final = 40
"""Answers of one job."""


def order_markups(*, session_id: int) -> None:
    """Promise markups of a session's answers, in the transaction in which it ended.

    None are made of technical sessions and rehearsals, and of what its program aborted, but for
    finals, which are judged all the same (sessions.md 7).
    """
    session = ExchangeSession.objects.select_related("final").get(pk=session_id)
    if not is_marked(session):
        return
    answered = [slot.position for slot in answered_files(session)]
    promises = [
        Promise(
            "contest.keep_answers",
            f"answers:{session_id}:{positions[0]}",
            {"session_id": session_id, "first": positions[0], "last": positions[-1]},
        )
        for positions in (answered[at : at + CHUNK] for at in range(0, len(answered), CHUNK))
    ]
    order_all(promises, priority=Job.Priority.RUNS)


def answered_files(session: ExchangeSession) -> QuerySet[SessionFile]:
    """The files that have an answer that counts."""
    found = session.files.filter(verdict=SessionFile.Verdict.COUNTED)
    return found.select_related("essay__essay_set", "answer").order_by("position")


def keep_answers(*, session_id: int, first: int, last: int) -> None:
    """Make markups of the answers to the files from one position to another. Safe to repeat.

    They are handed in together, as if each had been sent when it came.
    """
    session = ExchangeSession.objects.select_related("participant").get(pk=session_id)
    slots = answered_files(session).filter(position__range=(first, last), markup=None)
    read = {slot: answer for slot in slots if (answer := answer_of(slot)) is not None}
    with fenced():
        free = hold_unread(read)
        records = hand_in_answers(
            author=session.participant,
            origin=session.origin,
            answers=[read[slot] for slot in free],
        )
        for slot, record in zip(free, records, strict=True):
            slot.markup = record
        SessionFile.objects.bulk_update(free, ["markup"])


def answer_of(slot: SessionFile) -> Answer | None:
    """What was answered to a file, read again; ``None`` where it is not kept."""
    body = stored_body(slot.answer) if slot.answer else None
    file = judge_content(slot.essay, body).file if body is not None else None
    return Answer(slot.essay, file, slot.answer.at) if file and slot.answer else None


def hold_unread(slots: Iterable[SessionFile]) -> list[SessionFile]:
    """Those of the files that have no markup by now, held to the end of the transaction."""
    held = SessionFile.objects.select_for_update(no_key=True).order_by("pk")
    unread = held.filter(pk__in=[slot.pk for slot in slots], markup=None)
    free = set(unread.values_list("pk", flat=True))
    return [slot for slot in slots if slot.pk in free]


def order_reports(*, author_id: int, origin: str) -> None:
    """Promise the reports of a session once all its answers have their figures."""
    session = session_named(origin, author_id)
    if session is None or unassessed_of(session.files.all()).exists():
        return
    for set_id, _name in sets_of(session):
        order_report_of_answers(set_id=set_id, author_id=author_id, origin=origin)
