"""What the pages are told of when a request was there whole."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from typing import Any

from django.test import RequestFactory
from waitress import wasyncore
from waitress.task import ThreadedTaskDispatcher

from config.run import listen
from config.web import Server
from tests.config.serving import server_on
from web.arrival import ARRIVED, seconds_since

WAITED = 0.3
REQUEST = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n"


def test_a_request_that_waits_for_a_thread_is_told_as_arrived_before():
    told: list[float] = []

    def application(environ: dict[str, Any], start: Callable[..., object]) -> Iterable[bytes]:
        told.append(time.monotonic() - environ[ARRIVED])
        start("204 No Content", [])
        return []

    threads = ThreadedTaskDispatcher()
    with closing(listen(0)) as own:
        server = server_on(own.dup(), application, threads)
        with closing(socket.create_connection(own.getsockname())) as client:
            client.sendall(REQUEST)
            look(server, 5)
            time.sleep(WAITED)  # the head was there for long before the body is
            client.sendall(b"{}")
            began = time.monotonic()
            look(server, 5)
            time.sleep(WAITED)
            threads.set_thread_count(1)
            while not told and time.monotonic() < began + 20:
                time.sleep(0.01)
        threads.shutdown()
        wasyncore.close_all(server._map)

    (waited,) = told
    assert WAITED <= waited < 2 * WAITED


def look(server: Server, times: int) -> None:
    for _ in range(times):
        wasyncore.loop(timeout=0.01, use_poll=True, map=server._map, count=1)


def test_of_another_server_nothing_is_known_and_no_header_tells_it():
    named = {"HTTP_RAZBOR_ARRIVED": "1.0", "HTTP_RAZBOR.ARRIVED": "1.0"}

    assert seconds_since(RequestFactory().get("/", **named)) == 0


def test_a_clock_that_steps_back_makes_no_request_come_from_the_future():
    request = RequestFactory().get("/", **{ARRIVED: time.monotonic() + 5})

    assert seconds_since(request) == 0
