"""Whoever sends slowly, or too much: raw sockets to a stack's web."""

from __future__ import annotations

import contextlib
import socket
import time
from dataclasses import dataclass, field

HALF_A_HEAD = b"GET /login/ HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
HALF_A_BODY = b"POST /login/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\nusername="
HALF_OF_CHUNKS = (
    b"POST /login/ HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1"
)
SILENCE = b""
WAYS = (HALF_A_HEAD, HALF_A_BODY, HALF_OF_CHUNKS, SILENCE)


@dataclass
class Slow:
    """Connections that send their beginning and then a byte now and then, each in its way."""

    port: int
    ways: list[bytes]
    sockets: list[socket.socket] = field(default_factory=list)

    def __enter__(self):
        for way in self.ways:
            each = socket.create_connection(("127.0.0.1", self.port), timeout=30)
            self.sockets.append(each)
            each.sendall(way)
        return self

    def __exit__(self, *_):
        for each in self.sockets:
            each.close()

    def drip(self):
        """One byte each, but for the silent ones."""
        for way, each in zip(self.ways, self.sockets, strict=True):
            if way:
                with contextlib.suppress(OSError):
                    each.sendall(b"0")

    def open(self):
        """How many of them the server still listens to."""
        return sum(map(is_open, self.sockets))


def is_open(connection):
    connection.setblocking(False)
    try:
        return connection.recv(1, socket.MSG_PEEK) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        connection.setblocking(True)


def announce(port, head, *pieces):
    """Send a head and perhaps some of the body; the first line of the answer, and the rest."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(head.replace("\n", "\r\n").encode())
        for piece in pieces:
            connection.sendall(piece)
        answer = b""
        while piece := connection.recv(65536):
            answer += piece
    status, _, rest = answer.decode().partition("\r\n")
    return status, rest


def get(port, path, timeout):
    """The status of a page, or None when there is no answer in time."""
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)) as connection:
        connection.settimeout(timeout)
        connection.sendall(f"GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
        return int(connection.recv(100).split()[1])
    return None


def pause():
    time.sleep(0.5)
