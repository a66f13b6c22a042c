"""What the gateway does while it waits, without a socket and without a database."""

from __future__ import annotations

import asyncio

from contest.gateway import application, visits
from contest.gateway.application import Gateway
from contest.gateway.hall import Hall
from contest.gateway.links import Link
from contest.gateway.threads import Threads
from contest.gateway.visits import Visit
from tests.patience import PATIENCE


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


SOCKET = {
    "type": "websocket",
    "path": "/socket.io/",
    "query_string": b"EIO=3&transport=websocket",
    "headers": [],
}


async def silent_ones(count):
    """What so many connections are told, that come one after the other and say nothing."""
    gateway = Gateway("crowded")
    threads = Threads()
    gateway.hall = Hall(threads, "crowded")
    told = [[] for _ in range(count)]

    async def come(written):
        said = [{"type": "websocket.connect"}]

        async def receive():
            if not said:
                await asyncio.sleep(PATIENCE * 2)
            return said.pop()

        async def send(message):
            written.append((message["type"], message.get("code")))

        await gateway(SOCKET, receive, send)

    try:
        visits = []
        for written in told:
            visits.append(asyncio.ensure_future(come(written)))
            await asyncio.sleep(0.05)
        seen = [list(written) for written in told]
        for each in visits:
            each.cancel()
        await asyncio.wait(visits)
    finally:
        threads.close()
    return seen


def test_of_many_silent_connections_the_oldest_gives_way_to_a_newer_one(monkeypatch):
    monkeypatch.setattr(application, "STRANGERS", 2)

    told = asyncio.run(silent_ones(3))

    welcomed = [("websocket.accept", None), *[("websocket.send", None)] * 2]
    assert told == [[*welcomed, ("websocket.close", 1000)], welcomed, welcomed]
