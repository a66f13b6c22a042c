"""The ASGI application: which request goes through which door."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Mapping
from typing import Any, Final

from django.conf import settings
from django.db import Error
from django.utils import translation
from django.utils.translation import get_supported_language_variant
from django.utils.translation import gettext as _
from django.utils.translation.trans_real import parse_accept_lang_header

from contest.core.packets import token_of
from contest.gateway.hall import Hall
from contest.gateway.limits import STRANGERS
from contest.gateway.links import POLICY, TRY_LATER, Link, Receive, Send
from contest.gateway.polling import poll
from contest.gateway.threads import Threads
from contest.gateway.visits import Visit

SOCKETS: Final = "/socket.io/"
NEXT: Final = re.compile(r"/api/exchange/sessions/(\d{1,18})/next/")
HEALTH: Final = "/healthz"
ORIGINALS: Final = "ru"
"""What clients of the original read, which do not say it."""

Scope = Mapping[str, Any]

log = logging.getLogger("contest.gateway")


class Gateway:
    """Serves both doors that wait; its threads and its look-out live as long as the server."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.strangers: dict[Visit, None] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.live(receive, send)
        elif scope["type"] == "websocket":
            await self.visit(scope, receive, send)
        elif scope["type"] == "http":
            await self.request(scope, send)

    async def live(self, receive: Receive, send: Send) -> None:
        """From the server's start to its end."""
        await receive()
        self.threads = Threads()
        self.hall = Hall(self.threads, self.name)
        watch = asyncio.ensure_future(self.hall.watch())
        await send({"type": "lifespan.startup.complete"})
        await receive()
        watch.cancel()
        await asyncio.wait([watch])
        try:
            await self.hall.note()
        except Error as error:
            log.warning("%d hand-outs are not written down: %s", len(self.hall.pushed), error)
        await asyncio.to_thread(self.threads.close)
        await send({"type": "lifespan.shutdown.complete"})

    async def visit(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        query = scope["query_string"].decode("latin-1")
        is_socket = "EIO=3" in query and "transport=websocket" in query
        is_known = scope["path"] == SOCKETS and is_socket
        if not is_known or not self.has_room():
            code = TRY_LATER if is_known else POLICY
            await send({"type": "websocket.close", "code": code})
            return
        await send({"type": "websocket.accept"})
        try:
            token = token_of(query)
        except ValueError:
            token = ""
        visit = Visit(self.hall, Link(send, language_of(scope, ORIGINALS), token=token))
        self.strangers[visit] = None
        try:
            await visit.last(receive)
        finally:
            self.strangers.pop(visit, None)

    def has_room(self) -> bool:
        """Whether one more may come that has not said whose it is yet.

        Where so many stand already, the one that has been silent for longest gives way: silent
        ones keep nobody out who shows a key.
        """
        self.strangers = {visit: None for visit in self.strangers if visit.person is None}
        if len(self.strangers) < STRANGERS:
            return True
        silent = next((visit for visit in self.strangers if not visit.is_asked_about), None)
        if silent is None:
            return False
        log.info("connection %s gave way: it did not say whose it is", silent.link.holder)
        del self.strangers[silent]
        silent.link.drop()
        return True

    async def request(self, scope: Scope, send: Send) -> None:
        path, method = scope["path"], scope["method"]
        found = NEXT.fullmatch(path)
        if path.startswith(SOCKETS):
            await respond(send, 400, {"code": 0, "message": "Transport unknown"})
        elif path == HEALTH and method == "GET":
            await respond(send, 200, {"status": "ok"})
        elif found and method == "POST":
            answer = await poll(self.hall, int(found[1]), token_in(scope), language_of(scope))
            await respond(send, answer.status, answer.body, answer.headers)
        else:
            await respond(send, 404, strayed(scope))


def strayed(scope: Scope) -> Mapping[str, str]:
    """What is told at any other address: most likely somebody took the gateway for the site."""
    with translation.override(language_of(scope)):
        words = _(
            "This is the gateway, where sessions wait for their files. Give your program the "
            "address of the platform’s pages instead."
        )
    return {"message": words, "code": "gateway"}


def token_in(scope: Scope) -> str:
    """The key of ``Authorization: Token <key>``; empty where there is none."""
    words = header(scope, b"authorization").split()
    return words[1] if len(words) == 2 and words[0].lower() == "token" else ""


def language_of(scope: Scope, otherwise: str = settings.LANGUAGE_CODE) -> str:
    """The language a client reads; where it does not say, that of the web."""
    for code, _weight in parse_accept_lang_header(header(scope, b"accept-language").lower()):
        try:
            return get_supported_language_variant(code)
        except LookupError:
            continue
    return otherwise


def header(scope: Scope, name: bytes) -> str:
    found = [value for key, value in scope["headers"] if key.lower() == name]
    return str(found[0].decode("latin-1")) if found else ""


async def respond(
    send: Send, status: int, body: object, headers: Mapping[str, str] | None = None
) -> None:
    """Answer a request with JSON."""
    data = b"" if body is None else json.dumps(body, ensure_ascii=False).encode()
    named = {"content-type": "application/json", "content-length": str(len(data))}
    lines = [
        (name.encode(), value.encode()) for name, value in {**named, **(headers or {})}.items()
    ]
    await send({"type": "http.response.start", "status": status, "headers": lines})
    await send({"type": "http.response.body", "body": data})
