"""A client of the exchange's REST door, on the standard library.

>>> exchange = Exchange("https://razbor.example", token)
>>> session = exchange.open("technical")["id"]
>>> while file := exchange.next(session):
...     exchange.send(file, {"selections": mark(file.essay["text"])})

What a cut, a restarting platform or a slow network leave unanswered is tried again under the same
key, so nothing counts twice. What the platform declines is an ``ExchangeError``.
"""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any, Final
from urllib.parse import quote, urlsplit

from razbor.hearing import ExchangeError, declined, unexpected, unreachable
from razbor.words import _, language

__all__ = ("Exchange", "ExchangeError", "File", "Receipt")

JSON: Final = "application/json"
SENDS_JSON: Final[Mapping[str, str]] = {"Content-Type": JSON}
HOME: Final = "/api/exchange/"
PASSING: Final = frozenset({502, 503, 504})
"""Answers of a platform, or of what stands before it, that is not there for a moment."""
OVER: Final = frozenset({"nothing-left", "ended"})
"""Refusals that say: there are no more files."""
SILENCE: Final = 10.0
"""Seconds without a byte until a request counts as cut; each time it is, the next waits doubly."""
LONGEST_SILENCE: Final = 45.0
"""The same for a file that is waited for: the platform lets such a request wait for 25."""
LONGEST_PAUSE: Final = 5.0
SETTLED: Final = 15.0
"""Seconds for which a session that is over, and not settled yet, is waited for."""
LONGEST_REST: Final = 20.0
"""Seconds between two questions for a file that opens later."""


@dataclass(frozen=True, slots=True)
class File:
    """A file that was handed out, number ``position`` of ``files``.

    ``essay``: an object of ``meta`` and ``text``. ``due``: its last moment by
    ``time.monotonic()``, as near as the network lets it be known.
    """

    session: int
    name: str
    position: int
    files: int
    essay: dict[str, Any]
    due: float

    @property
    def seconds_left(self) -> float:
        """Until its last moment; 0 when that has passed."""
        return max(0.0, self.due - time.monotonic())


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of an answer.

    ``reason``: why it does not count (``broken``, ``foreign``, ``late`` …), ``None`` when it was
    accepted; ``message`` the same in words, ``problems`` what is wrong and where. ``repeated``:
    its key was used before; ``differed``: for another body.
    """

    accepted: bool
    reason: str | None
    message: str
    problems: list[dict[str, Any]]
    sends_left: int
    seconds_to_next: float | None
    repeated: bool
    differed: bool


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    body: Any
    rest: float


class Exchange:
    """The REST door of a platform, for one participant.

    ``url``: the platform's address. ``token``: a key of the participant's account; it is sent to
    the platform and to the address that the platform names for waiting. ``patience``: seconds a
    request is tried again for while nothing is heard. ``silence``: seconds until one of which no
    byte comes is made again. ``on_cut``: called with the error each time.
    """

    def __init__(
        self,
        url: str,
        token: str,
        *,
        patience: float = 120.0,
        silence: float = SILENCE,
        on_cut: Callable[[ExchangeError], None] | None = None,
    ) -> None:
        self.home = home_of(url)
        self.patience = patience
        self._silence = silence
        self._on_cut = on_cut
        self._head = {
            "Authorization": f"Token {token_of(token)}",
            "Accept": "application/json",
            "Accept-Language": language(),
            "User-Agent": "razbor",
        }
        self._opener = urllib.request.build_opener(_NoRedirect)
        self._waiting: str | None = None

    def doors(self) -> dict[str, Any]:
        """The doors of the exchange with their addresses, and the moment by its clock."""
        return self._object("GET", self.home)

    def open(
        self, mode: str, *, key: str | None = None, **wish: str | int | None
    ) -> dict[str, Any]:
        """Open a session: ``technical``, ``algorithmic`` or ``final``; how it stands.

        Of an algorithmic one ``wish`` may name ``files`` (10 to 1,000), the ``time`` for an answer
        in seconds (10 to 60), ``set`` (``train``, ``test``), ``language`` (``all``, ``rus``,
        ``eng``) and ``subject``, of a final its number, ``final``; ``None`` is as if it were left
        out. The same ``key`` opens the same session. While the former one, which is over, is being
        settled, it is waited for.
        """
        named = {name: value for name, value in wish.items() if value is not None}
        body, key = {"mode": mode, **named}, key or str(uuid.uuid4())
        until = time.monotonic() + SETTLED
        while True:
            try:
                return self._object("POST", f"{self.home}sessions/", body, key=key)
            except ExchangeError as error:
                if error.code != "settling" or time.monotonic() > until:
                    raise
            time.sleep(1.0)

    def present(self) -> dict[str, Any] | None:
        """The session one has open, as in the list of sessions; ``None`` without one."""
        listed = self._object("GET", f"{self.home}sessions/").get("results", [])
        return next((each for each in listed if each["closed_at"] is None), None)

    def next(self, session: int) -> File | None:
        """The next file, waited for as long as it takes; ``None`` when there are no more.

        A file whose answer is awaited still is handed out again, and its clock runs on.
        """
        addresses = dict.fromkeys([self._waiting_at(session), self._of(session, "next/")])
        while True:
            try:
                found = self._asked("POST", list(addresses), {}, SENDS_JSON, LONGEST_SILENCE)
            except ExchangeError as error:
                if error.code in OVER:
                    return None
                raise
            if found.status != 204:
                return _file(found)
            time.sleep(min(found.rest, LONGEST_REST))

    def repeat(self, session: int) -> File:
        """The file once more whose answer is awaited. Raises ``ExchangeError``: ``no-file``."""
        return _file(self._asked("POST", [self._of(session, "repeat/")], {}, SENDS_JSON))

    def send(
        self, file: File, markup: Mapping[str, Any] | bytes, *, key: str | None = None
    ) -> Receipt:
        """Answer a file with a markup: its JSON as an object, or as bytes.

        Where it says nothing of the text, that is the one of the essay. Ten answers are looked at,
        and the last one accepted counts.
        """
        data = markup if isinstance(markup, bytes) else as_bytes({**file.essay, **markup})
        address = self._of(file.session, f"files/{quote(file.name, safe='')}/")
        found = self._object("POST", address, data, key=key or str(uuid.uuid4()))
        try:
            return Receipt(**{name: found[name] for name in Receipt.__slots__})
        except KeyError:
            raise unexpected(200) from None

    def state(self, session: int) -> dict[str, Any]:
        """How a session stands, file by file."""
        return self._object("GET", self._of(session))

    def log(self, session: int) -> dict[str, Any]:
        """The log of a session, which ``razbor session`` judges."""
        return self._object("GET", self._of(session, "log/"))

    def abort(self, session: int) -> dict[str, Any]:
        """End a session; how it stood then."""
        return self._object("POST", self._of(session, "abort/"), {})

    def send_parcel(self, essay_set: str, name: str, content: bytes) -> dict[str, Any]:
        """Hand in a .zip of markups for the set of this name; how far it is.

        Sent again it changes nothing: what was taken is known then.
        """
        kind, body = as_form({"essay_set": essay_set}, name, content)
        return self._object("POST", f"{self.home}parcels/", body, kind=kind)

    def parcel(self, number: int) -> dict[str, Any]:
        """How far an archive of markups is: ``state``, ``size``, ``taken``, ``known``, …"""
        return self._object("GET", f"{self.home}parcels/{number}/")

    def refused(self, number: int, *, at_once: int = 1000) -> Iterator[dict[str, Any]]:
        """The files of an archive that were refused, each with its ``name`` and ``reason``."""
        return (each for each in self.told_of(number, at_once=at_once) if is_refused(each))

    def told_of(self, number: int, *, at_once: int = 1000) -> Iterator[dict[str, Any]]:
        """The files of an archive that were refused, then those that have ``remarks``."""
        start = 0
        while True:
            query = f"?limit={at_once}&offset={start}"
            found = self._object("GET", f"{self.home}parcels/{number}/files/{query}")["results"]
            told = [each for each in found if is_refused(each) or each["remarks"]]
            yield from told  # these come first
            if len(told) < at_once:
                return
            start += at_once

    def _of(self, session: int, more: str = "") -> str:
        return f"{self.home}sessions/{session}/{more}"

    def _waiting_at(self, session: int) -> str:
        """Where requests for the next file wait: what the platform names, else its own address."""
        if self._waiting is None:
            doors = self.doors().get("doors", [])
            named = [each.get("next") for each in doors if each.get("door") == "rest"]
            self._waiting = next(filter(None, named), f"{self.home}sessions/{{id}}/next/")
        return self._waiting.replace("{id}", str(session))

    def _object(
        self,
        method: str,
        address: str,
        body: object = None,
        *,
        key: str | None = None,
        kind: str = JSON,
    ) -> dict[str, Any]:
        more = {} if body is None else {"Content-Type": kind}
        more = more if key is None else {**more, "Idempotency-Key": key}
        found = self._asked(method, [address], body, more)
        if not isinstance(found.body, dict):
            raise unexpected(found.status)
        return found.body

    def _asked(
        self,
        method: str,
        addresses: list[str],
        body: object,
        more: Mapping[str, str],
        silence: float | None = None,
    ) -> _Answer:
        """The answer to a request with ``more`` in its head than every one has; while it is cut, it
        is made again, at each address in turn.
        """
        until = time.monotonic() + self.patience
        data = body if isinstance(body, bytes) or body is None else as_bytes(body)
        head = {**self._head, **more}
        pause, turn, silence = 0.2, 0, silence or self._silence
        while True:
            address = addresses[turn % len(addresses)]
            try:
                return self._ask_once(method, address, data, head, silence)
            except ExchangeError as error:
                passes = error.code == "unreachable" or error.status in PASSING
                if not passes or time.monotonic() + pause > until:
                    raise
                if self._on_cut:
                    self._on_cut(error)
            time.sleep(pause)
            pause, turn = min(2 * pause, LONGEST_PAUSE), turn + 1
            silence = min(2 * silence, LONGEST_SILENCE)

    def _ask_once(
        self,
        method: str,
        address: str,
        data: bytes | None,
        head: Mapping[str, str],
        silence: float,
    ) -> _Answer:
        asked = urllib.request.Request(address, data, dict(head), method=method)  # noqa: S310 - see home_of
        try:
            with self._opener.open(asked, timeout=silence) as answer:
                return _read(answer.status, answer.headers, answer.read())
        except urllib.error.HTTPError as error:
            with error:
                raise declined(error) from None
        except (OSError, HTTPException) as error:
            raise unreachable(address, error) from None


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """The key goes where it was told to go, and a POST stays one."""

    def redirect_request(self, *_: Any) -> None:
        return None


def is_refused(file: Mapping[str, Any]) -> bool:
    """Whether a file of an archive was kept out."""
    return bool(file["outcome"] == "refused")


def home_of(url: str) -> str:
    """The address of the REST door from that of the platform. Raises ``ExchangeError``."""
    parts = urlsplit(url.strip())
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.query:
        words = _("“{url}” is no address. It begins with https:// or http://.")
        raise ExchangeError("bad-address", words.format(url=url))
    path = parts.path.rstrip("/").removesuffix(HOME.rstrip("/"))
    return f"{parts.scheme}://{parts.netloc}{path}{HOME}"


def token_of(text: str) -> str:
    """A key as it can stand in a head. Raises ``ExchangeError``."""
    token = text.strip()
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        raise ExchangeError("bad-token", _("This is no key: a key is one word of Latin letters."))
    return token


def as_bytes(value: object) -> bytes:
    """JSON as it is sent."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")


def as_form(fields: Mapping[str, str], name: str, content: bytes) -> tuple[str, bytes]:
    """A form with a file in it as it is sent (RFC 7578): its kind and its bytes."""
    edge = uuid.uuid4().hex
    shown = name.replace("\\", "").replace('"', "%22").replace("\r", "").replace("\n", "")
    parts = [
        f'--{edge}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'.encode()
        for key, value in fields.items()
    ]
    file = f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{shown}"\r\n'
    kind = "Content-Type: application/zip\r\n\r\n"
    body = b"".join([*parts, (file + kind).encode(), content, f"\r\n--{edge}--\r\n".encode()])
    return f"multipart/form-data; boundary={edge}", body


def _file(found: _Answer) -> File:
    told = found.body
    try:
        due = time.monotonic() + told["seconds_left"]
        places = told["session"], told["file"], told["position"], told["files"]
        return File(*places, essay=told["essay"], due=due)
    except (KeyError, TypeError):
        raise unexpected(found.status) from None


def _read(status: int, headers: Any, data: bytes) -> _Answer:
    try:
        rest = max(0.0, float(headers.get("Retry-After", "1")))
    except ValueError:
        rest = 1.0
    if status == 204:
        return _Answer(status, None, rest)
    try:
        return _Answer(status, json.loads(data), rest)
    except ValueError:
        raise unexpected(status) from None
