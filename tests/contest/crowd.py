"""Many programs of one final at once, on one event loop, and what history says of them after it.

Each gets every file of its session and answers it at a moment agreed on before, so that all answers
to a file arrive together. Times are those of this machine's clock, which is the database's too.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
import uuid
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from urllib.parse import quote

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from accounts.services.tokens import issue_token
from contest.models import ExchangeSession, SessionEvent
from contest.pages.logs import log_of
from contest.services.sessions.clock import moment_now
from razbor.commands.session import judged_log
from tests.contest.program import markup_of
from tests.contest.world import final_at, team
from tests.factories import TEXT

PATIENCE = 120
AT_ONCE = 20
"""So many connect at a time."""


@dataclass
class Heard:
    """What one client measured, in seconds, and the digests of what it sent, as it was answered."""

    handed_out: list[float] = field(default_factory=list)
    acknowledged: list[float] = field(default_factory=list)
    accepted: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    closed: str = ""


class Member:
    """A client of the original in a final: ``after`` seconds from an opening it answers."""

    def __init__(self, port, token, opens, after):
        self.address = (
            f"ws://127.0.0.1:{port}/socket.io/?token={quote(token, safe='')}"
            "&EIO=3&transport=websocket"
        )
        self.opens, self.after, self.heard = opens, after, Heard()
        self.sent, self.tasks = {}, []

    async def enter(self):
        """Connect, join, and open the session of the final."""
        self.socket = await connect(
            self.address, max_size=None, compression=None, ping_interval=None, open_timeout=PATIENCE
        )
        await self.socket.send("40/pku,")
        await self.say("session-start", {"type": "final", "params": {}})
        name, told = "", None
        while not name.startswith("session-start"):
            name, told = await self.hear()
        assert name == "session-start-success", told

    async def play(self):
        """Answer each file at its moment until the session is closed."""
        async with self.socket:
            while not self.heard.closed:
                name, told = await self.hear()
                if name == "session-file-available":
                    self.tasks.append(asyncio.ensure_future(self.take(told, time.time())))
                elif name.startswith("session-file-send"):
                    self.note(name, told, time.time())
                elif name == "session-close":
                    self.heard.closed = told["type"]
            await asyncio.gather(*self.tasks)

    async def take(self, told, now):
        opened = self.opens[len(self.heard.handed_out)]
        self.heard.handed_out.append(now - opened)
        content = json.dumps(markup_of(told["content"], *marks()), ensure_ascii=False)
        await asyncio.sleep(opened + self.after - time.time())
        digest = hashlib.sha256(content.encode()).hexdigest()
        self.sent[told["fileId"]] = (digest, time.time())
        answer = {"sessionId": told["sessionId"], "fileId": told["fileId"], "content": content}
        with suppress(ConnectionClosed):  # its session has ended: the answer came too late
            await self.say("session-file-send", answer)

    def note(self, name, told, now):
        digest, sent_at = self.sent[told["fileId"]]
        self.heard.acknowledged.append(now - sent_at)
        if name == "session-file-send-success":
            self.heard.accepted.append(digest)
        else:
            self.heard.refused.append(digest)

    async def say(self, name, *data):
        await self.socket.send("42/pku," + json.dumps([name, *data], ensure_ascii=False))

    async def hear(self):
        """The next event: its name, and what it says."""
        while True:
            text = await asyncio.wait_for(self.socket.recv(), PATIENCE)
            if text.startswith("42/pku,"):
                name, *data = json.loads(text.removeprefix("42/pku,"))
                return name, data[0] if data else None


def marks():
    """Forty fragments; no two answers are the same."""
    comment = uuid.uuid4().hex
    return [
        {"id": at, "startSelection": 10 * at, "endSelection": 10 * at + 4, "type": "А.грамм"}
        | {"group": "error", "comment": comment}
        for at in range(40)
    ]


@dataclass(frozen=True)
class Plan:
    """A final in compressed time: so many clients and files, one file in so many seconds.

    It begins ``head_start`` seconds from now; ``after``: between a file's opening and the answers
    to it, which all arrive within ``within`` seconds.
    """

    clients: int
    files: int
    seconds: float
    head_start: float
    after: float
    within: float = 0.1


class Crowd:
    """Everybody of a final at one door; made where the database is at hand.

    ``member`` makes one of them, of a key, the moments at which files open, and ``after``.
    """

    def __init__(self, member, plan):
        people = [team() for _ in range(plan.clients)]
        tokens = [issue_token(user=each, name="program") for each in people]
        self.plan, self.start = plan, moment_now() / 1_000_000 + plan.head_start
        rules = {"interval": plan.seconds, "limit": plan.seconds}
        start = round(self.start * 1_000_000)
        self.final = final_at(start, *people, essays=plan.files, text=TEXT * 13, **rules)
        opens = [start / 1_000_000 + plan.seconds * number for number in range(plan.files)]
        self.members = [
            member(token, opens, plan.after + plan.within * number / plan.clients)
            for number, token in enumerate(tokens)
        ]

    def run(self, entered=None):
        """Play it to the end of the last session; calls ``entered`` once all have opened theirs."""
        asyncio.run(self._run(entered))

    async def _run(self, entered):
        door = asyncio.Semaphore(AT_ONCE)

        async def enter(member):
            async with door:
                await member.enter()

        await asyncio.gather(*map(enter, self.members))
        if entered:
            entered()
        await asyncio.gather(*(member.play() for member in self.members))

    def heard(self, what):
        """All figures of one kind."""
        return [each for member in self.members for each in getattr(member.heard, what)]

    def history(self, folder):
        """What is wrong with what is stored; nothing if every promise was kept.

        Each answer that was acknowledged is a row, once, with the verdict its sender was told, and
        there are no others; the kept verdicts are those of ``razbor session`` on the log.
        """
        sessions = ExchangeSession.objects.filter(final=self.final)
        stored = SessionEvent.objects.filter(session__in=sessions, what="send")
        rows = Counter(
            (digest, not reason) for digest, reason in stored.values_list("digest", "reason")
        )
        heard = Counter((each, True) for each in self.heard("accepted"))
        heard += Counter((each, False) for each in self.heard("refused"))
        wrong = [f"acknowledged and not stored: {each}" for each in heard - rows]
        wrong += [f"stored and not acknowledged: {each}" for each in rows - heard]
        for session in sessions:
            wrong += [f"{session.pk}: {each}" for each in otherwise(session, folder)]
        return wrong


def otherwise(session, folder):
    """Where the kept verdicts of a session that has ended differ from ``razbor session``."""
    file = folder / f"{session.pk}.json"
    file.write_text(json.dumps(log_of(session, moment_now())), "utf-8")
    judged = judged_log(str(file))
    kept = session.files.order_by("position").values_list(
        "name", "verdict", "reason", "answer__number", "sends"
    )
    told = [
        (each["file"], each["verdict"], each["reason"] or "", each["answer"], each["sends"])
        for each in judged["files"]
    ]
    wrong = [f"kept {a}, judged {b}" for a, b in zip(kept, told, strict=True) if a != b]
    ended = (judged["session"]["state"], judged["annulled"], judged["solution"] or "")
    if ended != (session.state, session.annulled, session.solution):
        wrong.append(f"kept {session}, judged {ended}")
    return wrong
