"""Sessions of the demo: two participants, whose programs are the example marker and a variant."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from datetime import timedelta
from io import BytesIO
from typing import Any, Final
from zipfile import ZipFile

from accounts.models import User
from annotator.models import EssaySet
from contest.core.moments import at, moment_of
from contest.models import ExchangeSession
from contest.models import Final as PlannedFinal
from contest.services.sessions.answers import keep_answers
from contest.services.sessions.asking import Handed, essay_json, next_file
from contest.services.sessions.clock import moment_now
from contest.services.sessions.finals import Planned, plan_final
from contest.services.sessions.opening import Wish, open_session
from contest.services.sessions.sending import send
from contest.services.sessions.settling import settle_due
from contest.services.uploads.parcels import send_parcel, take_parcel
from razbor.markers.rules import RULES, Rule, answer, articles, spelling

MODE: Final = ExchangeSession.Mode
DOOR: Final = ExchangeSession.Door.REST
SECOND: Final = 1_000_000
HOUR: Final = 3600 * SECOND
LIMIT: Final = 60
SLOW: Final = 3
"""The file that the variant answers too late."""
BROKEN: Final = 5
"""The file to which it sends what is no JSON first."""

VARIANT: Final = (articles, spelling)
UNMARKED: Final = "0001008"
"""An essay of which the second participant sent no markup."""

Pace = Callable[[int], list[tuple[float, bool]]]
"""Of a file's number: how many seconds after it an answer comes, and whether it can be read."""


def hold_sessions(good: User, middling: User) -> None:
    """A qualification of each, one after the other within the last two hours; markups are made of
    their answers, so that a board made afterwards knows them.
    """
    now = moment_now()
    first = _hold(good, _qualification("all"), RULES, now - 2 * HOUR, _swift)
    second = _hold(middling, _qualification("eng"), VARIANT, now - HOUR, _careless)
    settle_due()
    _keep(first)
    _keep(second)


def hold_test(person: User, essay_set: EssaySet, rules: Sequence[Rule], start: int) -> None:
    """A qualification on a test set; markups are made of its answers."""
    pool = ExchangeSession.Pool.TEST
    wish = Wish(MODE.ALGORITHMIC, pool, count=LIMIT, seconds=LIMIT, essay_set=essay_set)
    _keep(_hold(person, wish, rules, start, _swift))


def hold_final(
    person: User, final: PlannedFinal, rules: Sequence[Rule], skipped: Collection[int] = ()
) -> None:
    """A session of a final that is over, in which the answers to some files never came."""
    start = moment_of(final.starts_at)
    wish = Wish(MODE.FINAL, final=final.pk)
    session, _is_new = open_session(participant=person, wish=wish, door=DOOR, moment=start - SECOND)
    interval = round(session.rules["interval"] * SECOND)
    for number in range(1, session.size + 1):
        handed = _handed(session, start + (number - 1) * interval + SECOND)
        if number not in skipped:
            _answer(session, handed, rules, _swift(number))
    settle_due()
    _keep(session)


def send_archive(person: User, essay_set: EssaySet) -> None:
    """An archive with a markup of an essay the person has none of, and two files to be refused."""
    essay = essay_set.essays.get(number=UNMARKED)
    content = BytesIO()
    with ZipFile(content, "w") as archive:
        archive.writestr(f"{UNMARKED}.json", json.dumps(answer(essay_json(essay), VARIANT)))
        archive.writestr("0009999.json", json.dumps({"selections": []}))
        archive.writestr("photo.jpg", "-")
    content.seek(0)
    parcel, _is_new = send_parcel(
        participant=person, essay_set=essay_set, name="markups.zip", stream=content
    )
    take_parcel(parcel_id=parcel.pk, first=1)


def plan_rehearsal(essay_set: EssaySet, admitted: Sequence[User], organiser: User) -> None:
    """A rehearsal of the final, tomorrow at this time."""
    starts_at = at(moment_now()) + timedelta(days=1)
    kind = PlannedFinal.Kind.REHEARSAL
    planned = Planned("Репетиция финала", essay_set, starts_at, kind, count=5, seed=1)
    plan_final(planned=planned, admitted=admitted, actor=organiser)


def _qualification(language: str) -> Wish:
    return Wish(MODE.ALGORITHMIC, count=LIMIT, seconds=LIMIT, language=language)


def _hold(
    person: User, wish: Wish, rules: Sequence[Rule], start: int, pace: Pace
) -> ExchangeSession:
    session, _is_new = open_session(participant=person, wish=wish, door=DOOR, moment=start)
    moment = start
    for number in range(1, session.size + 1):
        handed = _handed(session, moment + SECOND)
        moment = _answer(session, handed, rules, pace(number))
    return session


def _handed(session: ExchangeSession, moment: int) -> Handed:
    handed = next_file(session_id=session.pk, moment=moment)
    if not isinstance(handed, Handed):
        raise TypeError("a file that is asked for is handed out")
    return handed


def _answer(
    session: ExchangeSession,
    handed: Handed,
    rules: Sequence[Rule],
    answers: Sequence[tuple[float, bool]],
) -> int:
    """Send the markup of a file, whole or cut short; the moment of the last sending."""
    moment = handed.moment
    essay = essay_json(handed.slot.essay)
    whole = json.dumps({**essay, **answer(essay, rules)}, ensure_ascii=False).encode()
    for seconds, is_sound in answers:
        moment = handed.moment + round(seconds * SECOND)
        data: Any = whole if is_sound else whole[:-9]
        send(session=session, file=handed.slot.name, data=data, key=None, moment=moment)
    return moment


def _keep(session: ExchangeSession) -> None:
    keep_answers(session_id=session.pk, first=1, last=session.size)


def _swift(number: int) -> list[tuple[float, bool]]:
    return [(2 + number % 5 * 0.7, True)]


def _careless(number: int) -> list[tuple[float, bool]]:
    if number == SLOW:
        return [(LIMIT + 4.2, True)]
    sound = (12 + number * 5.5, True)
    return [(6.5, False), sound] if number == BROKEN else [sound]
