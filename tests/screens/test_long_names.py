"""Long names on a phone: nothing is scrolled sideways, no button touches another."""

from __future__ import annotations

from itertools import pairwise

import pytest
from playwright.sync_api import expect

from annotator.models import MarkupRecord
from contest.core.both import Both
from contest.core.moments import at
from contest.models import Outage
from contest.services.announcing import Module, release_module
from contest.services.sessions.clock import moment_now
from tests.contest.running_world import announced, person, prepared
from tests.contest.world import SECOND, Client, marked_set
from tests.factories import EssayFactory, EssaySetFactory, submitted
from tests.strategies import fragment

pytestmark = pytest.mark.full

LONG = "Грамматика_Eng," * 10
PHONE = {"width": 375, "height": 740}
WIDE = "document.documentElement.scrollWidth"


def test_long_names_of_contests_stay_within_a_phone(visit):
    prepared(name_ru=LONG[:140], name_en=LONG[:140])
    prepared("autumn")

    for role, least in (("judge", 0), ("organiser", 3)):
        page = visit(person(role), "/verdicts/", viewport=PHONE)
        found = page.locator("section[aria-labelledby=contests-wait] a.btn").all()
        boxes = [each.bounding_box() for each in found]
        assert page.evaluate(WIDE) == 375
        assert len(boxes) >= least  # contests of other tests stand there, too
        for before, after in pairwise(boxes):
            beside = after["x"] - before["x"] - before["width"]
            below = after["y"] - before["y"] - before["height"]
            assert (beside if before["y"] == after["y"] else below) >= 6
        page.goto("/contests/spring/manage/")
        assert page.evaluate(WIDE) == 375


def test_a_stranger_scrolls_no_long_name_of_a_contest_sideways(visit, site):  # noqa: ARG001 - its rows
    announced("long-names", name_ru=LONG[:140], name_en=LONG[:140])

    for path in ("/", "/contests/", "/contests/long-names/"):
        page = visit(None, path, viewport=PHONE)
        assert (path, page.evaluate(WIDE)) == (path, 375)


def test_checksums_of_common_modules_stay_within_a_phone(visit, site):  # noqa: ARG001 - its rows
    contest = announced("modules")
    module = Module(LONG[:40], "2026.11.29-candidate", "a" * 64)
    release_module(contest=contest, module=module, purpose=Both(LONG, LONG), actor=None)

    page = visit(person("organiser"), "/contests/modules/manage/modules/", viewport=PHONE)

    expect(page.locator("code")).to_have_text("a" * 64)
    assert page.evaluate(WIDE) == 375


@pytest.fixture
def session(site):  # noqa: ARG001 - the rows are made in its database
    """A session with files of long names: one answered, with long problems, two lost, one open."""
    essay_set = EssaySetFactory(access="open")
    for number in range(4):
        essay = EssayFactory(essay_set=essay_set, number=f"{LONG[:58]}{number}")
        for _ in range(2):
            submitted(essay, fragment(0, 4), source=MarkupRecord.Source.EXPERT)
    client = Client(moment=moment_now() - 60 * SECOND, seconds=20)
    slot = client.next(0).slot
    client.send(slot, 2, data=b'{"text": "", "' + b"k" * 300 + b'": 1}')
    client.send(slot, 3, code=LONG[:60], spans=((0, 4), (2, 6)))
    client.next(4)
    client.next(50)
    until = at(moment_now() + 60 * SECOND)
    Outage.objects.create(began_at=client.row.opened_at, ended_at=until)
    return client


@pytest.mark.parametrize("language", ["ru", "en"])
def test_long_names_of_files_and_long_problems_stay_within_a_phone(visit, session, language):
    address = f"/exchange/{session.session.pk}/"

    page = visit(session.person, address, viewport=PHONE, language=language)

    for opened in page.locator(".log details").all():
        opened.locator("summary").click()
    assert page.evaluate(WIDE) == 375
    inside = "table => table.scrollWidth - table.parentElement.clientWidth"
    assert page.locator(".log").evaluate(inside) <= 0
    page.goto("/exchange/")
    assert page.evaluate(WIDE) == 375


LINES = """cells => cells.filter(cell => cell.textContent.trim()).map(cell => {
  const range = document.createRange();
  range.selectNodeContents(cell.querySelector("a") ?? cell);
  const tops = [...range.getClientRects()].filter(each => each.width > 2).map(each => each.top);
  return new Set(tops).size;
})"""


@pytest.mark.parametrize("width", [375, 1440])
def test_numbers_of_files_stand_in_one_line_beside_long_problems(visit, site, width):  # noqa: ARG001
    own = marked_set(2)  # others have files of long names
    client = Client(moment=moment_now() - 30 * SECOND, seconds=60, essay_set=own)
    slot = client.next(0).slot
    client.send(slot, 2, data=b"[" + b"no JSON at all, and a long line of it" * 9)
    address = f"/exchange/{client.session.pk}/"

    page = visit(client.person, address, viewport={"width": width, "height": 740})

    page.evaluate("document.fonts.ready")
    assert page.locator(".log tbody td:nth-child(2)").evaluate_all(LINES) == [1, 1]


def test_problems_that_were_opened_stay_open_as_the_session_goes_on(visit, session):
    page = visit(session.person, f"/exchange/{session.session.pk}/")
    problems = page.locator(".log details").first

    problems.locator("summary").click()
    with page.expect_response(lambda answer: answer.url.endswith("/")):
        page.wait_for_timeout(2500)

    expect(problems).to_have_attribute("open", "")
