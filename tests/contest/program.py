"""A client of the original, packet by packet, as it was seen on the wire (original.md 1.4)."""

from __future__ import annotations

import contextlib
import json
from urllib.parse import quote

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

PATIENCE = 30
NOTHING_YET = "Последний полученный файл не был найден"


class Program:
    """Connects, joins, says events and waits for others; ``heard`` is all it was told."""

    def __init__(self, port, token, *, in_address=True, in_packet=True):
        self.port, self.token, self.in_packet, self.heard = port, token, in_packet, []
        query = f"?token={quote(token, safe='')}&" if in_address else "?"
        self.address = f"ws://127.0.0.1:{port}/socket.io/{query}EIO=3&transport=websocket"

    def __enter__(self):
        with contextlib.ExitStack() as opened:
            self.socket = opened.enter_context(
                connect(self.address, max_size=None, compression=None, open_timeout=PATIENCE)
            )
            self.opened = opened.pop_all()
        return self

    def __exit__(self, *_):
        self.opened.close()

    def write(self, text):
        self.socket.send(text)

    def read(self):
        return self.socket.recv(timeout=PATIENCE)

    def join(self):
        """Hello and welcome, then the namespace; returns what the platform wrote."""
        written = [self.read(), self.read()]
        query = f"?token={quote(self.token, safe='')}" if self.in_packet else ""
        self.write(f"40/pku{query},")
        return [*written, self.read()]

    def say(self, name, *data):
        self.write("42/pku," + json.dumps([name, *data], ensure_ascii=False))

    def hear(self, name):
        """What the event says that comes next by this name; others are kept in ``heard``."""
        while True:
            text = self.read()
            if not text.startswith("42/pku,"):
                self.heard.append(text)
                continue
            said = json.loads(text.removeprefix("42/pku,"))
            self.heard.append(said[0])
            if said[0] == name:
                return said[1] if len(said) > 1 else None

    def rest(self):
        """All that is written until the connection is closed."""
        found = []
        with contextlib.suppress(ConnectionClosed):
            while True:
                found.append(self.read())
        return found

    def start(self, files=10, seconds=10, mode="algorithmic", **params):
        given = {"dsType": "train", "countFiles": str(files), "lang": "all", "time": str(seconds)}
        self.say("session-start", {"type": mode, "params": {**given, **params}})
        return self.hear("session-start-success")["sessionId"]

    def send(self, session, file, content):
        text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
        self.say("session-file-send", {"sessionId": session, "fileId": file, "content": text})


def markup_of(content, *selections):
    """A markup of the essay that was handed out."""
    return {**content, "selections": list(selections), "criteria": {}}
