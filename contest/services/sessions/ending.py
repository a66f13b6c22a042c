"""A session is ended: by its participant's program, or by the organisers."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit
from contest.core.session_rules import Event, State, What
from contest.models import ExchangeSession
from contest.services.sessions.holding import Told, hold, in_order
from contest.services.sessions.refusals import SessionRefused
from web.refusals import Refused


def abort(*, session_id: int, moment: int) -> ExchangeSession:
    """The participant's program ends its session. Raises ``SessionRefused``: ``ended``.

    One of a final that waits for its start still is withdrawn: another one may be opened, by the
    same key, too.
    """
    return _end(session_id, What.ABORT, moment)


@transaction.atomic
def withdraw(*, session_id: int, reason: str, actor: User, moment: int) -> ExchangeSession:
    """Organisers end a session of a final that waits for its start, as its program might.

    Raises ``SessionRefused`` where it has ended.
    """
    session = _end(session_id, What.ABORT, moment)
    audit(actor=actor, action="session.withdrawn", target=session, reason=reason)
    return session


@transaction.atomic
def stop(*, session_id: int, reason: str, actor: User | None, moment: int) -> ExchangeSession:
    """Organisers end a session and say why. Raises ``SessionRefused`` where it has ended."""
    if not reason.strip():
        raise Refused(_("Say why the session is stopped: its participant reads it."))
    session = _end(session_id, What.STOP, moment)
    session.stopped_because = reason.strip()
    session.save(update_fields=["stopped_because"])
    audit(actor=actor, action="session.stopped", target=session, reason=session.stopped_because)
    return session


@transaction.atomic
def _end(session_id: int, what: What, moment: int) -> ExchangeSession:
    told = Told.of(hold(session_id))
    event = Event(in_order(told.session, moment), what)
    if told.timeline.has_ended(event.moment):
        raise SessionRefused("ended", session_id=session_id)
    is_early = told.timeline.state_at(event.moment) is State.WAITING
    told.session.withdrawn = what is What.ABORT and is_early and told.session.final_id is not None
    if told.session.withdrawn:
        told.session.key = None
    told.write(event)
    told.keep(event.moment)
    return told.session
