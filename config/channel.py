"""Connections of the web server: a request is received whole before a thread hears of it.

Waitress does the receiving; what is ours are the limits. A large body is announced to the pages
first (config/doors.py): what they do not admit is answered unread. Nothing waits for a slow
sender or reader but its own connection, and not for long.
"""

from __future__ import annotations

import contextlib
import io
import socket
import time
from collections.abc import Callable, Iterable
from typing import Any, Final

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError, get_header_lines
from waitress.task import ErrorTask, WSGITask
from waitress.utilities import InternalServerError

from config.admission import ADMISSION, ANONYMOUS, Admission
from web.arrival import ARRIVED

SLOWEST: Final = 50_000
"""Bytes a second: who is quicker may take longer than ``patience``."""
FRAMES: Final = 2
"""How much larger than its contents a body in chunks may be."""
CODING: Final = b"transfer-encoding"
Wsgi = Callable[[dict[str, Any], Callable[..., object]], Iterable[bytes]]


class Parser(HTTPRequestParser):
    """A request that stops after its head when its body has to be admitted first."""

    asking = False
    limit = ANONYMOUS
    arrived = 0.0
    """When it was there whole, by ``time.monotonic()``."""

    def parse_header(self, header_plus: bytes) -> None:
        try:
            super().parse_header(header_plus)
        except ValueError:  # of numbers and addresses that are none
            raise ParsingError("The request cannot be read") from None
        if self.is_unclear(header_plus):
            raise ParsingError("Where the body ends is not clear")
        self.asking = self.chunked or self.content_length > ANONYMOUS

    def is_unclear(self, header_plus: bytes) -> bool:
        """A proxy in front might read another end of the body: chunks stand alone, and once."""
        _start, _, lines = header_plus.partition(b"\r\n")
        fields = [line.partition(b":") for line in get_header_lines(lines)]
        codings = [each.lower() for name, _, each in fields if name.lower() == CODING]
        if not codings:
            return False
        is_plain = [each.strip(b" \t") for each in codings] == [b"chunked"]
        return not (is_plain and self.chunked) or "CONTENT_LENGTH" in self.headers

    def received(self, data: bytes) -> int:
        taken: int = super().received(data)
        if not self.error and self.headers_finished and (self.asking or self.is_too_long()):
            self.asking = self.completed = True
        return taken

    def is_too_long(self) -> bool:
        """Only chunks can be: what says its length is not read when it is too long."""
        frames = FRAMES * (self.limit + ANONYMOUS)
        return self.chunked and (
            len(self.body_rcv) > self.limit or self.body_bytes_received > frames
        )

    def admit(self, limit: int) -> None:
        self.asking, self.completed, self.limit = False, False, limit


class Refusal:
    """A complete answer of the pages to a request whose body stays outside."""

    def __init__(self, status: str, headers: list[tuple[str, str]], body: bytes) -> None:
        self.answer = status, headers, body

    def to_response(self, _ident: object = None) -> tuple[str, list[tuple[str, str]], bytes]:
        return self.answer


class Logged:
    """A task whose answer gets a line in the access log, and is the last one of a stopping web."""

    channel: Any

    def finish(self) -> None:
        super().finish()  # type: ignore[misc]
        self.channel.turn()  # before anybody asks how long the answer is being read
        self.channel.server.note(self)

    def build_response_header(self) -> bytes:
        if self.channel.server.stopping:
            self.set_close_on_finish()  # type: ignore[attr-defined]
        return bytes(super().build_response_header())  # type: ignore[misc]


class Answering(Logged, WSGITask):
    """The pages answer."""

    def get_environment(self) -> dict[str, Any]:
        return {**super().get_environment(), ARRIVED: self.request.arrived}

    def set_close_on_finish(self) -> None:
        """An answer in chunks tells itself where it ends: waitress would end its connection too."""
        if self.wrote_header or not self.chunked_response:
            super().set_close_on_finish()

    def build_response_header(self) -> bytes:
        head = super().build_response_header()
        if self.request.command == "HEAD":
            self.chunked_response = False  # else their end follows, read as the next answer
        return head

    def write(self, data: bytes) -> None:
        super().write(data)
        if self.chunked_response:
            self.content_bytes_written += len(data)  # for the log


class Declining(Logged, ErrorTask):
    """The answer is known before the pages are asked, or because they were."""


class Channel(HTTPChannel):
    """One connection, with an end to every wait."""

    parser_class = Parser
    task_class = Answering
    error_task_class = Declining
    unread = b""
    moved = 0
    lingers = False
    draining = False

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.since = time.monotonic()
        super().__init__(*arguments, **options)
        self.visitor: str = self.server.arrived(self.addr[0])

    def turn(self) -> None:
        """From now on the next thing is waited for."""
        self.since, self.moved = time.monotonic(), 0

    def is_overdue(self, now: float) -> bool:
        """Did the head of a request, its body or the reading of the answer take too long?"""
        if self.requests:
            return False  # we are the slow ones
        return bool(now > self.since + self.server.patience + self.moved / SLOWEST)

    def is_waiting(self) -> bool:
        """Is the next move the visitor's?"""
        return not (self.requests or self.total_outbufs_len)

    def merit(self) -> tuple[bool, bool, float]:
        """Who has sent nothing goes first, who sends a body last; of equals the oldest."""
        request = self.request
        return request is not None, bool(request and request.headers_finished), self.since

    def is_idle(self) -> bool:
        return not (self.requests or self.request or self.total_outbufs_len)

    def received(self, data: bytes) -> bool:
        with self.requests_lock:
            if self.will_close or self.close_when_flushed or self.draining:
                return False
            self.unread += data
            self.read_on()
        return True

    def read_on(self) -> None:
        """Take as much of what has come as may be taken by now."""
        while self.unread and not (self.requests and self.requests[-1].asking):
            if self.request is None:
                self.request = self.parser_class(self.adj)
            request, was_in_head = self.request, not self.request.headers_finished
            taken = request.received(self.unread)
            self.unread = self.unread[taken:]
            if request.headers_finished:
                self.moved += taken
                if was_in_head:
                    self.turn()
            if request.completed:
                self.hand_over()
            elif request.expect_continue and request.headers_finished and not self.requests:
                self.send_continue()

    def hand_over(self) -> None:
        request, self.request, self.sent_continue = self.request, None, False
        if request.empty:
            return
        request.arrived = time.monotonic()
        self.requests.append(request)
        if len(self.requests) == 1:
            self.server.add_task(self)

    def service(self) -> None:
        request = self.requests[0]
        if request.asking and self.is_admitted(request):
            return
        self.lingers = bool(request.error)
        super().service()
        self.turn()

    def is_admitted(self, request: Parser) -> bool:
        """Ask the pages; if they say no, what they said is the answer."""
        admission = Admission()
        try:
            refusal = self.ask(request, admission)
        except Exception:
            self.logger.exception("Nobody says whether a body may come in.")
            refusal = InternalServerError("")
        if admission.limit is None:
            request.error = refusal
            return False
        with self.requests_lock:
            self.requests.pop(0)
            request.admit(admission.limit)
            self.request = request
            self.turn()
            if request.expect_continue:
                self.send_continue()
            self.read_on()
        self.server.pull_trigger()
        return True

    def ask(self, request: Parser, admission: Admission) -> Refusal:
        environ = {**self.task_class(self, request).get_environment(), ADMISSION: admission}
        environ["wsgi.input"] = io.BytesIO()
        if request.is_too_long():
            environ["CONTENT_LENGTH"] = str(request.limit + 1)
        return whole_answer(self.server.application, environ)

    def send(self, data: bytes, do_close: bool = True) -> int:
        sent: int = super().send(data, do_close=do_close)
        self.moved += sent
        return sent

    def handle_close(self) -> None:
        """Who is refused may still be sending: closed at once, the answer would be lost."""
        if self.lingers and not self.total_outbufs_len:
            self.lingers = self.will_close = False
            with contextlib.suppress(OSError):
                self.socket.shutdown(socket.SHUT_WR)
                self.draining = True
                return self.turn()
        return self.drop()

    def drop(self) -> None:
        super().handle_close()


def whole_answer(application: Wsgi, environ: dict[str, Any]) -> Refusal:
    """What an application answers, collected."""
    told: list[Any] = []
    result: Any = application(environ, lambda *words: told.append(words))
    try:
        body = b"".join(result)
    finally:
        if hasattr(result, "close"):
            result.close()
    status, headers, *_more = told[-1]
    return Refusal(status, headers, body)
