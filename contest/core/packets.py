"""What the original's clients and the platform write to a websocket (original.md 1.1, 1.4).

Engine.IO 3 carries Socket.IO 2; each packet is a text. A client joins one namespace, then each says
events to the other: a name and at most one value. The client pings, the platform answers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qsl

from web.core.errors import JsonTextError
from web.core.json_text import read_json

NAMESPACE: Final = "/pku"
PING_INTERVAL, PING_TIMEOUT = 25_000, 60_000
"""Milliseconds; a client pings every interval, and gives up after the timeout."""
LONGEST_NUMBER: Final = 20
"""Digits of the number by which a client asks for an acknowledgement; its clients never do."""
WELCOME: Final = "40"
"""The default namespace is joined by the platform itself, at once."""
PONG: Final = "3"
JOINED: Final = f"40{NAMESPACE},"
LEFT: Final = f"41{NAMESPACE},"

UNSOUND: Final = frozenset({"text-has-nul", "text-has-surrogate"})
ESCAPE: Final = re.compile(
    r"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|(u0000|u[dD][89a-fA-F]..)|.)", re.DOTALL
)
"""An escape of JSON text; its group one of a NUL, or of half a pair of surrogates."""
CONTROL: Final = "\\u0001"


@dataclass(frozen=True, slots=True)
class Ping:
    """The client lives; ``data`` comes back to it."""

    data: str


@dataclass(frozen=True, slots=True)
class Join:
    """The client enters a namespace; ``token``: its key, if it is written here."""

    namespace: str
    token: str


@dataclass(frozen=True, slots=True)
class Said:
    """An event of the client; ``data`` is ``None`` where it says no more than its name."""

    name: str
    data: Any


@dataclass(frozen=True, slots=True)
class Leave:
    """The client goes."""


@dataclass(frozen=True, slots=True)
class Quiet:
    """Something that needs no answer: a packet without a message, an acknowledgement."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """No packet of these protocols; ``why`` in English, for logs and developers."""

    why: str


Packet = Ping | Join | Said | Leave | Quiet | Unreadable


def token_of(query: str) -> str:
    """The key in a query, decoded; empty where there is none. Of several the first."""
    pairs = parse_qsl(query, keep_blank_values=True, max_num_fields=20)
    return next((value for name, value in pairs if name == "token"), "")


def read_packet(text: str) -> Packet:
    """Read what a client wrote; any text has an answer."""
    kind, rest = text[:1], text[1:]
    if kind == "2":
        return Ping(rest[:100])
    if kind == "4":
        return _message(rest)
    if kind == "1":
        return Leave()
    return Quiet() if kind in ("3", "5", "6") and len(rest) < 100 else Unreadable("no packet")


def hello(sid: str) -> str:
    """The first packet of the platform: the number of the connection, and how often to ping."""
    found = {"sid": sid, "upgrades": [], "pingInterval": PING_INTERVAL, "pingTimeout": PING_TIMEOUT}
    return "0" + _written(found)


def event(name: str, data: Mapping[str, Any] | None = None) -> str:
    """An event of the platform."""
    return f"42{NAMESPACE}," + _written([name] if data is None else [name, data])


def strange_namespace(namespace: str) -> str:
    """The answer to who enters a namespace that is not here."""
    return f"44{namespace[:40]}," + _written("Invalid namespace")


def unreadable(why: str) -> str:
    """The answer to a packet nobody can read."""
    return f"44{NAMESPACE}," + _written(why)


def _message(rest: str) -> Packet:
    kind, body = rest[:1], rest[1:]
    namespace, query, body = _addressed(body)
    if kind == "0":
        try:
            return Join(namespace, token_of(query))
        except ValueError:
            return Unreadable("a query of too many fields")
    if kind == "1":
        return Leave()
    if kind == "2":
        return _event(namespace, body)
    return Quiet() if kind in ("3", "4") else Unreadable("no message")


def _addressed(body: str) -> tuple[str, str, str]:
    """Namespace, its query, and what follows the comma."""
    if not body.startswith("/"):
        return "/", "", body
    address, _comma, rest = body.partition(",")
    namespace, _mark, query = address.partition("?")
    return namespace, query, rest


def _event(namespace: str, body: str) -> Packet:
    if namespace != NAMESPACE:
        return Unreadable("an event outside of the namespace")
    digits = len(body) - len(body.lstrip("0123456789"))
    if digits > LONGEST_NUMBER:
        return Unreadable("no event")
    try:
        said = _read(body[digits:])
    except JsonTextError as error:
        return Unreadable(f"no event: {error.code}")
    if not isinstance(said, list) or not said or not isinstance(said[0], str):
        return Unreadable("no event: not a list that begins with its name")
    return Said(said[0], said[1] if len(said) > 1 else None)


def _read(text: str) -> object:
    """What an event says. A file that is no text is an answer that cannot be read, as by the other
    door, and no packet that cannot: what no database takes of it becomes another control sign,
    which is in no sound JSON either.
    """
    try:
        return read_json(text)
    except JsonTextError as error:
        if error.code not in UNSOUND:
            raise
    return read_json(ESCAPE.sub(lambda found: CONTROL if found[1] else found[0], text))


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
