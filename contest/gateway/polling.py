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
from contest.access import may_exchange, sessions_seen_by
from contest.gateway.hall import Hall
from contest.gateway.limits import LONGEST_POLL, POLLS
from contest.gateway.waiters import Waiter
from contest.services.asking import Wait, file_json, next_file
from contest.services.refusals import SessionRefused


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
    """Ask for the file again and again, as soon as one may have opened."""
    deadline = asyncio.get_running_loop().time() + LONGEST_POLL
    while True:
        moment = await hall.threads.moment()
        found = await hall.threads.write(ask, waiter.session, token, moment, language)
        if isinstance(found, Answer):
            return found
        left = deadline - asyncio.get_running_loop().time()
        is_woken = await waiter.woken_within(min(found.seconds, left))
        if waiter.is_displaced:
            return too_many(language)
        if found.seconds > left and not is_woken:
            return Answer(204, None, {"retry-after": str(math.ceil(found.seconds - left))})


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
        if not may_exchange(person) or not sessions_seen_by(person).filter(pk=session_id).exists():
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
        return Answer(200, json.loads(json.dumps(file_json(found), default=in_utc)))


def in_utc(moment: datetime) -> str:
    """A moment as the other doors of the API write it."""
    return moment.isoformat().replace("+00:00", "Z")
