"""What is told of an address that is not the platform's: the likely slip first."""

from __future__ import annotations

import contextlib
import errno
import re
import socket
import ssl
import threading

import pytest

from razbor.client import Exchange, ExchangeError
from razbor.hearing import unexpected, unreachable

PLAIN = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
MOVED = (
    b"HTTP/1.1 301 Moved\r\nLocation: https://razbor.example/api/exchange/\r\n"
    b"Content-Length: 0\r\nConnection: close\r\n\r\n"
)


@pytest.fixture
def speaker():
    """Answers whatever is said to it with the same bytes; gives its port."""
    listeners = []

    def speaks(data):
        listeners.append(listener := socket.create_server(("127.0.0.1", 0)))

        def serve():
            with contextlib.suppress(OSError):
                while True:
                    client, _address = listener.accept()
                    with client:
                        client.recv(65536)
                        client.sendall(data)

        threading.Thread(target=serve, daemon=True).start()
        return listener.getsockname()[1]

    yield speaks
    for each in listeners:
        each.close()


def told(address):
    with pytest.raises(ExchangeError) as caught:
        Exchange(address, "key", patience=0).open("technical")
    return caught.value.sentence


def test_https_at_a_port_of_http_is_told(speaker):
    sentence = told(f"https://127.0.0.1:{speaker(PLAIN)}")

    assert "does not speak https" in sentence
    assert "begins with http://, write that" in sentence


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (PLAIN, "If its port is for https, begin the address with https://."),
        (b"\x15\x03\x01\x00\x02\x02F\r\n", "If the platform’s address begins with https://"),
        (
            MOVED,
            "The platform is elsewhere (HTTP 301): give https://razbor.example as its address.",
        ),
    ],
)
def test_http_at_a_port_of_https_is_told(speaker, said, expected):
    assert expected in told(f"http://127.0.0.1:{speaker(said)}")


def test_nothing_that_listens_is_told():
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]

    assert told(f"http://127.0.0.1:{port}").startswith(f"Nothing listens at 127.0.0.1:{port} (")


def test_https_at_a_port_of_http_that_waits_for_more_is_told(mute):
    port, _asked = mute

    with pytest.raises(ExchangeError) as caught:
        Exchange(f"https://127.0.0.1:{port}", "key", patience=0, silence=0.2).doors()

    assert caught.value.sentence.startswith(f"127.0.0.1:{port} does not answer over https (")
    assert "begins with http://, write that" in caught.value.sentence


def test_a_platform_that_breaks_off_is_no_wrong_address(speaker):
    port = speaker(b"")

    beginning = f"127.0.0.1:{port} does not answer ("
    assert told(f"http://127.0.0.1:{port}").startswith(
        (f"{beginning}Remote", f"{beginning}Connection reset")
    )


def test_what_is_none_of_these_is_told_as_before():
    error = unreachable("https://a.example/x", OSError(errno.ETIMEDOUT, "Connection timed out"))
    words = "a.example does not answer (Connection timed out). Check the address and the network."
    assert (error.code, error.sentence) == ("unreachable", words)
    strange = unreachable("https://a.example/x", ssl.SSLError(1, "a strange thing"))
    assert strange.sentence.startswith("a.example does not answer (")
    assert unexpected(200).sentence == (
        "What answers there is no exchange (HTTP 200). Check the address."
    )


def test_a_platform_that_is_not_there_is_one_error(live_server):
    with pytest.raises(ExchangeError) as silent:
        Exchange("http://127.0.0.1:9", "key", patience=0).doors()
    with pytest.raises(ExchangeError) as other:
        Exchange(f"{live_server.url}/elsewhere", "key").doors()
    with pytest.raises(ExchangeError) as address:
        Exchange("ftp://x", "key")
    with pytest.raises(ExchangeError) as token:
        Exchange("https://x", "two words")

    found = [each.value.code for each in (silent, address, token)]
    assert found == ["unreachable", "bad-address", "bad-token"]
    assert other.value.status == 404


@pytest.fixture
def mute():
    """Takes requests in and never answers; gives its port and what it was asked."""
    asked, taken = [], []
    listener = socket.create_server(("127.0.0.1", 0))

    def serve():
        with contextlib.suppress(OSError):
            while True:
                taken.append(listener.accept()[0])
                asked.append(taken[-1].recv(65536))

    threading.Thread(target=serve, daemon=True).start()
    yield listener.getsockname()[1], asked
    for each in (listener, *taken):
        each.close()


def test_a_request_of_which_no_byte_comes_is_made_again_under_its_key(mute):
    port, asked = mute
    exchange = Exchange(f"http://127.0.0.1:{port}", "key", patience=1.0, silence=0.1)

    with pytest.raises(ExchangeError) as caught:
        exchange.open("technical", key="mine")

    keys = {re.search(rb"(?i)idempotency-key: (\S+)", each)[1] for each in asked}
    assert (caught.value.code, len(asked) > 1, keys) == ("unreachable", True, {b"mine"})
