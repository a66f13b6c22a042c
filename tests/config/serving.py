"""What a process of the web does with its socket, in the process of the tests."""

from __future__ import annotations

import socket
from types import SimpleNamespace

from waitress.task import ThreadedTaskDispatcher

from config.channel import Wsgi
from config.web import Server, adjustments


def server_on(own: socket.socket, pages: Wsgi, threads: ThreadedTaskDispatcher) -> Server:
    return Server(
        pages,
        _sock=own,
        sockinfo=(own.family, own.type, own.proto, own.getsockname()),
        bind_socket=False,
        map={},
        dispatcher=threads,
        adj=adjustments(),
        log=SimpleNamespace(access=lambda *_told: None),
        patience=20,
    )
