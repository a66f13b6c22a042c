"""The gateway's server on a socket: who does not read, who does not ask, and what its log keeps."""

from __future__ import annotations

import asyncio
import json
import resource
import socket
import subprocess
import sys
import threading
from contextlib import closing, contextmanager
from http.client import HTTPConnection

import pytest
import uvicorn

from config.bootstrap import ROOT
from contest.gateway import links, serving
from contest.gateway.application import Gateway
from contest.gateway.hall import Hall
from contest.gateway.limits import INTRODUCTION, OUTBOX
from contest.gateway.threads import Threads
from contest.management.commands.gateway import raise_limit_of_files
from tests.contest.hostile import BROKEN_FRAMES
from tests.patience import PATIENCE

KEY = "0123456789-nobody-may-read-this-key-0123456"
UPGRADE = (
    f"GET /socket.io/?token={KEY}&EIO=3&transport=websocket HTTP/1.1\r\nHost: here\r\n"
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
).encode()
REST = (f"GET /socket.io/?token={KEY} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n").encode()


@contextmanager
def served(threads):
    """The address of a gateway that serves as ours does, without a look-out."""
    gateway = Gateway("tested")
    gateway.hall = Hall(threads, "tested")
    listener = socket.create_server(("127.0.0.1", 0))
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    config = uvicorn.Config(gateway, **{**serving.SERVED, "lifespan": "off", "log_config": None})
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield listener.getsockname()
    finally:
        server.should_exit = True
        thread.join()
        listener.close()
        threads.close()


@contextmanager
def connected(address):
    with closing(socket.socket()) as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.settimeout(PATIENCE)
        client.connect(address)
        yield client


@contextmanager
def joined(address):
    """A websocket that stands; what is written together with its request would be lost."""
    with connected(address) as client:
        client.sendall(UPGRADE)
        found = b""
        while b"\r\n\r\n" not in found:
            found += (came := client.recv(1))
            assert came, "the gateway went away"
        yield client


def frame(text):
    """A text of fewer than 126 bytes as a client writes it, under a mask of zeros."""
    data = text.encode()
    return bytes([0x81, 0x80 | len(data)]) + bytes(4) + data


def is_cut_off(client):
    """Whether the other end goes away before long."""
    try:
        while client.recv(4096):
            pass
    except TimeoutError:
        return False
    except OSError:
        return True
    return True


def test_a_client_that_never_reads_is_cut_off(monkeypatch):
    monkeypatch.setattr(links, "PATIENCE", 0.1)
    monkeypatch.setattr(serving, "FAREWELL", 0.1)
    pings = frame("2" + "x" * 99) * 1000

    def ping_and_ping(client):
        while True:
            client.sendall(pings)

    with (
        served(Threads()) as address,
        joined(address) as client,
        pytest.raises(ConnectionError),
    ):
        ping_and_ping(client)


def test_a_client_that_never_reads_has_so_many_packets_waiting_and_no_more(caplog):
    written = []

    async def never_taken(message):
        written.append(message)
        await asyncio.Event().wait()

    async def story():
        link = links.Link(never_taken, "en")
        pump = asyncio.ensure_future(link.pump())
        taken = [link.write("3") for _ in range(OUTBOX)]
        await asyncio.sleep(0)  # the first is being written now, and none comes after it
        taken.append(link.write("3"))
        refused = [link.write("3"), link.write("3")]
        waiting = link.outbox.qsize()
        pump.cancel()
        return taken, refused, waiting, link.is_gone

    taken, refused, waiting, is_gone = asyncio.run(story())

    assert (taken, refused) == ([True] * (OUTBOX + 1), [False, False])
    assert (len(written), waiting, is_gone) == (1, OUTBOX, True)
    assert [each.partition(" does")[2] for each in caplog.messages] == [" not read: dropped"]


def test_what_breaks_the_rules_of_the_websocket_closes_its_own_connection_alone(monkeypatch):
    monkeypatch.setattr(serving, "FAREWELL", 0.1)
    cut_off, told = {}, {}
    with served(Threads()) as address, joined(address) as calm:
        for name, said in BROKEN_FRAMES.items():
            with joined(address) as client:
                client.settimeout(INTRODUCTION / 2)  # it is not for its silence
                client.sendall(said)
                cut_off[name] = is_cut_off(client)
            calm.sendall(frame(f"2{name}"))
            told[name] = heard(calm, f"3{name}")

    assert (cut_off, told) == (
        dict.fromkeys(BROKEN_FRAMES, True),
        dict.fromkeys(BROKEN_FRAMES, True),
    )


def heard(client, text):
    """Whether this is written before long; hello and welcome come before it."""
    found = b""
    while text.encode() not in found:
        if not (came := client.recv(4096)):
            return False
        found += came
    return True


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"GET /healthz HTTP/1.1\r\nHost:",
        b"GET /healthz HTTP/1.1\r\nHost: here\r\n\r\nGET /healthz HTTP/1.1\r\nHost:",
    ],
    ids=["nothing", "half a head", "a request and half a head"],
)
def test_who_sends_no_whole_request_is_cut_off(monkeypatch, said):
    monkeypatch.setattr(serving, "ARRIVAL", 0.2)
    with served(Threads()) as address, connected(address) as client:
        client.sendall(said)

        assert is_cut_off(client)


def test_no_key_stands_in_the_log_whatever_goes_wrong(monkeypatch, caplog):
    monkeypatch.setattr(serving, "FAREWELL", 0.1)
    threads = Threads()
    threads.close()  # so that what is done for a client fails
    nonsense = [b"\x82\x81" + bytes(4) + b"x", frame("nonsense"), frame(f"40/pku?token={KEY},")]
    with served(threads) as address:
        for said in nonsense:
            with joined(address) as client:
                client.sendall(said + frame("1"))
                assert is_cut_off(client)
        with connected(address) as client:
            client.sendall(REST)
            assert is_cut_off(client)

    assert "Exception in ASGI application" in caplog.text
    assert "sent bytes" in caplog.text
    assert "no packet" in caplog.text
    assert KEY not in caplog.text


def test_as_many_files_are_open_as_the_system_allows():
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (before[0] // 2, before[1]))
    try:
        raise_limit_of_files()
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (before[1], before[1])
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.full
def test_the_gateway_starts_without_what_only_pages_need():
    command = ["-X", "importtime", "manage.py", "gateway", "--fd", "999"]

    tried = subprocess.run(
        [sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert "Bad file descriptor" in tried.stderr
    loaded = {line.rpartition("|")[2].strip() for line in tried.stderr.splitlines()}
    assert "contest.gateway.application" in loaded
    of_pages = {"config.urls", "contest.urls", "numpy", "rest_framework.views", "xlsxwriter"}
    assert not loaded & of_pages


@pytest.mark.parametrize(
    ("heads", "begins"),
    [
        ({}, "This is the gateway"),
        ({"Accept-Language": "ru, en;q=0.5"}, "Это шлюз"),
        ({"Accept-Language": "de"}, "This is the gateway"),
    ],
)
def test_who_does_not_say_its_language_is_answered_in_that_of_the_web(heads, begins):
    with served(Threads()) as address, closing(HTTPConnection(*address)) as asked:
        asked.request("GET", "/api/sets/", headers=heads)
        told = json.loads(asked.getresponse().read())

    assert told["message"].startswith(begins)
