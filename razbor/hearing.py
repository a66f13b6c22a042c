"""What a client of the exchange hears instead of what it asked for, and what to do about it."""

from __future__ import annotations

import json
import socket
import ssl
import urllib.error
from collections.abc import Mapping
from http.client import BadStatusLine, HTTPException
from typing import Any, Final
from urllib.parse import urlsplit

from razbor.words import _

NOT_TLS: Final = frozenset({"WRONG_VERSION_NUMBER", "UNEXPECTED_EOF_WHILE_READING", "HTTP_REQUEST"})
"""What OpenSSL says of a port that speaks plain HTTP."""


class ExchangeError(Exception):
    """What the platform declined, or that it could not be reached.

    ``code`` stays the same in every language: one of the platform's, ``unreachable``, or
    ``unexpected`` for an answer that is none of an exchange. ``sentence`` is for people, ``status``
    that of HTTP, ``None`` without an answer; ``body`` is what the answer holds besides.
    """

    def __init__(
        self,
        code: str,
        sentence: str,
        status: int | None = None,
        body: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.status = status
        self.body = body or {}


def declined(error: urllib.error.HTTPError) -> ExchangeError:
    """The refusal an answer holds, or that it is none of an exchange."""
    try:
        body = json.loads(error.read())
    except (OSError, HTTPException, ValueError):
        body = None
    if not isinstance(body, dict) or "code" not in body:
        return unexpected(error.code, error.headers.get("Location", ""), error.url or "")
    sentence = str(body.get("message") or body["code"])
    for name, words in dict(body.get("fields") or {}).items():
        said = " ".join(map(str, words)) if isinstance(words, list) else str(words)
        sentence += f" {name}: {said}"
    return ExchangeError(str(body["code"]), sentence, error.code, body)


def unexpected(status: int, location: str = "", address: str = "") -> ExchangeError:
    """What answers is no exchange; ``location``: where it sends to from ``address``."""
    words = _("What answers there is no exchange (HTTP {status}). Check the address.")
    elsewhere = urlsplit(location)
    if elsewhere.netloc and 300 <= status < 400:
        words = _("The platform is elsewhere (HTTP {status}): give {address} as its address.")
    elif status == 400 and address.startswith("http://"):
        words = _(
            "What answers there is no exchange (HTTP {status}). If its port is for https, begin "
            "the address with https://."
        )
    told = f"{elsewhere.scheme}://{elsewhere.netloc}"
    return ExchangeError("unexpected", words.format(status=status, address=told), status)


def unreachable(address: str, error: Exception) -> ExchangeError:
    """Nothing was heard, and what to look at first."""
    reason = getattr(error, "reason", None) or error
    host = urlsplit(address).netloc
    if isinstance(reason, ssl.SSLCertVerificationError):
        words = _("{host}: its certificate is not trusted ({reason}). Check the address.")
        return ExchangeError("bad-certificate", words.format(host=host, reason=reason))
    told = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
    return ExchangeError("unreachable", _words(reason).format(host=host, reason=told))


def _words(reason: object) -> str:
    if isinstance(reason, socket.gaierror):
        return _("{host}: there is no such host, or no network. Check the address.")
    if isinstance(reason, TimeoutError) and "handshake" in str(reason):
        return _(
            "{host} does not answer over https ({reason}). If the platform’s address begins with "
            "http://, write that; else check the port and the network."
        )
    if isinstance(reason, ssl.SSLError) and getattr(reason, "reason", "") in NOT_TLS:
        return _(
            "{host} does not speak https ({reason}). If the platform’s address begins with "
            "http://, write that; else check the port."
        )
    if isinstance(reason, ConnectionRefusedError):
        return _("Nothing listens at {host} ({reason}). Check the port, and whether it runs.")
    if isinstance(reason, BadStatusLine) and not isinstance(reason, ConnectionError):
        return _(
            "{host} does not speak http ({reason}). If the platform’s address begins with "
            "https://, write that; else check the port."
        )
    return _("{host} does not answer ({reason}). Check the address and the network.")
