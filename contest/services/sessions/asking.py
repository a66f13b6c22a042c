"""Files are handed out: the next one, or the one whose answer is awaited once more."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from annotator.core.codec import file_to_json
from annotator.core.values import MarkedFile, Markup
from annotator.models import Essay
from contest.core.moments import at, moment_of
from contest.core.session_rules import Event, FileVerdict, Ineffective, Pace, State, Verdict, What
from contest.models import Delivery, ExchangeSession, SessionFile
from contest.services.sessions.holding import Told, hold, in_order
from contest.services.sessions.refusals import SessionRefused

MOST_DELIVERIES: Final = 100
"""So many hand-outs of a file are written down."""


@dataclass(frozen=True, slots=True)
class Handed:
    """A file that is handed out, and its last moment by the database's clock."""

    slot: SessionFile
    due_at: int
    moment: int

    @property
    def seconds_left(self) -> float:
        """Until its last moment; 0 when that has passed."""
        return max(0, self.due_at - self.moment) / 1_000_000


@dataclass(frozen=True, slots=True)
class Wait:
    """No file is open yet; the next one opens at this moment of the database's clock."""

    until: int
    moment: int

    @property
    def seconds(self) -> float:
        return max(0, self.until - self.moment) / 1_000_000


def essay_json(essay: Essay) -> dict[str, Any]:
    """An essay as participants' programs get it: ``meta`` and ``text``, no markup."""
    written = file_to_json(MarkedFile(essay.meta(), Markup(essay.text)))
    return {"meta": written["meta"], "text": written["text"]}


def file_json(found: Handed) -> dict[str, Any]:
    """A file that is handed out."""
    slot = found.slot
    return {
        "session": slot.session_id,
        "file": slot.name,
        "position": slot.position,
        "files": slot.session.size,
        "opens_at": slot.opens_at,
        "due_at": slot.due_at,
        "seconds_left": found.seconds_left,
        "essay": essay_json(slot.essay),
    }


@transaction.atomic
def next_file(*, session_id: int, moment: int) -> Handed | Wait:
    """Hand out the next file, asked for at ``moment``; by the clock one that is open.

    One that was handed out and is not answered is handed out again, and its clock runs on. Raises
    ``SessionRefused``: ``ended`` or ``nothing-left``.
    """
    session = hold(session_id)
    told = Told.of(session)
    moment = in_order(session, moment)
    if told.timeline.rules.pace is Pace.ASKED:
        return _asked(told, moment)
    judged = told.timeline.judgement(moment)
    _refuse_ended(judged.state)
    open_files = {each.file: each for each in judged.files if each.verdict is Verdict.OPEN}
    if open_files:
        slot = _slots(session, open_files).order_by("was_handed", "position")[0]
        return _handed(slot, open_files[slot.name], moment)
    opens_at = told.timeline.opens_after(moment)
    if opens_at is None:
        raise SessionRefused("nothing-left", session_id=session.pk)
    return Wait(opens_at, moment)


def opens_next(*, session_id: int, moment: int) -> Wait | None:
    """When the next file opens by the clock, of a session in which none waits for an answer.

    ``None`` where there is more to say, which ``next_file`` does. Nothing is held or written.
    """
    session = ExchangeSession.objects.filter(pk=session_id, closed_at=None).first()
    if session is None or session.rules.get("pace") != Pace.SCHEDULE.value:
        return None
    slots, now = session.files.order_by("opens_at"), at(moment)
    unanswered = slots.exclude(verdict=SessionFile.Verdict.COUNTED)
    if unanswered.filter(opens_at__lte=now, due_at__gte=now).exists():
        return None
    opens_at = slots.filter(opens_at__gt=now).values_list("opens_at", flat=True).first()
    return None if opens_at is None else Wait(moment_of(opens_at), moment)


@transaction.atomic
def repeat_file(*, session_id: int, moment: int) -> Handed:
    """Hand out the file once more whose answer is awaited, the latest that opened.

    Raises ``SessionRefused``: ``ended``, or ``no-file`` where no answer is awaited.
    """
    session = hold(session_id)
    told = Told.of(session)
    moment = in_order(session, moment)
    judged = told.timeline.judgement(moment)
    _refuse_ended(judged.state)
    awaited = [each for each in judged.files if each.verdict is Verdict.OPEN]
    if not awaited:
        raise SessionRefused("no-file", session_id=session.pk)
    slot = _slots(session, [awaited[-1].file]).get()
    return _handed(slot, awaited[-1], moment)


@transaction.atomic
def missed_files(*, session_id: int, moment: int, last: str | None) -> list[Handed]:
    """Hand out what opened while a program was away and can be answered still, the earliest first.

    ``last``: the newest file it has; of what follows it everything is missed, and so is everything
    where it is none that has opened in this session. ``None``: it does not say, and missed is what
    was never handed out. Of a session that has ended nothing is.
    """
    session = hold(session_id)
    told = Told.of(session)
    moment = in_order(session, moment)
    judged = told.timeline.judgement(moment)
    if judged.state is not State.OPEN:
        return []
    names = [each.file for each in judged.files if each.verdict is not Verdict.WAITING]
    seen = names.index(last) + 1 if last in names else 0
    awaited = {each.file: each for each in judged.files[seen:] if each.verdict is Verdict.OPEN}
    return [
        _handed(slot, awaited[slot.name], moment)
        for slot in _slots(session, awaited)
        if last is not None or not slot.was_handed
    ]


@transaction.atomic
def note_deliveries(*, pushed: Collection[tuple[int, int]]) -> None:
    """Write down that files were pushed: numbers of slots, each with its moment. Safe to repeat."""
    slots = [slot for slot, _moment in pushed]
    noted = set(Delivery.objects.filter(slot__in=slots).values_list("slot", "at"))
    rows = [(slot, at(moment)) for slot, moment in pushed]
    Delivery.objects.bulk_create(
        Delivery(slot_id=slot, at=time) for slot, time in rows if (slot, time) not in noted
    )


def note_delivery(slot: SessionFile, moment: int) -> None:
    """Write down that a file was handed out to somebody who asked."""
    if slot.deliveries.count() < MOST_DELIVERIES:
        Delivery(slot=slot, at=at(moment)).save(force_insert=True)


def _asked(told: Told, moment: int) -> Handed:
    """The file that is open, or the one that opens by this asking, which is written down."""
    session, timeline = told.session, told.timeline
    outstanding = timeline.outstanding(moment)
    if outstanding is None:
        event = Event(moment, What.ASK)
        refusal = told.take(event)
        if refusal is Ineffective.NOTHING_LEFT:
            raise SessionRefused("nothing-left", session_id=session.pk)
        if refusal is not None:
            raise SessionRefused("ended", session_id=session.pk)
        told.store(event, refusal)
        told.save()
        outstanding = timeline.outstanding(moment)
    opened = next(each for each in timeline.verdicts(moment) if each.file == outstanding)
    slot = _slots(session, [opened.file]).get()
    if slot.opens_at is None and opened.opens_at is not None and opened.due_at is not None:
        slot.opens_at, slot.due_at = at(opened.opens_at), at(opened.due_at)
        slot.verdict = SessionFile.Verdict.OPEN
        slot.save(update_fields=["opens_at", "due_at", "verdict"])
    return _handed(slot, opened, moment)


def _handed(slot: SessionFile, each: FileVerdict, moment: int) -> Handed:
    note_delivery(slot, moment)
    return Handed(slot, each.due_at or 0, moment)


def _slots(session: ExchangeSession, names: Collection[str]) -> QuerySet[Any]:
    """The files of these names in their order; ``was_handed``: one of them is no news."""
    found = session.files.filter(name__in=names).select_related("essay", "session")
    was_handed = Exists(Delivery.objects.filter(slot=OuterRef("pk")))
    return found.annotate(was_handed=was_handed).order_by("position")


def _refuse_ended(state: State) -> None:
    if state not in (State.OPEN, State.WAITING):
        raise SessionRefused("ended")
