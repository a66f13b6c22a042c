"""Strangers at the raw sockets of the web: unclear requests, many silent connections, odd words."""

from __future__ import annotations

import contextlib
import socket
import time

import pytest

from tests.e2e.senders import announce, get, is_open
from tests.e2e.stack import Stack

pytestmark = pytest.mark.full

SILENT = 2000
KEPT = 100
ASKED = 20
BODY = b"5\r\nname=\r\n0\r\n\r\n"
UNCLEAR = {
    "a length and chunks": "1.1\nContent-Length: 5\nTransfer-Encoding: chunked",
    "chunks and a length": "1.1\nTransfer-Encoding: chunked\nContent-Length: 5",
    "chunks named twice": "1.1\nTransfer-Encoding: chunked\nTransfer-Encoding: chunked",
    "chunks listed twice": "1.1\nTransfer-Encoding: chunked, chunked",
    "chunks on a folded line": "1.1\nTransfer-Encoding: chunked,\n chunked",
    "no coding at all": "1.1\nTransfer-Encoding:",
    "chunks in HTTP/1.0": "1.0\nTransfer-Encoding: chunked",
    "chunks in HTTP/1.2": "1.2\nTransfer-Encoding: chunked",
    "a length of 5,000 digits": f"1.1\nContent-Length: {'9' * 5000}",
}


@pytest.fixture(scope="module")
def web(tmp_path_factory):
    stack = Stack(tmp_path_factory.mktemp("web"), crew=("web",), web_processes=1)
    stack.environment |= {"WEB_REQUEST_SECONDS": "60"}
    with stack:
        yield stack


def log_of(stack, name):
    return (stack.folder / "log" / f"{name}.log").read_text("utf-8")


@pytest.mark.parametrize("framing", UNCLEAR.values(), ids=UNCLEAR)
def test_a_body_whose_end_is_not_clear_is_refused_and_nothing_after_it_is_read(web, framing):
    head = f"POST /login/ HTTP/{framing}\nHost: localhost\n\n"

    status, rest = announce(
        web.port, head, BODY, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    )

    assert status.partition(" ")[2] == "400 Bad Request"
    assert "Connection: close" in rest
    assert "HTTP/1" not in rest
    assert "Traceback" not in log_of(web, "web")


def test_a_coding_nobody_knows_is_said_to_be_unknown(web):
    head = "POST /login/ HTTP/1.1\nHost: localhost\nTransfer-Encoding: gzip\n\n"

    assert announce(web.port, head)[0] == "HTTP/1.1 501 Not Implemented"


@pytest.mark.parametrize("address", ["http://[::1", "http://[::1/", "//[x", "http://a]/"])
def test_an_address_that_is_none_is_a_bad_request(web, address):
    status, _rest = announce(
        web.port, f"GET {address} HTTP/1.1\nHost: localhost\nConnection: close\n\n"
    )

    wanted = "404 Not Found" if address.startswith("//") else "400 Bad Request"
    assert status.partition(" ")[2] == wanted
    assert "uncaptured python exception" not in log_of(web, "web")
    assert "Traceback" not in log_of(web, "web")


@contextlib.contextmanager
def silent_connections(port, address, count):
    with contextlib.ExitStack() as opened:
        yield [
            opened.enter_context(
                socket.create_connection(("127.0.0.1", port), 30, source_address=(address, 0))
            )
            for _ in range(count)
        ]


def test_two_thousand_silent_connections_from_one_address_keep_nobody_out(web):
    with silent_connections(web.port, "127.0.0.2", SILENT) as silent:
        answers = [get(web.port, "/login/", timeout=20) for _ in range(ASKED)]
        web.until(lambda: sum(map(is_open, silent)) <= KEPT, "few of them are kept")
        kept = [is_open(each) for each in silent]

    assert answers == [200] * ASKED
    assert kept == [False] * (SILENT - KEPT) + [True] * KEPT


def test_who_has_begun_a_request_outlasts_the_silent_ones_of_the_same_address(web):
    with (
        socket.create_connection(
            ("127.0.0.1", web.port), 30, source_address=("127.0.0.3", 0)
        ) as one,
        silent_connections(web.port, "127.0.0.3", KEPT // 2),
    ):
        one.sendall(b"GET /login/ HTTP/1.0\r\nHost: local")
        with silent_connections(web.port, "127.0.0.3", KEPT) as later:
            web.until(lambda: get(web.port, "/login/", timeout=20), "all of them have come")
            one.sendall(b"host\r\n\r\n")
            answer = one.recv(12)
            assert all(map(is_open, later[1:]))

    assert answer == b"HTTP/1.0 200"


def test_a_trusted_proxy_may_keep_as_many_connections_as_there_are(tmp_path):
    stack = Stack(tmp_path, crew=("web",), web_processes=1)
    stack.environment |= {"WEB_REQUEST_SECONDS": "60", "TRUSTED_PROXIES": "127.0.0.2"}
    with stack, silent_connections(stack.port, "127.0.0.2", 3 * KEPT) as silent:
        answer = get(stack.port, "/healthz", timeout=20)
        time.sleep(1)
        kept = sum(map(is_open, silent))

    assert (kept, answer) == (3 * KEPT, 200)


def test_the_access_log_holds_no_control_characters(web):
    words = b"\x1b[31m \x00\x07\x7f\x9b".split(b" ")
    head = b'GET /odd\\%s?%s HTTP/1.0\r\nHost: localhost\r\nUser-Agent: odd \x9b31m\t"red"\r\n\r\n'
    with socket.create_connection(("127.0.0.1", web.port), timeout=20) as connection:
        connection.sendall(head % tuple(words))
        while connection.recv(65536):
            pass

    web.until(lambda: "GET /odd" in log_of(web, "access"), "the line is written")
    (line,) = [each for each in log_of(web, "access").split("\n") if "GET /odd" in each]
    assert line.isprintable()
    assert r'"GET /odd\\\x1b[31m?\x00\x07\x7f\x9b HTTP/1.0" 400' in line
    assert r'"odd \x9b31m\t\"red\""' in line
