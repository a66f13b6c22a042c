"""What the gateway does while it waits, without a socket and without a database."""

from __future__ import annotations

import asyncio

from contest.gateway import visits
from contest.gateway.hall import Hall
from contest.gateway.links import Link
from contest.gateway.threads import Threads
from contest.gateway.visits import Visit

PATIENCE = 10


class Watched(Hall):
    """A look-out to whose first look something happens; at the second it has seen enough."""

    def __init__(self, at_first):
        super().__init__(Threads(), "watched")
        self.looks = 0
        self.at_first = at_first
        self.seen_enough = asyncio.Event()

    async def look(self):
        self.looks += 1
        if self.looks == 1:
            self.at_first(self)
        if self.looks == 2:
            self.seen_enough.set()
        return PATIENCE * 2


async def looks_twice(at_first, monkeypatch):
    monkeypatch.setattr("contest.gateway.hall.TURN", 0.01)
    hall = Watched(at_first)
    watch = asyncio.ensure_future(hall.watch())
    try:
        await asyncio.wait_for(hall.seen_enough.wait(), PATIENCE)
    finally:
        watch.cancel()
        hall.threads.close()
    return hall.looks


def test_a_look_that_fails_is_told_and_does_not_end_the_look_out(monkeypatch, caplog):
    def fail(_hall):
        raise KeyError("nobody thought of this")

    assert asyncio.run(looks_twice(fail, monkeypatch)) == 2
    assert "nobody thought of this" in caplog.text


def test_a_session_that_is_opened_during_a_look_is_looked_for_at_once(monkeypatch):
    assert asyncio.run(looks_twice(Hall.wake, monkeypatch)) == 2


def test_a_stranger_wins_no_time_with_pings(monkeypatch):
    monkeypatch.setattr(visits, "INTRODUCTION", 0.2)
    written = []

    async def send(message):
        written.append(message)

    async def ping():
        await asyncio.sleep(0.01)
        return {"type": "websocket.receive", "text": "2"}

    async def come():
        threads = Threads()
        visit = Visit(Hall(threads, "strangers"), Link(send, "en"))
        try:
            await asyncio.wait_for(visit.last(ping), PATIENCE)
        finally:
            threads.close()

    asyncio.run(come())

    assert written[-1] == {"type": "websocket.close", "code": 1000}
    assert "3" in [message.get("text") for message in written]
