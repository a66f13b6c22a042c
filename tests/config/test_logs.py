"""What the access log of the web says of addresses that bear a key or the link of a letter."""

from __future__ import annotations

import socket
import time
from contextlib import closing
from typing import Any

import pytest
from waitress import wasyncore
from waitress.task import ThreadedTaskDispatcher

from config.logs import without_secrets
from config.run import listen
from config.web import Server, adjustments

KEY = "kQ7-" * 10 + "xyz"
HEX = "0123456789abcdef"


class Log:
    """Keeps what gunicorn's log would write a line of."""

    def __init__(self) -> None:
        self.told: list[dict[str, str]] = []

    def access(self, _answer: Any, _head: Any, environ: dict[str, str], _took: Any) -> None:
        self.told.append(environ)


def nowhere(_environ: dict[str, Any], start: Any) -> list[bytes]:
    start("404 Not Found", [("Content-Length", "0")])
    return []


@pytest.mark.parametrize(
    ("address", "told"),
    [
        (f"/socket.io/?token={KEY}&EIO=3", "/socket.io/?token=***&EIO=3"),
        ("/socket.io/?EIO=3&token=$2b$12$a/b.c", "/socket.io/?EIO=3&token=***"),
        (f"/login/?next=%2F%3Ftoken%3D{KEY}%26EIO", "/login/?next=%2F%3Ftoken%3D***"),
        (f"/contests/invitations/{HEX * 4}/", "/contests/invitations/***/"),
        (f"/invitation/MQ/c9xk2t-{HEX * 2}/", "/invitation/MQ/***/"),
        (f"/exchange/?q={KEY}", "/exchange/?q=***"),
        (f"/contests/invitations/{HEX * 4}", "/contests/invitations/***"),
        (f"/invitation/MQ/c9xk2t-{HEX * 2}?a=1", "/invitation/MQ/***?a=1"),
        (
            f"/login/?next=%2Finvitation%2FMQ%2Fc-{HEX * 2}%2F",
            "/login/?next=%2Finvitation%2FMQ%2F***%2F",
        ),
        (
            f"/?next=%2Fcontests%2Fapplications%2F{HEX * 4}%2f",
            "/?next=%2Fcontests%2Fapplications%2F***%2f",
        ),
        (f"/login/?next=%2Fexchange%2F{KEY}%2F", "/login/?next=%2Fexchange%2F***%2F"),
        (f"/sets/{HEX * 5}/", f"/sets/{HEX * 5}/"),
        ("/invitation/MQ/set-password/", "/invitation/MQ/set-password/"),
        ("/contests/spring/?page=2", "/contests/spring/?page=2"),
    ],
)
def test_what_opens_something_is_masked_and_the_rest_stays(address: str, told: str):
    assert without_secrets(address) == told


def test_a_client_of_the_original_that_comes_to_the_web_leaves_no_key_in_its_log():
    log, threads = Log(), ThreadedTaskDispatcher()
    with closing(listen(0)) as own:
        server = Server(
            nowhere,
            _sock=own.dup(),
            sockinfo=(own.family, own.type, own.proto, own.getsockname()),
            bind_socket=False,
            map={},
            dispatcher=threads,
            adj=adjustments(),
            log=log,
            patience=20,
        )
        head = f"GET /socket.io/?token={KEY}&EIO=3 HTTP/1.1\r\nHost: localhost\r\n"
        with closing(socket.create_connection(own.getsockname())) as client:
            client.sendall(f"{head}Referer: http://localhost/?token={KEY}\r\n\r\n".encode())
            threads.set_thread_count(1)
            until = time.monotonic() + 20
            while not log.told and time.monotonic() < until:
                wasyncore.loop(timeout=0.01, use_poll=True, map=server._map, count=1)
        threads.shutdown()
        wasyncore.close_all(server._map)

    (told,) = log.told
    assert told["RAW_URI"] == "/socket.io/?token=***&EIO=3"
    assert told["HTTP_REFERER"] == "http://localhost/?token=***"
