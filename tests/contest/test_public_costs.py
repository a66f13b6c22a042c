"""What the public pages of contests cost: queries, bytes, scripts; and their feed."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from contest.models import Announcement
from tests.contest.contests import board_of, data_set, parameters, running, told
from tests.pages import page_of

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).resolve().parent.parent.parent
ATOM = "{http://www.w3.org/2005/Atom}"
MOST = 60 * 1024


@pytest.fixture
def stranger():
    return Client(headers={"accept-language": "en"})


@pytest.fixture
def autumn():
    return running()


def many_announcements(contest, count=200):
    Announcement.objects.bulk_create(
        Announcement(
            contest=contest,
            title_ru=f"Объявление {each}",
            title_en=f"Announcement {each}",
            body_en="A sentence of some length that says what happened and why. " * 4,
        )
        for each in range(count)
    )


def queries(client, address):
    with CaptureQueriesContext(
        connection,
    ) as asked:
        assert client.get(address).status_code == 200
    return len(asked)


def test_two_hundred_announcements_cost_what_one_does(autumn, stranger):
    told(autumn)
    parameters(autumn, 1)
    addresses = ["/", "/contests/autumn/", "/contests/autumn/feed/"]
    before = [queries(stranger, each) for each in addresses]

    many_announcements(autumn)

    assert [queries(stranger, each) for each in addresses] == before
    page = page_of(stranger.get("/contests/autumn/?page=2"))
    assert len(page.find(".news li")) == 10
    assert "11–20 of 201" in page.text


@pytest.mark.usefixtures("autumn")
def test_fifty_contests_cost_what_one_does(stranger):
    before = [queries(stranger, each) for each in ("/", "/contests/")]

    for number in range(60):
        running(f"c{number}")

    assert [queries(stranger, each) for each in ("/", "/contests/")] == before
    assert len(page_of(stranger.get("/contests/")).find(".contests tbody tr")) == 50


def read(answer):
    return ElementTree.fromstring(answer.content)  # noqa: S314 - our own feed


def test_the_feed_is_atom_with_the_latest_announcements(autumn, stranger):
    told(autumn, "Older", "a < b\x01")
    told(autumn, "Newer", "text")

    answer = stranger.get("/contests/autumn/feed/?language=en")

    feed = read(answer)
    assert answer["Content-Type"].startswith("application/atom+xml")
    assert feed.tag == f"{ATOM}feed"
    assert feed.find(f"{ATOM}title").text == "Contest autumn: announcements"
    entries = feed.findall(f"{ATOM}entry")
    assert [each.find(f"{ATOM}title").text for each in entries] == ["Newer", "Older"]
    for each in [feed, *entries]:
        assert all(each.find(f"{ATOM}{name}").text for name in ("id", "title", "updated"))
        assert each.find(f"{ATOM}link").attrib["href"].startswith("http")
    assert entries[1].find(f"{ATOM}summary").text == "<p>a &lt; b </p>"
    russian = read(stranger.get("/contests/autumn/feed/?language=ru"))
    assert russian.find(f"{ATOM}entry/{ATOM}title").text == "Newer по-русски"


def weight(answer):
    """Bytes of a page with its styles as they are written, but for the list of fonts, and of all of
    them as they are sent; what the fonts weigh a browser counts (tests/screens/test_public_bytes).
    """
    html = answer.content
    names = set(re.findall(r"css/([\w-]+)(?:\.\w+)?\.css", html.decode()))
    wanted = (names - {"site"}) | {"tokens", "fonts", "ui"}
    styles = {
        each: (ROOT / "static" / "css" / f"{each}.css").read_bytes() for each in sorted(wanted)
    }
    written = sum(len(css) for name, css in styles.items() if name != "fonts")
    packed = gzip.compress(b"".join(styles.values()))
    return len(html) + written, len(gzip.compress(html)) + len(packed)


@pytest.mark.parametrize("language", ["ru", "en"])
def test_a_page_is_small(autumn, language):
    many_announcements(autumn)
    parameters(autumn, 1)
    board_of(data_set(autumn, "final").essay_set, *(f"Team {each}" for each in range(12)))
    for number in range(10):
        running(f"c{number}", summary_ru="о" * 150, summary_en="s" * 150)
    client = Client(headers={"accept-language": language})

    for address in ("/", "/contests/", "/contests/autumn/"):
        raw, sent = weight(client.get(address))
        assert (raw < MOST, sent < MOST / 3) == (True, True), (address, raw, sent)


def test_pages_need_no_script(autumn, stranger):
    told(autumn)

    for address in ("/", "/contests/", "/contests/autumn/"):
        page = stranger.get(address).content.decode()
        assert set(re.findall(r"js/([\w-]+)", page)) == {"early", "zones"}  # say more, not less
        assert not re.search(r"\bhx-|style=|onclick", page)
