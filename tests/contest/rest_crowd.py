"""A program of a final at the REST door, as ``Member`` is one of the original's clients.

Like the kit it opens a connection for each request: files are waited for at the gateway, answers go
to the web.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import time

from tests.contest.crowd import PATIENCE, Heard, marks
from tests.contest.program import markup_of

HOME = "/api/exchange/sessions/"


class RestMember:
    """Opens the session of a final; ``after`` seconds from an opening it answers."""

    def __init__(self, web, gateway, token, opens, after):
        self.web, self.gateway, self.token = web, gateway, token
        self.opens, self.after, self.heard = opens, after, Heard()

    async def enter(self):
        status, told = await self.ask(self.web, "", {"mode": "final"})
        assert status == 201, told
        self.path = f"{told['id']}/"

    async def play(self):
        """Answer each file at its moment; what was not answered in time is over at the next one."""
        while not self.heard.closed:
            status, told = await self.ask(self.gateway, f"{self.path}next/", {})
            if status == 200:
                await self.take(told, time.time())
            elif status != 204:
                self.heard.closed = told["code"]

    async def take(self, told, now):
        opened = self.opens[told["position"] - 1]
        self.heard.handed_out.append(now - opened)
        content = markup_of(told["essay"], *marks())
        body = json.dumps(content, ensure_ascii=False).encode()
        await asyncio.sleep(opened + self.after - time.time())
        sent_at = time.time()
        status, receipt = await self.ask(self.web, f"{self.path}files/{told['file']}/", body)
        self.heard.acknowledged.append(time.time() - sent_at)
        assert status == 200, receipt
        found = self.heard.accepted if receipt["accepted"] else self.heard.refused
        found.append(hashlib.sha256(body).hexdigest())

    async def ask(self, port, path, body):
        """The status and what is said, of a request on a connection of its own."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        head = [
            f"POST {HOME}{path} HTTP/1.1",
            f"Host: 127.0.0.1:{port}",
            f"Authorization: Token {self.token}",
            "Content-Type: application/json",
            f"Content-Length: {len(data)}",
            "Connection: close",
        ]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            writer.write("\r\n".join([*head, "", ""]).encode() + data)
            answer = await asyncio.wait_for(reader.read(), PATIENCE)
        finally:
            writer.close()
        told, _, said = answer.partition(b"\r\n\r\n")
        return int(told.split()[1]), json.loads(said) if said else None
