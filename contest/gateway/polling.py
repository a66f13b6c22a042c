"""The next file of a REST session: a request waits for it, 25 seconds at most."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import Error
from django.utils import translation
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.tokens import user_of_token
from contest.access import may_exchange, own_session
from contest.gateway.hall import Hall
from contest.gateway.limits import LONGEST_POLL, POLLS, TURN
from contest.gateway.waiters import Waiter
from contest.services.sessions.asking import Handed, Wait, file_json, next_file, opens_next
from contest.services.sessions.refusals import SessionRefused


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)


async def poll(hall: Hall, session_id: int, token: str, language: str) -> Answer:
    """Answer a request for the next file: the file, or 204 when none opens in time.

    Of a participant few are served at a time, so that they keep nobody else waiting: one more takes
    the place of the one that has waited longest, which is answered 429.
    """
    try:
        participant = await hall.threads.read(whose, session_id, token, language)
        if isinstance(participant, Answer):
            return participant
        waiter = Waiter(participant, session_id)
        if not hall.waiters.admit(waiter):
            return too_many(language)
        try:
            return await answered(hall, waiter, token, language)
        finally:
            hall.waiters.dismiss(waiter)
    except Error:
        with translation.override(language):
            words = _("The database cannot be used just now. Try again.")
        return Answer(503, {"message": words, "code": "unavailable"}, {"retry-after": "2"})


async def answered(hall: Hall, waiter: Waiter, token: str, language: str) -> Answer:
    """Ask for the file, or wait for the look-out to hand one over that opens by the clock.

    Where it does not in time, it is asked for again.
    """
    deadline = asyncio.get_running_loop().time() + LONGEST_POLL
    while True:
        found = await asked(hall, waiter, token, language)
        if isinstance(found, Answer):
            return found
        waiter.seen = found.moment
        if found.seconds < TURN:  # the look-out may not look before
            hall.wake()
        left = deadline - asyncio.get_running_loop().time()
        is_woken = await waiter.woken_within(min(found.seconds + TURN, left))
        if waiter.is_displaced:
            return too_many(language)
        if waiter.handed is not None and await is_still(hall, waiter, token):
            return answer_of(waiter.handed)
        if found.seconds > left and not is_woken:
            return Answer(204, None, {"retry-after": str(math.ceil(found.seconds - left))})
        participant = await hall.threads.read(whose, waiter.session, token, language)
        if isinstance(participant, Answer):
            return participant


async def asked(hall: Hall, waiter: Waiter, token: str, language: str) -> Answer | Wait:
    """How long it is until the next file opens; where there is more to say, it is asked for."""
    moment = await hall.threads.moment()
    found = await hall.threads.read(opens_next, session_id=waiter.session, moment=moment)
    if found is not None:
        return found
    return await hall.threads.write(ask, waiter.session, token, moment, language)


async def is_still(hall: Hall, waiter: Waiter, token: str) -> bool:
    """Whether its key is good still: it may have been revoked while the request waited."""
    person = await hall.keys.owner(token)
    return person is not None and person.pk == waiter.participant and may_exchange(person)


def answer_of(handed: Handed) -> Answer:
    """A file that is handed out, as the answer to a request."""
    return Answer(200, json.loads(json.dumps(file_json(handed), default=in_utc)))


def too_many(language: str) -> Answer:
    """The answer to a request for which there is no room."""
    with translation.override(language):
        refused = SessionRefused("too-many-polls", most=POLLS)
    return Answer(
        refused.status, {"message": str(refused), "code": refused.code}, {"retry-after": "1"}
    )


def whose(session_id: int, token: str, language: str) -> int | Answer:
    """The participant whose session it is and who asks, or why it is not answered."""
    with translation.override(language):
        person: User | None = user_of_token(token) if token else None
        if person is None:
            words = _("The key is unknown, has expired or was revoked.")
            return Answer(401, {"message": words, "code": "authentication_failed"})
        if own_session(person, session_id) is None:
            return Answer(404, {"message": _("Not found."), "code": "not_found"})
        return person.pk


def ask(session_id: int, token: str, moment: int, language: str) -> Answer | Wait:
    """The next file as the answer to a request, or how long it is until one opens.

    Whose key it is, is asked again: it may have been revoked while the request waited.
    """
    participant = whose(session_id, token, language)
    if isinstance(participant, Answer):
        return participant
    with translation.override(language):
        try:
            found = next_file(session_id=session_id, moment=moment)
        except SessionRefused as refused:
            return Answer(refused.status, {"message": str(refused), "code": refused.code})
        if isinstance(found, Wait):
            return found
        return answer_of(found)


def in_utc(moment: datetime) -> str:
    """A moment as the other doors of the API write it."""
    return moment.isoformat().replace("+00:00", "Z")
