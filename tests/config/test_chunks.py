"""Answers whose length nobody knows when they begin: what follows them on their connection."""

from __future__ import annotations

import http.client
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from typing import Any

import pytest
from waitress import wasyncore
from waitress.task import ThreadedTaskDispatcher

from config.run import listen
from tests.config.serving import server_on

METHODS = (b"HEAD", b"GET")
END = b"0\r\n\r\n"


def in_chunks(environ: dict[str, Any], start: Callable[..., object]) -> Iterable[bytes]:
    start("200 OK", [])
    return [] if environ["REQUEST_METHOD"] == "HEAD" else iter([b"one, ", b"two"])


@pytest.fixture
def address() -> Iterator[tuple[str, int]]:
    """Where a server answers so."""
    threads, is_over = ThreadedTaskDispatcher(), threading.Event()
    threads.set_thread_count(1)
    with closing(listen(0)) as own:
        server = server_on(own.dup(), in_chunks, threads)

        def serve() -> None:
            while not is_over.is_set():
                wasyncore.loop(timeout=0.01, use_poll=True, map=server._map, count=1)
                server.sweep()

        serving = threading.Thread(target=serve)
        serving.start()
        yield own.getsockname()
        is_over.set()
        serving.join()
        threads.shutdown()
        wasyncore.close_all(server._map)


def test_an_answer_in_chunks_leaves_its_connection_to_the_next_request(address):
    found: list[bytes] = []
    used: set[socket.socket | None] = set()
    with closing(http.client.HTTPConnection(*address, timeout=20)) as connection:
        for _ in range(3):
            connection.request("GET", "/")
            found.append(connection.getresponse().read())
            used.add(connection.sock)

    assert found == [b"one, two"] * 3
    assert (len(used), None in used) == (1, False)


def test_nothing_follows_an_answer_to_head_but_the_answer_to_the_next_request(address):
    said = b""
    with closing(socket.create_connection(address, timeout=20)) as client:
        client.sendall(b"".join(b"%s / HTTP/1.1\r\nHost: x\r\n\r\n" % each for each in METHODS))
        while not said.endswith(END):
            said += client.recv(65536)

    answers = said.split(b"HTTP/1.1 200 OK\r\n")[1:]
    assert [each.partition(b"\r\n\r\n")[2] for each in answers] == [
        b"",
        b"5\r\none, \r\n3\r\ntwo\r\n0\r\n\r\n",
    ]
