"""Which process of the web takes a connection."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing

import pytest
from waitress import wasyncore
from waitress.task import ThreadedTaskDispatcher

from config.run import listen
from config.web import Server
from tests.config.serving import server_on


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with closing(listen(0)) as found:
        yield found


def process_of(listener: socket.socket) -> Server:
    """What a process of the web does with the socket all of them have."""
    return server_on(listener.dup(), lambda _environ, _start: [], ThreadedTaskDispatcher())


def look(process: Server) -> None:
    wasyncore.loop(timeout=0, use_poll=True, map=process._map, count=1)
    process.sweep()


def taken(processes: list[Server]) -> list[int]:
    return [len(each.active_channels) for each in processes]


def test_connections_that_come_at_once_are_shared_though_one_process_looks_more_often(listener):
    processes = [process_of(listener) for _ in range(2)]
    often, seldom = processes
    with ExitStack() as opened:
        for _ in range(8):
            opened.enter_context(closing(socket.create_connection(listener.getsockname())))
        while sum(taken(processes)) < 8:
            for each in (*[often] * 8, seldom):
                look(each)

        assert min(taken(processes)) >= 2
        for each in processes:
            wasyncore.close_all(each._map)


def test_a_connection_nobody_else_takes_is_taken_in_a_moment(listener):
    process = process_of(listener)
    with ExitStack() as opened:
        for _ in range(3):
            opened.enter_context(closing(socket.create_connection(listener.getsockname())))
        while taken([process]) != [3]:
            look(process)
        wasyncore.close_all(process._map)
