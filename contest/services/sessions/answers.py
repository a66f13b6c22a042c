"""Markups are made of the answers of a session that has ended; a job does it, some at a time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.db.models import QuerySet

from annotator.services.answers import Answer, hand_in_answers
from contest.models import ExchangeSession, SessionFile
from contest.queries.exchanged import key_of_answers, session_named, sets_of, unassessed_of
from contest.queries.solutions import is_marked
from contest.services.sessions.content import judge_content
from contest.services.sessions.sending import stored_body
from jobs.models import Job
from jobs.services.work import Promise, fenced, order_all
from scoring.services.report_ordering import order_report_of_answers

OF_SESSION: Final = "contest.keep_answers"
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
    chunks = (answered[at : at + CHUNK] for at in range(0, len(answered), CHUNK))
    promises = (_promise(session_id, chunk[0], chunk[-1]) for chunk in chunks)
    order_all(promises, priority=Job.Priority.RUNS)


def order_each_of_answers(*, job_id: int) -> None:
    """Promise markups of answers one by one where those of a chunk were given up.

    So one that cannot be read keeps the others from nothing, and fails by its own name; then the
    report is promised without it.
    """
    job = Job.objects.filter(pk=job_id, kind=OF_SESSION).first()
    if job is None:
        return
    session = ExchangeSession.objects.select_related("participant").get(pk=job.args["session_id"])
    first, last = job.args["first"], job.args["last"]
    if first == last:
        order_reports(author_id=session.participant_id, origin=session.origin)
        return
    slots = answered_files(session).filter(position__range=(first, last), markup=None)
    promises = (_promise(session.pk, slot.position, slot.position) for slot in slots)
    order_all(promises, priority=Job.Priority.RUNS)


def _promise(session_id: int, first: int, last: int) -> Promise:
    args = {"session_id": session_id, "first": first, "last": last}
    return Promise(OF_SESSION, key_of_answers(session_id, first, last), args)


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
    """Promise the reports of a session once all its answers have their figures.

    The session is held: of two answers that end at once, one with figures and one given up, the
    later sees both.
    """
    session = session_named(origin, author_id)
    if session is None:
        return
    ExchangeSession.objects.select_for_update(no_key=True).get(pk=session.pk)
    if unassessed_of(session.files.all()).exists():
        return
    for set_id, _name in sets_of(session):
        order_report_of_answers(set_id=set_id, author_id=author_id, origin=origin)
