"""What the original's clients say, and what each is answered (original.md 1.2, 1.3, 1.6)."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.db.models import Q, QuerySet
from django.utils import translation
from django.utils.translation import gettext as _

from accounts.models import User
from contest.core.moments import moment_of
from contest.models import ExchangeSession, SessionFile
from contest.services.sessions.asking import Handed, essay_json, missed_files, repeat_file
from contest.services.sessions.ending import abort
from contest.services.sessions.opening import (
    FEWEST,
    LONGEST,
    MOST,
    SHORTEST,
    Wish,
    open_session,
    open_session_of,
)
from contest.services.sessions.program_logs import keep_program_log
from contest.services.sessions.refusals import SessionRefused
from contest.services.sessions.sending import Receipt, send, send_again
from contest.services.sessions.sending_together import Sending, send_together
from web.refusals import Refused

log = logging.getLogger("contest.gateway")

Mode = ExchangeSession.Mode
Door = ExchangeSession.Door
Pool = ExchangeSession.Pool
Say = tuple[str, Mapping[str, Any] | None]

ANSWER: Final = "session-file-send"
"""What answers a file: those that wait at a time are taken together."""
POOLS: Final = {"train": Pool.TRAINING, "test": Pool.TEST}
LANGUAGES: Final = ("rus", "eng", "all")
CLOSINGS: Final = {
    ExchangeSession.State.FINISHED: "finish",
    ExchangeSession.State.TIMEOUT: "timeout-close",
    ExchangeSession.State.LOST: "timeout-close",
}


@dataclass(frozen=True, slots=True)
class Reply:
    """What is said to a client. ``session``: the one it is attached to from now on, if it is one;
    ``seen``: files that opened later are pushed to it. ``leaves``: it ends its session. ``pause``:
    nothing is said yet, and it is to be done again after so many seconds.
    """

    says: tuple[Say, ...] = ()
    session: int | None = None
    seen: int = 0
    leaves: bool = field(default=False)
    pause: float = 0


def turned_away(person: User | None) -> Reply:
    """What somebody is told who has no business here: whose key is none, or no participant's."""
    why = (
        _("The key is unknown, has expired or was revoked.")
        if person is None
        else _("Only a participant’s account opens sessions.")
    )
    return of_message("connection-auth-error", why)


def displaced() -> Reply:
    """What a connection is told whose place a newer one has taken."""
    words = _("Another program has connected for this account: only the newest connection stays.")
    return of_message("connection-auth-error", words)


def of_message(name: str, message: str) -> Reply:
    """One event that carries a sentence, and nothing else: a client refuses unknown keys."""
    return Reply(((name, {"message": message}),))


def attached(session: ExchangeSession | None, moment: int) -> Reply:
    """A client has connected: the session it belongs to, or that there is none for it."""
    if session is None or session.door != Door.SOCKETIO:
        return of_message("session-auto-reconnect-error", why_none(session))
    return Reply(session=session.pk, seen=moment)


def answer(person: User, name: str, data: object, moment: int) -> Reply:
    """Do what an event asks for, whose message came at ``moment``; any event has an answer."""
    handler = HANDLERS.get(name)
    return handler(person, data, moment) if handler else Reply()


def start(person: User, data: object, moment: int) -> Reply:
    """Open a session: ``{"type", "params": {"dsType", "countFiles", "lang", "time"}}``."""
    try:
        wish = wish_of(data)
        session, _is_new = open_session(
            participant=person, wish=wish, door=Door.SOCKETIO, moment=moment
        )
    except Refused as refused:
        if refused.seconds is not None:
            return Reply(pause=refused.seconds)
        return of_message("session-start-error", str(refused))
    opened = ("session-start-success", {"sessionId": session.pk})
    return Reply((opened,), session=session.pk, seen=moment_of(session.opened_at) - 1)


def wish_of(data: object) -> Wish:
    """What is asked for. Raises ``Refused``; numbers may come as strings (original.md 1.2)."""
    said = data if isinstance(data, dict) else {}
    mode = str(said.get("type", "")).lower()
    if mode not in Mode.values:
        raise Refused(_("Choose a type of session: algorithmic, technical or final."))
    if mode != Mode.ALGORITHMIC:
        return Wish(Mode(mode))
    given = said.get("params")
    params = given if isinstance(given, dict) else {}
    pool = POOLS.get(str(params.get("dsType", "")).lower())
    language = str(params.get("lang", "all")).lower()
    if pool is None or language not in LANGUAGES:
        raise Refused(_("dsType is train or test, lang is rus, eng or all."))
    return Wish(
        Mode.ALGORITHMIC,
        pool,
        whole(params.get("countFiles"), "countFiles", FEWEST, MOST),
        whole(params.get("time"), "time", SHORTEST, LONGEST),
        language,
    )


def whole(value: object, name: str, least: int, most: int) -> int:
    """A whole number between two others. Raises ``Refused``."""
    text = str(value) if isinstance(value, int | str) and not isinstance(value, bool) else ""
    text = text.strip()[:10]
    if text.isascii() and text.isdigit() and least <= int(text) <= most:
        return int(text)
    sentence = _("%(name)s is a whole number from %(least)d to %(most)d.")
    raise Refused(sentence % {"name": name, "least": least, "most": most})


@dataclass(frozen=True, slots=True)
class Sent:
    """What a client sent as an answer, when its message was complete, and the language it reads."""

    person: User
    data: object
    moment: int
    language: str


def take(person: User, data: object, moment: int, *, is_again: bool = False) -> Reply:
    """Take an answer: ``{"sessionId", "fileId", "content"}``, the content as text.

    ``is_again``: it was tried before, and whether that came to anything is not known.
    """
    told, sending = sending_of(person, data, answered_by([(person, data)])[0], moment)
    if not isinstance(sending, Sending):
        return taken(told, sending)
    session, file = sending.session, sending.file
    try:
        if is_again:
            receipt = send_again(session=session, file=file, data=sending.data, moment=moment)
        else:
            receipt = send(session=session, file=file, data=sending.data, key=None, moment=moment)
    except SessionRefused as refused:
        return taken(told, refused)
    return taken(told, receipt)


def take_together(sent: Sequence[Sent]) -> list[Reply | None]:
    """Take the answers of different participants; ``None`` for one that is to be taken alone."""
    sessions = answered_by([(each.person, each.data) for each in sent])
    read = []
    for each, session in zip(sent, sessions, strict=True):
        with translation.override(each.language):
            read.append(sending_of(each.person, each.data, session, each.moment))
    sendings = [sending for _told, sending in read if isinstance(sending, Sending)]
    outcomes = dict(zip(map(id, sendings), send_together(sendings), strict=True))
    replies = []
    for each, (told, sending) in zip(sent, read, strict=True):
        outcome = outcomes[id(sending)] if isinstance(sending, Sending) else sending
        with translation.override(each.language):
            replies.append(None if outcome is None else taken(told, outcome))
    return replies


def sending_of(
    person: User, data: object, session: ExchangeSession | None, moment: int
) -> tuple[dict[str, Any], Sending | str]:
    """What every reply to an answer names, and what is to be taken, or why nothing is."""
    said = data if isinstance(data, dict) else {}
    file, content = said.get("fileId"), said.get("content")
    file = file if isinstance(file, str) else ""
    told: dict[str, Any] = {"sessionId": session.pk if session else False, "fileId": file[:80]}
    if session is None:
        return told, none_here(person)
    if names_another(said.get("sessionId"), session):
        return told, another_number()
    if not isinstance(content, str):
        return told, _("The content is the text of a JSON file.")
    return told, Sending(session, file, content.encode("utf-8"), moment)


def taken(told: Mapping[str, Any], outcome: Receipt | SessionRefused | str) -> Reply:
    """What is said of an answer that was taken, or was not."""
    if isinstance(outcome, Receipt):
        if outcome.reason is None:
            return Reply((("session-file-send-success", told),))
        outcome = outcome.event.why_in_a_message()
    else:  # no session's log tells of it
        log.info("an answer was not taken: session %(sessionId)s, file %(fileId)r", told)
    return Reply((("session-file-send-error", {**told, "message": str(outcome)}),))


def repeat(person: User, data: object, moment: int) -> Reply:
    """Hand out a file again.

    With ``lastFileId`` a client has just connected: it gets the file that is awaited, unless it has
    it (original.md 1.6). Where files overlap, others that it missed may be answered still: they are
    pushed before. Without, somebody asked for it.
    """
    said = data if isinstance(data, dict) else {}
    is_missed = "lastFileId" in said
    session = session_of(person)
    if session is None:
        return not_repeated(none_here(person), is_missed)
    if is_missed:
        return caught_up(session, said["lastFileId"], moment)
    try:
        handed = repeat_file(session_id=session.pk, moment=moment)
    except SessionRefused as error:
        return not_repeated(str(error), is_missed)
    return Reply((repeated(handed, is_missed),))


def caught_up(session: ExchangeSession, last: object, moment: int) -> Reply:
    """What a client missed that has ``last`` as its newest file."""
    name = last if isinstance(last, str) else ""
    missed = missed_files(session_id=session.pk, moment=moment, last=name)
    if not missed:
        return not_repeated(_("You missed no file that can be answered still."), True)
    before = tuple(available(each.slot) for each in missed[:-1])
    return Reply((*before, repeated(missed[-1], True)))


def repeated(handed: Handed, is_missed: bool) -> Say:
    told = available(handed.slot)[1] or {}
    return "session-file-repeat-success", {**told, "missed": is_missed}


def not_repeated(message: str, is_missed: bool) -> Reply:
    return Reply((("session-file-repeat-error", {"message": message, "missed": is_missed}),))


def reconnect(person: User, _data: object, moment: int) -> Reply:
    """Attach the connection to the open session again; files nobody got yet are pushed to it."""
    session = session_of(person)
    if session is None:
        return of_message("session-reconnect-error", none_here(person))
    missed = missed_files(session_id=session.pk, moment=moment, last=None)
    success = "session-reconnect-success", {"sessionId": session.pk}
    says = (success, *(available(each.slot) for each in missed))
    return Reply(says, session=session.pk, seen=moment)


def end(person: User, data: object, moment: int) -> Reply:
    """End the session; the client disconnects by itself then."""
    said = data if isinstance(data, dict) else {}
    session = session_of(person)
    if session is None:
        return of_message("session-client-abort-error", none_here(person))
    if names_another(said.get("sessionId"), session):
        return of_message("session-client-abort-error", another_number())
    try:
        abort(session_id=session.pk, moment=moment)
    except SessionRefused as error:
        return of_message("session-client-abort-error", str(error))
    says = (("session-client-abort-success", {"message": _("The session has been ended.")}),)
    return Reply(says, leaves=True)


def keep_logs(person: User, data: object, moment: int) -> Reply:
    """Keep what a client wrote into its own log: a list of entries."""
    try:
        keep_program_log(participant=person, entries=data, moment=moment)
    except Refused as refused:
        return of_message("logs-send-error", str(refused))
    return Reply((("logs-send-success", None),))


def closing(session_id: int, state: str, because: str) -> Say | None:
    """What a client is told of the end of its session; nothing of one it ended itself."""
    if state == ExchangeSession.State.STOPPED:
        return "session-abort", {"sessionId": session_id, "message": because}
    kind = CLOSINGS.get(ExchangeSession.State(state))
    return ("session-close", {"sessionId": session_id, "type": kind}) if kind else None


def available(slot: SessionFile) -> Say:
    """A file that has opened, for its client."""
    content = {"fileId": slot.name, "content": essay_json(slot.essay)}
    return "session-file-available", {"sessionId": slot.session_id, **content}


def session_of(person: User) -> ExchangeSession | None:
    """The open session of a participant, if it came through this door."""
    return through_here([person], Q(closed_at=None)).first()


def none_here(person: User) -> str:
    """Why nothing is done for somebody who has no open session that came through this door."""
    return why_none(open_session_of(person))


def why_none(present: ExchangeSession | None) -> str:
    """The same, where what is open by the other door is known."""
    if present is None:
        return _("You have no open session.")
    return _("Your open session goes through REST: end it there, or go on there.")


def another_number() -> str:
    return _("This is not the number of your open session.")


def answered_by(sent: Sequence[tuple[User, object]]) -> list[ExchangeSession | None]:
    """The sessions that answers of these people are for: the own one they name, else the open one.

    One that has ended logs what comes after it (sessions.md 4, ``closed``).
    """
    named = [number_in(data) for _person, data in sent]
    which = Q(closed_at=None) | Q(pk__in=[number for number in named if number])
    sessions = list(through_here([person for person, _data in sent], which))
    own = {(each.participant_id, each.pk): each for each in sessions}
    open_ones = {each.participant_id: each for each in sessions if each.is_open}
    return [
        own.get((person.pk, number or 0), open_ones.get(person.pk))
        for (person, _data), number in zip(sent, named, strict=True)
    ]


def through_here(people: Collection[User], which: Q) -> QuerySet[ExchangeSession]:
    """Those of the sessions of participants that came through this door."""
    return ExchangeSession.objects.filter(which, participant__in=people, door=Door.SOCKETIO)


def number_in(data: object) -> int | None:
    """The number of a session that a client names, if it names one."""
    given = data.get("sessionId") if isinstance(data, dict) else None
    text = str(given) if isinstance(given, int | str) and not isinstance(given, bool) else ""
    return int(text) if len(text) <= 18 and text.isascii() and text.isdecimal() else None


def names_another(given: object, session: ExchangeSession) -> bool:
    """Whether a client names the number of another session; after a restart it names none."""
    return given not in (None, False, session.pk, str(session.pk))


HANDLERS: Final[Mapping[str, Callable[[User, object, int], Reply]]] = {
    "session-start": start,
    ANSWER: take,
    "session-file-repeat": repeat,
    "session-reconnect": reconnect,
    "session-client-abort": end,
    "logs-send": keep_logs,
}
