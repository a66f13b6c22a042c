"""What a proxy tells about a visitor is believed of the proxies TRUSTED_PROXIES names alone."""

from __future__ import annotations

from ipaddress import ip_network

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory

from tests.factories import PersonFactory
from web.middleware import Proxies

PROXY, SECOND, VISITOR, LIAR = "10.0.0.5", "10.0.0.6", "192.0.2.7", "203.0.113.9"


@pytest.fixture(autouse=True)
def _behind_a_proxy(settings):
    settings.TRUSTED_PROXIES = [ip_network("10.0.0.0/29"), ip_network("2001:db8::1")]
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")


def seen(peer, forwarded=None, proto="https"):
    """The address and the scheme behind the middleware."""
    headers = {"X-Forwarded-Proto": proto}
    if forwarded is not None:
        headers["X-Forwarded-For"] = forwarded
    request = RequestFactory().get("/", headers=headers, REMOTE_ADDR=peer)
    Proxies(lambda _request: HttpResponse())(request)
    return request.META["REMOTE_ADDR"], request.scheme


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        (PROXY, VISITOR, VISITOR),
        (PROXY, f"{LIAR}, {VISITOR}", VISITOR),
        (PROXY, f"{LIAR},{VISITOR},{SECOND}", VISITOR),
        (PROXY, f"{SECOND}, {PROXY}", SECOND),
        (PROXY, "2001:db8:7::1", "2001:db8:7::1"),
        (PROXY, None, PROXY),
        (PROXY, "", PROXY),
        (PROXY, "unknown", PROXY),
        (PROXY, f"{VISITOR}, what?", PROXY),
        (PROXY, f"{VISITOR}:443", VISITOR),
        (PROXY, f"{LIAR}, {VISITOR}:65535,{SECOND}:80", VISITOR),
        (PROXY, "[2001:db8:7::1]:443", "2001:db8:7::1"),
        (PROXY, "[2001:db8:7::1]", "2001:db8:7::1"),
        (PROXY, f"::ffff:{VISITOR}", VISITOR),
        (PROXY, f"[::FFFF:{VISITOR}]:443", VISITOR),
        (PROXY, f"{VISITOR}, ::ffff:{SECOND}", VISITOR),
        (PROXY, f"{VISITOR}:port", PROXY),
        (PROXY, "[2001:db8:7::1", PROXY),
        (f"::ffff:{LIAR}", VISITOR, LIAR),
        ("2001:db8::1", VISITOR, VISITOR),
        (f"::ffff:{PROXY}", VISITOR, VISITOR),
        ("", VISITOR, ""),
    ],
)
def test_the_visitor_is_the_last_one_no_trusted_proxy_is(peer, forwarded, address):
    assert seen(peer, forwarded)[0] == address


def test_a_proxy_whose_words_are_no_address_is_named_once_in_the_log(caplog):
    proxies = Proxies(lambda _request: HttpResponse())
    for told in (VISITOR, "", "_hidden\x1b[31m", "unknown"):
        proxies(RequestFactory().get("/", headers={"X-Forwarded-For": told}, REMOTE_ADDR=PROXY))

    said = r"X-Forwarded-For of a trusted proxy is no address: '_hidden\x1b[31m'"
    assert caplog.messages == [said]


def test_a_proxy_we_trust_tells_the_scheme():
    assert (seen(PROXY)[1], seen(PROXY, proto="http")[1]) == ("https", "http")


def test_nobody_else_is_believed():
    assert seen(LIAR, VISITOR) == (LIAR, "http")


@pytest.mark.django_db
def test_tries_behind_a_proxy_are_counted_by_visitor():
    person = PersonFactory(username="ivan")
    person.set_password("the right one")
    person.save()

    def enter(password, forwarded, peer=PROXY):
        return (
            Client()
            .post(
                "/login/",
                {"username": "ivan", "password": password},
                REMOTE_ADDR=peer,
                headers={"X-Forwarded-For": forwarded},
            )
            .status_code
        )

    wrong = [enter("the wrong one", f"198.51.100.{number}, {LIAR}") for number in range(6)]

    assert wrong == [200] * 5 + [429]
    assert (enter("the right one", LIAR), enter("the right one", VISITOR)) == (429, 302)
    assert enter("the right one", f"::ffff:{LIAR}") == enter("the right one", f"{LIAR}:443") == 429
    lies = [enter("the wrong one", f"198.51.100.{number}", peer=LIAR) for number in range(2)]
    assert lies == [429, 429]
