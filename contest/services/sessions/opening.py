"""A participant's program opens a session: who may, under which rules, with which files."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from accounts.services.audit import audit
from annotator.models import Essay, EssaySet
from contest.access import may_exchange
from contest.core.moments import at, at_if_known, moment_of
from contest.core.session_json import FINAL, iso, rules_from_log
from contest.core.session_rules import Event, FileVerdict, Ineffective, Pace, What
from contest.core.timeline import Timeline
from contest.models import ExchangeSession, Phase, SessionFile
from contest.models import Final as PlannedFinal
from contest.queries.announced import told_to
from contest.queries.run_moments import counted, opened_until
from contest.queries.running import qualification_off
from contest.queries.sessions import essays_of_run, sessions_in
from contest.queries.teams import teams_acted_for
from contest.services.sessions.drawing import (
    TECHNICAL_FILES,
    draw,
    first_of,
    pool_of,
    technical_essays,
)
from contest.services.sessions.holding import Told
from contest.services.sessions.refusals import SessionRefused, in_the_zone
from contest.services.sessions.settling import settle_over
from web.sharing import keep
from web.zones import told_at

Mode = ExchangeSession.Mode
Door = ExchangeSession.Door
Pool = ExchangeSession.Pool

FEWEST, MOST = 10, 1000
"""Files of a qualification; fewer where there are no more essays."""
SHORTEST, LONGEST = 10, 60
"""Seconds of a qualification between two files, and for an answer."""
TESTS_A_DAY: Final = 5
"""Sessions with test essays a participant opens in 24 hours."""
QUALIFICATION: Final[Mapping[str, Any]] = {
    **FINAL,
    "window": None,
    "share": None,
    "linger": 300,
}
MOST_AN_HOUR: Final = 100
"""Sessions a participant opens in an hour: each is rows of up to a thousand files."""
TECHNICAL_INTERVAL: Final = 10
AHEAD: Final = 600_000_000
"""Microseconds before its start from which a final is opened; its rules say until when."""
PACES: Final = {Door.REST: Pace.ASKED, Door.SOCKETIO: Pace.SCHEDULE}


@dataclass(frozen=True, slots=True)
class Wish:
    """What a session is to be like; of a technical one and a final only ``mode`` is looked at.

    ``count`` files, ``seconds`` for each; ``language``: ``all``, ``rus`` or ``eng``. ``final``: its
    number, where several could be meant. ``rules``: what differs from the rules of the mode, for
    those who measure the platform in compressed time; programs have no say in it.
    """

    mode: Mode
    pool: Pool = Pool.TRAINING
    count: int = 300
    seconds: float = LONGEST
    language: str = "all"
    subject: str = ""
    essay_set: EssaySet | None = None
    final: int | None = None
    rules: Mapping[str, Any] | None = None


@transaction.atomic
def open_session(
    *, participant: User, wish: Wish, door: str, moment: int, key: str | None = None
) -> tuple[ExchangeSession, bool]:
    """Open a session at ``moment`` of the database's clock; and whether it is new.

    The same ``key`` opens the same session. Raises ``SessionRefused``: ``not-a-participant``,
    ``already-open``, ``settling``, ``too-often``, ``quota``, ``no-essays``, ``out-of-phase``; of
    finals ``no-final``, ``not-admitted``, ``not-the-team``, ``too-early``, ``too-late``, ``ended``;
    ``used-otherwise`` for the key of a session of another mode or another final.
    """
    if not may_exchange(participant):
        raise SessionRefused("not-a-participant")
    held = User.objects.select_for_update(no_key=True).get(pk=participant.pk)
    if not held.is_active:
        raise SessionRefused("not-a-participant")
    left = _settled_former(participant, moment)
    if key:
        bearing = ExchangeSession.objects.filter(participant=participant, key=key)
        known = bearing.select_related("final", "participant").first()
        if known:
            goes_on = known.is_open and left is None
            if _is_of_another_wish(known, wish, moment, goes_on=goes_on):
                raise SessionRefused("used-otherwise")
            return known, False
    _refuse_second(participant, left)
    _count_all(participant, wish.mode, moment)
    session = _session_of(participant, wish, Door(door), moment)
    session.key = key or None
    essays = _essays_of(session, wish)
    if not essays:
        raise SessionRefused("no-essays")
    if wish.mode == Mode.ALGORITHMIC:
        _refuse_out_of_phase(essays, moment)
    return _written(session, essays, moment), True


def _is_of_another_wish(known: ExchangeSession, wish: Wish, moment: int, *, goes_on: bool) -> bool:
    """Whether a key has opened something else than is wished for; a run that was cancelled is none
    of the finals that are ahead, nor is one that is over while another can be opened.
    """
    if known.mode != wish.mode or known.final is None:
        return known.mode != wish.mode
    if wish.final is not None:
        return wish.final != known.final_id
    return known.is_of_void_run or (not goes_on and _can_open_another(known, wish, moment))


def _can_open_another(known: ExchangeSession, wish: Wish, moment: int) -> bool:
    try:
        return _final_for(known.participant, wish, moment).pk != known.final_id
    except SessionRefused:
        return False


def _refuse_out_of_phase(essays: Sequence[Essay], moment: int) -> None:
    """Refuse test essays of a contest before its qualification and after it."""
    off = qualification_off({each.essay_set_id for each in essays}, at(moment))
    if off is not None:
        raise SessionRefused("out-of-phase", **told_of_phase(off))


def told_of_phase(phase: Phase) -> dict[str, Any]:
    """Contest, start and end of a phase, as whoever is too early or too late for it is told."""
    zone = phase.contest.zone
    dates = {"start": told_at(phase.starts_at, zone), "end": told_at(phase.ends_at, zone)}
    return {"contest": phase.contest, **dates}


def open_session_of(participant: User) -> ExchangeSession | None:
    """The session a participant has open, as far as is settled."""
    return ExchangeSession.objects.filter(participant=participant, closed_at=None).first()


def rules_for(wish: Wish, door: Door, final: PlannedFinal | None = None) -> dict[str, Any]:
    """The rules of a session, as its log names them."""
    if final is not None:
        rules = {**FINAL, **final.rules, "start": iso(moment_of(final.starts_at))}
    elif wish.mode == Mode.TECHNICAL:
        rules = {**QUALIFICATION, "pace": PACES[door].value, "interval": TECHNICAL_INTERVAL}
    else:
        seconds = {"interval": wish.seconds, "limit": wish.seconds}
        rules = {**QUALIFICATION, "pace": PACES[door].value, **seconds}
    return {**rules, **(wish.rules or {})}


def _settled_former(participant: User, moment: int) -> float | None:
    """Settle the session a participant has open, if it is over, as ``settle_over`` tells."""
    former = open_session_of(participant)
    return 0.0 if former is None else settle_over(session_id=former.pk, moment=moment)


def _refuse_second(participant: User, left: float | None) -> None:
    """Refuse a session beside one that goes on, or is settled in so many seconds."""
    if left == 0:
        return
    present = open_session_of(participant)
    number = present.pk if present else None
    if left is None:
        raise SessionRefused("already-open", session_id=number)
    raise SessionRefused("settling", session_id=number, seconds=left)


def _session_of(participant: User, wish: Wish, door: Door, moment: int) -> ExchangeSession:
    """The row of a session, not saved yet. Raises ``SessionRefused``."""
    session = ExchangeSession(
        participant=participant, mode=wish.mode, door=door, seed=secrets.randbits(62)
    )
    if wish.mode == Mode.FINAL:
        final = _final_for(participant, wish, moment)
        session.final, session.essay_set, session.seed = final, final.essay_set, final.seed
    elif wish.mode == Mode.ALGORITHMIC:
        if wish.pool == Pool.TEST:
            _count_tests(participant, moment)
        session.pool, session.language = wish.pool, wish.language
        session.essay_set = wish.essay_set
    session.rules = rules_for(wish, door, session.final)
    return session


def _count_all(participant: User, mode: Mode, moment: int) -> None:
    """Refuse what is more than an hour's number; others keep nobody from a final."""
    lately = ExchangeSession.objects.filter(
        participant=participant,
        final__isnull=mode != Mode.FINAL,
        opened_at__gt=at(moment) - timedelta(hours=1),
    )
    if lately.count() >= MOST_AN_HOUR:
        raise SessionRefused("too-often", most=MOST_AN_HOUR)


def _count_tests(participant: User, moment: int) -> None:
    """Refuse what is more than a day's number; what organisers stopped is not counted."""
    opened = ExchangeSession.objects.filter(
        participant=participant, pool=Pool.TEST, opened_at__gt=at(moment) - timedelta(days=1)
    ).exclude(state=ExchangeSession.State.STOPPED)
    if opened.count() >= TESTS_A_DAY:
        raise SessionRefused("quota", most=TESTS_A_DAY)


def _final_for(participant: User, wish: Wish, moment: int) -> PlannedFinal:
    """The final that is meant: the one named, else the next one that can be opened."""
    standing = PlannedFinal.objects.filter(cancelled_at=None).select_related("essay_set")
    standing = counted(standing).order_by("starts_at", "pk")
    if wish.final is not None:
        standing = standing.filter(pk=wish.final)
        if not standing:
            raise SessionRefused("no-final")
    taking_part = {"admissions__participant__team__excluded_at": None}
    admitted = list(standing.filter(admissions__participant=participant, **taking_part))
    if not admitted:
        _refuse_own_key(participant, standing, moment)
        is_told = wish.final is not None and standing.filter(told_to(participant)).exists()
        raise SessionRefused("not-admitted" if is_told else "no-final")
    held = sessions_in(admitted, participant)
    for each in admitted:
        if each.pk not in held and moment <= opened_until(each):
            _refuse_early(each, moment)
            return each
    last = admitted[-1]
    if last.pk in held:
        raise SessionRefused("ended", session_id=held[last.pk].pk)
    raise SessionRefused("too-late")


def _refuse_own_key(person: User, finals: QuerySet[PlannedFinal, Any], moment: int) -> None:
    """Tell somebody whose team could open one of these finals that the key is not the team's."""
    ahead = [each for each in finals if moment <= opened_until(each)]
    team = teams_acted_for(person).filter(account__admissions__final__in=ahead).first()
    if team is not None:
        raise SessionRefused("not-the-team", team=team.name)


def opens_from(final: PlannedFinal) -> int:
    """The first moment at which a session of a final is opened."""
    return moment_of(final.starts_at) - AHEAD


def _refuse_early(final: PlannedFinal, moment: int) -> None:
    if moment < opens_from(final):
        raise SessionRefused(
            "too-early",
            final=final,
            opens=in_the_zone(at(opens_from(final))),
            start=in_the_zone(final.starts_at),
        )


def _essays_of(session: ExchangeSession, wish: Wish) -> list[Essay]:
    if session.final is not None:
        return essays_of_run(session.final)
    if wish.mode == Mode.TECHNICAL:
        return first_of(technical_essays(session.participant), count=TECHNICAL_FILES)
    found: QuerySet[Essay] = pool_of(
        wish.pool,
        session.participant,
        language=wish.language,
        subject=wish.subject,
        essay_set=wish.essay_set,
    )
    return draw(found, count=wish.count, seed=session.seed)


def _written(session: ExchangeSession, essays: Sequence[Essay], moment: int) -> ExchangeSession:
    """Write the session, a slot for each file and the opening."""
    names = [essay.number for essay in essays]
    timeline = Timeline(rules_from_log(session.rules), names)
    event = Event(moment, What.OPEN)
    opened = Told(session, timeline, [])
    session.opened_at = session.last_event_at = at(moment)
    session.judged_until = at(moment - 1)
    session.state = ExchangeSession.State.OPEN
    session.size = len(essays)
    session.save()
    _refuse_cancelled(session)
    reason = opened.take(event)
    if reason is Ineffective.TOO_LATE:
        raise SessionRefused("too-late")
    SessionFile.objects.bulk_create(
        slot_of(session, number, essay, each)
        for number, (essay, each) in enumerate(
            zip(essays, timeline.verdicts(moment), strict=True), 1
        )
    )
    opened.store(event, reason)
    opened.keep(moment)
    audit(
        actor=session.participant,
        action="session.opened",
        target=session,
        mode=session.mode,
        door=session.door,
        files=len(essays),
    )
    return session


def _refuse_cancelled(session: ExchangeSession) -> None:
    """Refuse a final that was cancelled while its session, whose row is there now, was opened."""
    if session.final_id is None:
        return
    if (
        not keep(PlannedFinal.objects.filter(pk=session.final_id))
        .filter(cancelled_at=None)
        .exists()
    ):
        raise SessionRefused("no-final")


def slot_of(session: ExchangeSession, number: int, essay: Essay, each: FileVerdict) -> SessionFile:
    """The slot of a file, with its moments where the clock opens it."""
    return SessionFile(
        session=session,
        position=number,
        name=essay.number,
        essay=essay,
        opens_at=at_if_known(each.opens_at),
        due_at=at_if_known(each.due_at),
    )
