"""What fell due is settled by tick, five seconds later: no lock and no queue annuls a file."""

from __future__ import annotations

from django.db import transaction
from django.db.models import QuerySet

from contest.core.moments import at, moment_of
from contest.core.session_rules import Judgement, Verdict
from contest.models import ExchangeSession
from contest.queries.judging import GRACE
from contest.services.rounds import AT_ONCE, each_alone
from contest.services.sessions.clock import moment_now
from contest.services.sessions.holding import Told, hold, in_order


def settle_due(*, moment: int | None = None) -> int:
    """Settle the sessions in which something fell due; returns how many.

    A session that is being written to is left for the next round, and so is one that cannot be
    settled, which is logged: the others do not wait for it. Safe to run twice at once.
    """
    now = moment_now() if moment is None else moment
    numbers = list(falling_due(now).values_list("pk", flat=True)[:AT_ONCE])

    def settled(number: int) -> bool:
        return settle_if_due(session_id=number, moment=now)

    return each_alone(settled, numbers, "session %s cannot be settled")


def falling_due(moment: int) -> QuerySet[ExchangeSession]:
    """Open sessions in which something fell due so long ago that it can be settled."""
    found = ExchangeSession.objects.filter(closed_at=None, falls_due_at__lte=at(moment - GRACE))
    return found.order_by("falls_due_at")


@transaction.atomic
def settle_if_due(*, session_id: int, moment: int) -> bool:
    """Settle a session as of five seconds before ``moment``; true when it has ended."""
    held = falling_due(moment).select_for_update(of=("self",), no_key=True, skip_locked=True)
    session = held.filter(pk=session_id).first()
    if session is None:
        return False
    settle(Told.of(session), moment - GRACE)
    return not session.is_open


@transaction.atomic
def settle_over(*, session_id: int, moment: int) -> float | None:
    """Settle a session that is over at ``moment``: whoever has it opens another one.

    Returns the seconds until it can be, 0 where it is: a file that fell due within the last ones is
    annulled no sooner than any other. ``None`` for a session that goes on.
    """
    session = hold(session_id)
    if not session.is_open:
        return 0.0
    if session.falls_due_at is None or session.falls_due_at >= at(moment):
        return None  # nothing fell due: a program that asks again and again costs no log
    told, moment = Told.of(session), in_order(session, moment)
    timeline, last = told.timeline, moment_of(session.last_event_at) - 1
    before = timeline.judgement(max(last, moment - GRACE))
    if not timeline.has_ended(moment):
        return None
    over = timeline.judgement(moment - 1)
    if over.closed_at is not None and _annuls_more(before, over):
        return (over.closed_at + GRACE - moment) / 1_000_000
    settle(told, moment - 1)
    return 0.0


def _annuls_more(before: Judgement, now: Judgement) -> bool:
    """Whether files were annulled between the two."""
    return any(
        later.verdict is Verdict.ANNULLED and earlier.verdict is not Verdict.ANNULLED
        for earlier, later in zip(before.files, now.files, strict=True)
    )


def settle(told: Told, until: int) -> None:
    """Keep what is judged of a session that is held; nothing later than its last event but one."""
    told.keep(max(until, moment_of(told.session.last_event_at) - 1))
