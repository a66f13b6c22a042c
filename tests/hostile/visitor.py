"""A visitor who speaks to the WSGI application as a server does: any bytes, any headers."""

from __future__ import annotations

import io
import json
import traceback
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import quote_plus, unquote_to_bytes

from django.contrib.auth import SESSION_KEY
from django.core.signals import got_request_exception
from django.test import Client

from config.wsgi import application

CSRF = "c" * 32
URL_CODED = "application/x-www-form-urlencoded"
AS_THEY_ARE = {"Content-Type": "CONTENT_TYPE", "Content-Length": "CONTENT_LENGTH"}


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back; ``fault`` is the exception behind a 500, or one the server would get.

    ``asked``: bytes of the body that was sent.
    """

    status: int
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    fault: str = ""
    asked: int = 0

    @property
    def is_json(self) -> bool:
        return self.headers.get("Content-Type", "").startswith("application/json")

    @property
    def is_page(self) -> bool:
        return self.headers.get("Content-Type", "").startswith("text/html")

    @property
    def text(self) -> str:
        return self.body.decode()

    def json(self) -> Any:
        return json.loads(self.body)


class Visitor:
    """Sends requests with the cookies of a logged-in user, or with a key, or as a stranger."""

    def __init__(self, user: Any = None, token: str = "") -> None:
        self.headers = {"Cookie": f"csrftoken={CSRF}", "X-CSRFToken": CSRF, "Host": "localhost"}
        if token:
            self.headers["Authorization"] = f"Token {token}"
        if user is not None:
            client = Client()
            client.force_login(user)
            assert client.session[SESSION_KEY]
            self.headers["Cookie"] += f"; sessionid={client.cookies['sessionid'].value}"
        self.sent = 0

    def get(self, path: str, **headers: str) -> Answer:
        return self.send("GET", path, **headers)

    def post(self, path: str, fields: dict[str, Any] | None = None, **headers: str) -> Answer:
        return self.send_body(path, form(fields or {}), URL_CODED, **headers)

    def send_body(self, path: str, body: bytes, content_type: str, **headers: str) -> Answer:
        return self.send("POST", path, body, **{"Content-Type": content_type, **headers})

    def send(self, method: str, path: str, body: bytes = b"", **headers: str) -> Answer:
        self.sent += 1
        environ = self.environ(method, path, body, headers)
        faults: list[str] = []

        def note(**_: object) -> None:
            faults.append(traceback.format_exc(limit=-4))

        got_request_exception.connect(note)
        try:
            return replace(_answer(environ, faults), asked=len(body))
        except Exception:
            return Answer(599, fault=traceback.format_exc(limit=-4))
        finally:
            got_request_exception.disconnect(note)

    def environ(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> Any:
        place, _, query = path.partition("?")
        environ: dict[str, Any] = {
            "REQUEST_METHOD": method,
            "SCRIPT_NAME": "",
            "PATH_INFO": _unquoted(place),
            "QUERY_STRING": query,
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": f"10.0.{self.sent // 250}.{self.sent % 250}",
            "CONTENT_LENGTH": str(len(body)),
            "CONTENT_TYPE": "",
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(body),
            "wsgi.errors": io.StringIO(),
            "wsgi.multithread": False,
            "wsgi.multiprocess": True,
            "wsgi.run_once": False,
        }
        cookie = headers.get("Cookie")
        together = {**self.headers, **headers}
        if cookie is not None:
            together["Cookie"] = f"{self.headers['Cookie']}; {cookie}"
        for name, value in together.items():
            key = AS_THEY_ARE.get(name, "HTTP_" + name.upper().replace("-", "_"))
            environ[key] = value
        return environ


def form(fields: dict[str, Any]) -> bytes:
    """Fields coded for a URL; what UTF-8 cannot hold is sent all the same."""
    pairs = [
        (name, each)
        for name, value in fields.items()
        for each in (value if isinstance(value, list) else [value])
    ]
    coded = (f"{coded_text(name)}={coded_text(value)}" for name, value in pairs)
    return "&".join(coded).encode()


def coded_text(value: object) -> str:
    return quote_plus(str(value).encode("utf-8", "surrogatepass"))


def _unquoted(path: str) -> str:
    return unquote_to_bytes(path).decode("latin-1")


def _answer(environ: Any, faults: list[str]) -> Answer:
    started: list[tuple[str, list[tuple[str, str]]]] = []

    def start_response(status: str, headers: list[tuple[str, str]], *_: object) -> None:
        started.append((status, headers))

    pieces = application(environ, start_response)
    try:
        body = b"".join(pieces)
    finally:
        if hasattr(pieces, "close"):
            pieces.close()
    status, headers = started[-1]
    return Answer(int(status.split()[0]), dict(headers), body, "".join(faults))
