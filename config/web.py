"""The web server: gunicorn's processes around waitress's loop (config/channel.py).

Gunicorn starts, stops, reloads and replaces the processes; within each, one thread talks to all
connections and the others answer requests that have arrived.
"""

from __future__ import annotations

import os
import resource
import time
from datetime import timedelta
from types import SimpleNamespace
from typing import Any, Final

from django.conf import settings
from django.db import connection
from gunicorn.workers.base import Worker
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.server import TcpWSGIServer

from config.channel import Channel
from config.dispatch import LONG, Dispatcher
from config.garbage import stand
from config.logs import without_secrets
from web.core.addresses import is_within, network_of

CONNECTIONS: Final = 1000
WAITING: Final = 100
"""Connections of one address on which its next request is waited for, in a process."""
SPARE_FILES: Final = 200
"""For what is not a connection: the database, bodies on disk, logs."""
HEAD: Final = 64 * 1024
UNBOUNDED: Final = 2**40
LATELY: Final = 0.1
COURTESY: Final = 0.001
"""Seconds a new connection is left to the other processes, for each that was at work lately."""
LAST_REQUESTS: Final = 2.0
"""Seconds a stopping process keeps quiet connections: a request may be on its way."""


class Server(TcpWSGIServer):
    """Accepts connections and ends those that take too long."""

    channel_class = Channel
    stopping = False
    swept = 0.0
    due = 0.0
    """When a connection left to the others is looked at again; 0 where none is."""
    is_courteous = False

    def __init__(self, *arguments: Any, log: Any, patience: float, **options: Any) -> None:
        self.log, self.patience = log, patience
        self.came: set[str] = set()
        super().__init__(*arguments, **options)

    def readable(self) -> bool:
        self.is_courteous = time.monotonic() < self.due
        return bool(super().readable()) and not self.is_courteous

    def handle_accept(self) -> None:
        """Leave a connection to a process with less to do; where none takes it, it is ours.

        Whoever wakes first would take all that come at once, and the others would have none.
        """
        now = time.monotonic()
        if not self.due and (busy := self.at_work(now)):
            self.due, self.is_courteous = now + COURTESY * busy, True
            return
        self.due = 0.0
        super().handle_accept()

    def at_work(self, now: float) -> int:
        """How many connections asked for something lately, or wait for it."""
        channels = self.active_channels.values()
        return sum(1 for each in channels if each.requests or now < each.since + LATELY)

    def maintenance(self, _now: float) -> None:
        """Waitress asks how long nothing came; a byte now and then must not keep a connection."""

    def arrived(self, address: str) -> str:
        """Whose connection it is; nobody's in particular where a proxy brings those of many."""
        if is_within(address, settings.TRUSTED_PROXIES):
            return ""
        visitor = network_of(address)
        self.came.add(visitor)
        return visitor

    def sweep(self) -> None:
        """After each look: end what is too much, and four times a second what is overdue."""
        while self.came:
            self.thin_out(self.came.pop())
        if not self.is_courteous:
            self.due = 0.0  # somebody has taken it
        now = time.monotonic()
        if now < self.swept + 0.25:
            return
        self.swept = now
        for channel in list(self.active_channels.values()):
            if channel.is_overdue(now):
                channel.drop()

    def thin_out(self, visitor: str) -> None:
        """One address must not take up the connections of all."""
        waiting = [
            channel
            for channel in self.active_channels.values()
            if channel.visitor == visitor and channel.is_waiting()
        ]
        for channel in sorted(waiting, key=Channel.merit)[: max(0, len(waiting) - WAITING)]:
            channel.drop()

    def stop_accepting(self) -> None:
        self.accepting, self.stopping = False, True

    def dismiss(self) -> None:
        """End the connections on which nothing is under way."""
        for channel in list(self.active_channels.values()):
            if channel.is_idle():
                channel.drop()

    def note(self, task: Any) -> None:
        """Write a line of the access log."""
        request = task.request
        environ = {
            "REMOTE_ADDR": task.channel.addr[0],
            "REQUEST_METHOD": getattr(request, "command", "-"),
            "RAW_URI": visible(without_secrets(getattr(request, "request_uri", "-"))),
            "SERVER_PROTOCOL": f"HTTP/{request.version}",
            "HTTP_REFERER": visible(without_secrets(request.headers.get("REFERER", "-"))),
            "HTTP_USER_AGENT": visible(request.headers.get("USER_AGENT", "-")),
        }
        answer = SimpleNamespace(
            status=task.status, sent=task.content_bytes_written, headers=task.response_headers
        )
        took = timedelta(seconds=max(0.0, time.time() - task.start_time))
        self.log.access(answer, request.headers, environ, took)


def visible(text: str) -> str:
    """What a stranger sent, as a terminal may show it: control characters are written out."""
    return text.encode("unicode_escape").decode("ascii")


class WebWorker(Worker):
    """A process of the web, as gunicorn wants it."""

    def run(self) -> None:
        stand()
        sockets: dict[int, Any] = {}
        self.dispatcher = Dispatcher(
            at_once=1 if connection.vendor == "sqlite" else self.cfg.threads
        )
        self.dispatcher.set_thread_count(self.cfg.threads)
        options = {"map": sockets, "dispatcher": self.dispatcher, "adj": adjustments()}
        options |= {"log": self.log, "patience": settings.WEB_REQUEST_SECONDS}
        servers = [
            Server(
                self.wsgi,
                _sock=listener.sock,
                sockinfo=(listener.family, listener.type, listener.proto, listener.getsockname()),
                bind_socket=False,
                **options,
            )
            for listener in self.sockets
        ]
        while self.alive and self.ppid == os.getppid():
            self.turn(servers, sockets, 0.5)
        self.finish(servers, sockets)

    def turn(self, servers: list[Server], sockets: dict[int, Any], seconds: float) -> None:
        self.notify()
        if self.dispatcher.held:
            seconds = min(seconds, LONG)
        now = time.monotonic()  # and a look waits whole milliseconds
        rests = [server.due - now + 0.001 for server in servers if server.due]
        wait = max(0.0, min([seconds, *rests]))
        wasyncore.loop(timeout=wait, use_poll=True, map=sockets, count=1)
        self.dispatcher.look()
        for server in servers:
            server.sweep()

    def finish(self, servers: list[Server], sockets: dict[int, Any]) -> None:
        """Answer what has been asked, and what is asked on open connections just now."""
        began = time.monotonic()
        for server in servers:
            server.stop_accepting()
        while any(server.active_channels for server in servers):
            passed = time.monotonic() - began
            if passed > self.cfg.graceful_timeout:
                return
            if passed > LAST_REQUESTS:
                for server in servers:
                    server.dismiss()
            self.turn(servers, sockets, 0.1)


def adjustments() -> Adjustments:
    """What waitress is told: limits of ours stand in place of its own."""
    return Adjustments(
        ident="",
        connection_limit=connections(),
        max_request_header_size=HEAD,
        max_request_body_size=UNBOUNDED,
        outbuf_high_watermark=UNBOUNDED,  # a slow reader holds no thread; the disk keeps the rest
        clear_untrusted_proxy_headers=False,  # settings say which of them count
        log_socket_errors=False,
    )


def connections() -> int:
    """As many as there are files for."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS + SPARE_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return CONNECTIONS if soft == resource.RLIM_INFINITY else min(CONNECTIONS, soft - SPARE_FILES)
