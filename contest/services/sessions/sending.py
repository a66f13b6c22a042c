"""An answer comes in: what it is, whether it counts, and what its sender is told."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import F

from annotator.models import Essay
from contest.core.moments import at, moment_of
from contest.core.session_rules import Content, Event, Ineffective, State, What
from contest.models import ExchangeSession, SessionEvent, SessionFile
from contest.services.sessions.content import Judged, judge_content
from contest.services.sessions.holding import Told, hold, in_order
from contest.services.sessions.refusals import SessionRefused
from web.prepared import Given, Prepared, PreparedUpdate

BODIES: Final = 10
"""Of what was sent to a file in vain so many contents are kept; of more the digest, and of what was
sent before it opened.
"""
LONGEST_NAME: Final = 80


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of a send. ``reason``: why it does not count, ``None`` when it was accepted.

    ``sends_left``: how many more answers to the file are looked at. ``next_at``: when the next
    file opens by the clock, as a moment; ``None`` where none does, or it is to be asked for.
    ``state``: how the session stands after it. ``repeated``: its key was used before, and this is
    what became of the first; ``differed``: that had another body or named another file.
    """

    event: SessionEvent
    reason: Ineffective | None
    sends_left: int
    next_at: int | None
    moment: int
    state: State
    repeated: bool = False
    differed: bool = False

    @property
    def accepted(self) -> bool:
        return self.reason is None

    @property
    def seconds_to_next(self) -> float | None:
        """Until the next file opens by the clock."""
        return None if self.next_at is None else max(0, self.next_at - self.moment) / 1_000_000


@dataclass(frozen=True, slots=True)
class Arrived:
    """What came, read before anything is locked."""

    named: str
    slot: SessionFile | None
    data: bytes
    judged: Judged
    digest: str


class Digest(str):
    """The key of a send whose program gave it none; only an accepted one bears it in the log."""

    __slots__ = ()


def digest_key(file: str, data: bytes) -> Digest:
    """The same file and content are the same."""
    return Digest(sha256(file.encode("utf-8", "surrogatepass") + b"\0" + data).hexdigest())


def send(
    *, session: ExchangeSession, file: str, data: bytes, key: str | None, moment: int
) -> Receipt:
    """Take ``data`` as an answer to ``file``; its message was complete at ``moment``.

    Whatever it is, it is written down and answered; nobody else's session is touched. ``key``: its
    sender's name of it, ``None`` where every message is a send of its own; under a ``Digest`` what
    was accepted is not taken again, and what was refused is judged anew. Raises
    ``SessionRefused``: ``too-large``, ``log-full``.
    """
    if is_too_large(data):
        raise SessionRefused("too-large", session_id=session.pk)
    arrived = arrived_at(_slot(session, file), file, data)
    with transaction.atomic():
        held = hold(session.pk)
        told = Told.of(held)
        if key is not None and told.timeline.knows(key):
            return _repeated(told, key, arrived, moment)
        named, content = arrived.named, arrived.judged.content
        event = Event(in_order(held, moment), What.SEND, named, content, key)
        return _written(told, event, arrived)


@transaction.atomic
def send_again(*, session: ExchangeSession, file: str, data: bytes, moment: int) -> Receipt:
    """Take an answer without a key that was tried before, and may have been written then.

    Where the log ends with this very message, only the word of its commit was lost.
    """
    held = hold(session.pk)
    last = held.log.defer("body").order_by("-number").first()
    same = SessionEvent.What.SEND.value, named_as(file), sha256(data).hexdigest()
    is_it = last is not None and (last.what, last.named, last.digest) == same
    if last is not None and is_it and moment_of(last.at) >= moment:
        return receipt_of(Told.of(held), last, moment_of(last.at))
    return send(session=session, file=file, data=data, key=None, moment=moment)


def named_as(file: str) -> str:
    """The name of a file as it is kept: no sign a database refuses, and not without end."""
    return "".join(sign if sign.isprintable() else "?" for sign in file)[:LONGEST_NAME]


def stored_body(event: SessionEvent) -> bytes | None:
    """What was sent, as it came; ``None`` where only its digest is kept."""
    return None if event.body is None else bytes(event.body)


def is_too_large(data: bytes) -> bool:
    return len(data) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE


def arrived_at(slot: SessionFile | None, file: str, data: bytes) -> Arrived:
    """What was sent, read: ``slot`` is the file it names, if there is one.

    For a name of nothing it is read all the same: how long that takes would tell names to come.
    """
    judged = judge_content(slot.essay if slot else _nobodys_essay(), data)
    if slot is None:
        judged = Judged(Content.FOREIGN)
    return Arrived(named_as(file), slot, data, judged, sha256(data).hexdigest())


def _nobodys_essay() -> Essay:
    """One whose text nobody sends."""
    return Essay(text=secrets.token_hex(16), subject=settings.SUBJECTS[0][0])


def row_of(told: Told, event: Event, arrived: Arrived) -> tuple[SessionEvent, Ineffective | None]:
    """The row of a send that is taken, not written yet, and why it does not count.

    What it is, is told of files that opened alone, and what is wrong with it of those that were
    handed out or may be: it says something of the essay. The content is kept of the former, too: of
    one to come it costs what a name of nothing does. Raises ``SessionRefused``: ``log-full``.
    """
    slot = arrived.slot
    taken = replace(event, key=None) if isinstance(event.key, Digest) else event
    reason = told.take(taken)
    if reason is None and taken is not event:
        told.timeline.know(event.key)
        told.log_as(event)
        taken = event
    has_opened = told.timeline.has_opened(event.file, event.moment)
    is_kept = slot is not None and has_opened and (reason is None or refused_so_far(slot) < BODIES)
    if not has_opened:
        taken = replace(taken, content=Content.FOREIGN)
        told.log_as(taken)
    row = told.row_of(
        taken,
        reason,
        slot=slot,
        digest=arrived.digest,
        length=len(arrived.data),
        body=arrived.data if is_kept else None,
        problems=arrived.judged.kept() if has_opened and _is_given(slot, event, reason) else [],
    )
    return row, reason


def _is_given(slot: SessionFile | None, event: Event, reason: Ineffective | None) -> bool:
    """Whether a file that opened can be had for the asking, or was handed out while it could."""
    if slot is None:
        return False
    is_due = slot.due_at is not None and at(event.moment) > slot.due_at
    return (not is_due and reason is not Ineffective.CLOSED) or slot.deliveries.exists()


def is_to_end(told: Told) -> bool:
    """Whether the session ends by what was taken; its end is kept once."""
    return told.timeline.closed_at is not None and told.session.is_open


def _slot(session: ExchangeSession, file: str) -> SessionFile | None:
    found = _SLOT(session=session.pk, name=named_as(file))
    return found[0] if found else None


_SLOT: Final = Prepared(
    lambda: (
        SessionFile.objects.filter(session=Given("session"), name=Given("name"))
        .select_related("essay")
        .order_by("pk")[:1]
    )
)


def _written(told: Told, event: Event, arrived: Arrived) -> Receipt:
    row, reason = row_of(told, event, arrived)
    row.save(force_insert=True)
    if arrived.slot is not None:
        _keep_slot(arrived.slot, row, reason)
    if is_to_end(told):
        told.keep(event.moment)
    else:
        told.save()
    return receipt_of(told, row, event.moment)


def refused_so_far(slot: SessionFile) -> int:
    """How much that was sent to a file in vain is kept by now; its session is held."""
    return SessionFile.objects.values_list("refused", flat=True).get(pk=slot.pk)


def _keep_slot(slot: SessionFile, row: SessionEvent, reason: Ineffective | None) -> None:
    if reason is None:
        _ANSWERED(pk=slot.pk, answer=row.pk)
    elif row.body is not None:
        count_refused([slot.pk])


_ANSWERED: Final = PreparedUpdate(
    lambda: SessionFile.objects.filter(pk=Given("pk")),
    verdict=SessionFile.Verdict.COUNTED,
    reason="",
    answer=Given("answer"),
    sends=F("sends") + 1,
)


def count_refused(slots: Collection[int]) -> None:
    """One more send to each of these files was in vain."""
    found = SessionFile.objects.filter(pk__in=slots, refused__lt=BODIES)
    found.update(refused=F("refused") + 1)


def _repeated(told: Told, key: str, arrived: Arrived, moment: int) -> Receipt:
    """What the first of this key was answered; nothing is written down."""
    first = told.session.log.defer("body").get(key=key)
    now = max(moment, moment_of(told.session.last_event_at))
    differed = (first.digest, first.named) != (arrived.digest, arrived.named)
    return replace(receipt_of(told, first, now), repeated=True, differed=differed)


def receipt_of(told: Told, row: SessionEvent, moment: int) -> Receipt:
    """What the sender of a row is told of it at ``moment``; of a file that has not opened just what
    is told where there is none.
    """
    is_over = told.timeline.has_ended(moment)
    takes_more = not is_over and told.timeline.has_opened(row.named, moment)
    sends = told.timeline.accepted(row.named) or 0
    return Receipt(
        event=row,
        reason=told.reasons[row.number],
        sends_left=told.timeline.rules.sends - sends if takes_more else 0,
        next_at=None if is_over else told.timeline.opens_after(moment),
        moment=moment,
        state=told.timeline.state_at(moment),
    )
