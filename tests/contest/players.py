"""Participants' programs that play a session to its end, through either door, each in a thread.

What one does with a file is its ``policy``: from the number of the file, 0 for the first it was
given, to a list of (seconds after it was given, markup or text to send); ``None`` ends the session.
Who ``leaves`` plays no further: a story that has failed waits for nobody.
"""

from __future__ import annotations

import heapq
import json
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from websockets.exceptions import ConnectionClosed, InvalidHandshake

from razbor.client import Exchange, ExchangeError
from tests.contest.program import PATIENCE, Program, markup_of

QUALIFYING = 10
"""Seconds of a file of a qualification by the clock, the fewest that can be asked for."""
LONGEST = 60
"""The most, for files that are asked for: a killed gateway keeps the asking waiting."""
RESTING = 0.2
"""Seconds until a program asks or connects again."""


def marked(content, comment):
    """A markup of the essay by which the send is known again."""
    mark = {"id": 1, "startSelection": 0, "endSelection": 4, "type": "А.грамм", "group": "error"}
    return markup_of(content, {**mark, "comment": comment})


class RestPlayer:
    """By REST, with the client this platform gives to participants."""

    def __init__(self, stack, token):
        self.exchange, self.leaves = Exchange(stack.url, token), False

    def open(self, mode):
        wish = {"files": 10, "time": LONGEST} if mode == "algorithmic" else {}
        self.session = self.exchange.open(mode, **wish)["id"]

    def play(self, policy):
        given = set()
        with ThreadPoolExecutor(8) as later:
            sends = []
            while not self.leaves and (file := self.exchange.next(self.session)):
                if file.name in given:  # nobody answers it, and it is handed out again and again
                    time.sleep(RESTING)
                    continue
                answers = policy(len(given), file.essay)
                given.add(file.name)
                if answers is None:
                    self.exchange.abort(self.session)
                    break
                sends.append(later.submit(self.answer, file, answers))
            for each in sends:
                each.result()

    def answer(self, file, answers):
        began = time.monotonic()
        for after, body in answers:
            time.sleep(max(0, began + after - time.monotonic()))
            with suppress(ExchangeError):  # the session has ended
                self.exchange.send(file, body.encode())


class SocketPlayer(Program):
    """As a client of the original, which comes back when its connection breaks, at a ``refuge``
    where there is one: another gateway.
    """

    refuge = None

    def __init__(self, stack, token):
        super().__init__(stack.gateway.getsockname()[1], token)
        self.given, self.agenda, self.came_back, self.leaves = {}, [], 0, False

    def open(self, mode):
        self.__enter__()
        self.join()
        self.start(mode=mode, seconds=QUALIFYING)

    def play(self, policy):
        is_over = False
        while not (is_over or self.leaves):
            try:
                is_over = self.turn(policy)
            except ConnectionClosed:
                self.come_back()
        self.__exit__()

    def turn(self, policy):
        """Send what is due, hear what comes; true when the session is closed."""
        while self.agenda and self.agenda[0][0] <= time.monotonic():
            _due, _number, file, body = self.agenda[0]
            self.send(False, file, body)
            heapq.heappop(self.agenda)
        pause = self.agenda[0][0] - time.monotonic() if self.agenda else PATIENCE
        try:
            text = self.socket.recv(timeout=max(0, min(pause, PATIENCE)))
        except TimeoutError:
            assert self.agenda, "nothing is heard any more"
            return False
        name, *said = json.loads(text.partition(",")[2] or "[0]")
        if name in ("session-file-available", "session-file-repeat-success"):
            self.take(said[0], policy)
        return name == "session-close"

    def take(self, handed, policy):
        if handed["fileId"] in self.given:
            return
        place = self.given.setdefault(handed["fileId"], len(self.given))
        for number, (after, body) in enumerate(policy(place, handed["content"])):
            due = time.monotonic() + after
            heapq.heappush(self.agenda, (due, number, handed["fileId"], body))

    def come_back(self):
        """Connect again, and ask for what was missed, naming the newest file there is."""
        if self.refuge:
            self.address = self.address.replace(f":{self.port}/", f":{self.refuge}/")
        while not self.leaves:
            time.sleep(RESTING)
            with suppress(OSError, InvalidHandshake, ConnectionClosed, TimeoutError):
                self.__enter__()
                self.join()
                self.say("session-file-repeat", {"lastFileId": [*self.given, ""][-1]})
                self.came_back += 1
                return
