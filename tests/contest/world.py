"""Sets, participants and answers for sessions; moments are seconds after the opening."""

from __future__ import annotations

import asyncio
import json
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from queue import SimpleQueue

from django.db import connection, transaction

from annotator.models import MarkupRecord
from contest.core.moments import at
from contest.gateway.hall import Hall
from contest.gateway.threads import Threads
from contest.models import Delivery, ExchangeSession
from contest.services.sessions.asking import next_file
from contest.services.sessions.clock import moment_now
from contest.services.sessions.finals import Planned, plan_final
from contest.services.sessions.holding import hold
from contest.services.sessions.opening import Wish, open_session
from contest.services.sessions.sending import send
from tests.factories import TEXT, EssayFactory, EssaySetFactory, PersonFactory, submitted
from tests.patience import PATIENCE
from tests.strategies import fragment

SECOND = 1_000_000
Mode, Door, Pool = ExchangeSession.Mode, ExchangeSession.Door, ExchangeSession.Pool


def team():
    return PersonFactory(role="participant")


def marked_set(essays=12, access="open", **fields):
    """A set whose essays two experts have marked."""
    found = EssaySetFactory(access=access, **fields)
    for _ in range(essays):
        essay = EssayFactory(essay_set=found)
        for _expert in range(2):
            submitted(essay, fragment(0, 4), source=MarkupRecord.Source.EXPERT)
    return found


def unmarked_set(essays=3, text=TEXT):
    found = EssaySetFactory(access="final")
    for _ in range(essays):
        EssayFactory(essay_set=found, text=text)
    return found


def final_at(moment, *people, essays=3, text=TEXT, **rules):
    """A final that starts at a moment; spans of ``rules`` are seconds."""
    found = unmarked_set(essays, text)
    planned = Planned(f"Final {moment}", found, at(moment), rules=rules, seed=7)
    return plan_final(planned=planned, admitted=people, actor=None)


def wish(mode=Mode.ALGORITHMIC, **fields):
    return Wish(mode, **{"count": 10, "seconds": 10, **fields})


class Client:
    """A participant's program; ``after`` is seconds after the opening of its session."""

    def __init__(self, person=None, door=Door.REST, moment=None, **fields):
        self.person = person or team()
        self.start = moment_now() if moment is None else moment
        self.session, self.is_new = open_session(
            participant=self.person, wish=wish(**fields), door=door, moment=self.start
        )

    def moment(self, after):
        return self.start + round(after * SECOND)

    def next(self, after):
        return next_file(session_id=self.session.pk, moment=self.moment(after))

    def send(self, slot, after, data=None, key=None, **content):
        data = answer(slot.essay, **content) if data is None else data
        return send(
            session=self.session, file=slot.name, data=data, key=key, moment=self.moment(after)
        )

    @property
    def row(self):
        return ExchangeSession.objects.get(pk=self.session.pk)

    def verdicts(self):
        found = self.session.files.order_by("position")
        return [reason or verdict for verdict, reason in found.values_list("verdict", "reason")]


def answer(essay, code="А.грамм", text=None, spans=((0, 4),)):
    """The bytes of a markup of an essay, as a program sends it."""
    selections = [
        {"id": number, "startSelection": start, "endSelection": end, "type": code, "group": "error"}
        for number, (start, end) in enumerate(spans)
    ]
    return json.dumps(
        {
            "meta": {"id": essay.number, "subject": essay.subject},
            "text": essay.text if text is None else text,
            "selections": selections,
        }
    ).encode()


def handed(essay, participant=None):
    """A participant whose program was given an essay, in a session that is long over."""
    session = ExchangeSession.objects.create(
        participant=participant or team(),
        mode=Mode.TECHNICAL,
        door=Door.REST,
        rules={},
        seed=1,
        size=1,
        state=ExchangeSession.State.FINISHED,
        **dict.fromkeys(["opened_at", "closed_at", "last_event_at", "judged_until"], at(0)),
    )
    slot = session.files.create(position=1, name=essay.number, essay=essay)
    Delivery.objects.create(slot=slot, at=at(0))
    return session.participant


def spoilt(door=Door.REST):
    """An open session that nothing can be written to any more: its rules are none."""
    return ExchangeSession.objects.create(
        participant=team(),
        mode=Mode.TECHNICAL,
        door=door,
        rules={"pace": "unheard-of"},
        seed=1,
        size=1,
        state=ExchangeSession.State.OPEN,
        **dict.fromkeys(["opened_at", "last_event_at", "judged_until", "falls_due_at"], at(0)),
    )


class OurThreads(Threads):
    """What the gateway leaves to its threads is done by the test's own, which sees its rows."""

    def __init__(self):
        super().__init__()
        self.jobs = SimpleQueue()

    async def _done(self, _pool, call, *args, **kwargs):
        done = Future()
        self.jobs.put((done, partial(call, *args, **kwargs)))
        return await asyncio.wrap_future(done)

    def serve(self):
        """Do what comes until there is no more."""
        while (job := self.jobs.get()) is not None:
            done, call = job
            if not done.set_running_or_notify_cancel():
                continue
            try:
                done.set_result(call())
            except Exception as error:
                done.set_exception(error)


def played(story):
    """What ``story(hall)`` comes to; nobody looks out in the hall but the story."""
    threads = OurThreads()
    with ThreadPoolExecutor(1) as loop:
        found = loop.submit(asyncio.run, story(Hall(threads, "played")))
        found.add_done_callback(lambda _: threads.jobs.put(None))
        threads.serve()
    threads.close()
    return found.result()


class Holder(threading.Thread):
    """Holds the row of a session until it lets go, or is left."""

    def __init__(self, session):
        super().__init__(daemon=True)
        self.session = session
        self.has_it, self.goes = threading.Event(), threading.Event()

    def __enter__(self):
        self.start()
        assert self.has_it.wait(PATIENCE)
        return self

    def __exit__(self, *_failure):
        self.goes.set()
        self.join()

    def let_go_in(self, seconds):
        threading.Timer(seconds, self.goes.set).start()

    def run(self):
        with transaction.atomic():
            hold(self.session.pk)
            self.has_it.set()
            self.goes.wait()
        connection.close()
