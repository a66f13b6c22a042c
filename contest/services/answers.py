"""Markups are made of the answers of a session that has ended; a job does it, a few at a time."""

from __future__ import annotations

from typing import Final

from django.db.models import QuerySet

from annotator.models import MarkupRecord
from annotator.services.markup import Brought, close, store_markups
from contest.models import ExchangeSession, SessionFile
from contest.queries.exchanged import sets_of, unread_of
from contest.queries.solutions import is_marked
from contest.services.content import judge_content
from contest.services.sending import stored_body
from jobs.models import Job
from jobs.services.work import Promise, fenced, order_all
from scoring.services.report_ordering import order_report_of_answers

CHUNK: Final = 20
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
    """Make markups of the answers to the files from one position to another. Safe to repeat."""
    session = ExchangeSession.objects.select_related("participant").get(pk=session_id)
    slots = answered_files(session).filter(position__range=(first, last), markup=None)
    for slot in slots:
        keep_answer(session, slot)
    if not unread_of(session.files.all()).exists():
        order_reports(session)


def order_reports(session: ExchangeSession) -> None:
    """Promise the reports of a session whose answers are all read, behind the figures of each."""
    with fenced():
        for set_id, _name in sets_of(session):
            order_report_of_answers(
                set_id=set_id, author_id=session.participant_id, origin=session.origin
            )


def keep_answer(session: ExchangeSession, slot: SessionFile) -> None:
    """Make the markup of one answer and announce it, as if it had been sent when it came."""
    body = stored_body(slot.answer) if slot.answer else None
    file = judge_content(slot.essay, body).file if body is not None else None
    if file is None or slot.answer is None:
        return
    brought = Brought(
        session.participant, MarkupRecord.Source.ALGORITHM, file, origin=session.origin
    )
    with fenced():
        held = SessionFile.objects.select_for_update(no_key=True).get(pk=slot.pk)
        if held.markup_id is not None:
            return
        (record,) = store_markups(essay=slot.essay, brought=[brought])
        MarkupRecord.objects.filter(pk=record.pk).update(submitted_at=slot.answer.at)
        record.refresh_from_db()
        SessionFile.objects.filter(pk=slot.pk).update(markup=record)
        close(record)
