"""Between a browser and the site: what follows the first part of an answer may never come."""

from __future__ import annotations

import contextlib
import socket
import threading

HEAD = b"\r\nX-Stored: "
PATIENCE = 60


class Relay:
    """Passes on what both say; ``hold`` keeps back what follows the head of the next change."""

    def __init__(self, port):
        self.port = port
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.is_holding = self.is_cut = False
        self.came, self.goes = threading.Event(), threading.Event()
        self.begin(self.accept)

    def begin(self, work, *told):
        threading.Thread(target=work, args=told, daemon=True).start()

    def close(self):
        self.goes.set()
        self.listener.close()

    def hold(self):
        self.came.clear()
        self.goes.clear()
        self.is_holding, self.is_cut = True, False

    def held(self):
        """The head of the answer has gone on, and nothing behind it."""
        assert self.came.wait(PATIENCE)

    def go(self):
        self.goes.set()

    def cut(self):
        """What was kept back never comes."""
        self.is_cut = True
        self.goes.set()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                browser, _address = self.listener.accept()
                site = socket.create_connection(("127.0.0.1", self.port))
                self.begin(self.pass_on, browser, site)
                self.begin(self.pass_back, site, browser)

    def pass_on(self, source, sink):
        with contextlib.suppress(OSError):
            while said := source.recv(65536):
                sink.sendall(said)
        end(source, sink)

    def pass_back(self, source, sink):
        with contextlib.suppress(OSError):
            while said := source.recv(65536):
                if self.is_holding and HEAD in said:
                    said = self.first_part(said, source, sink)
                    self.is_holding = False
                    self.came.set()
                    self.goes.wait(PATIENCE)
                    if self.is_cut:
                        break
                sink.sendall(said)
        end(source, sink)

    def first_part(self, said, source, sink):
        """Pass on the head and the first chunk; what has come after them."""
        head, _, rest = said.partition(b"\r\n\r\n")
        while rest.count(b"\r\n") < 2 or len(rest) < (size := size_of(rest)):
            rest += source.recv(65536)
        sink.sendall(head + b"\r\n\r\n" + rest[:size])
        return rest[size:]


def size_of(chunks):
    """The bytes of the first of them, with what frames it."""
    length = chunks.partition(b"\r\n")[0]
    return len(length) + int(length, 16) + 4


def end(*sockets):
    for each in sockets:
        with contextlib.suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)
        each.close()
