"""Nothing is lost, doubled or put out of order; naive twins stand here and in `test_twins`."""

from __future__ import annotations

import os

import pytest
from playwright.sync_api import expect

from tests.screens.desk import Desk
from tests.screens.test_changing import TEXT
from tests.screens.test_waiting import notice

pytestmark = pytest.mark.full

CUT = 120 if os.environ.get("RAZBOR_TEST_TIER") == "long" else 20  # seconds
WORDS = [0, 5, 11, 13, 17]
"""Where the first words and signs of the text begin."""


@pytest.fixture(autouse=True)
def trouble(visitors):
    """What the browser says of a network that fails is expected."""
    yield
    visitors.watch.problems.clear()


def mark_words(screen, count):
    screen.into_text().press("Control+Home")
    for _ in range(count):
        screen.press("Control+Shift+ArrowRight").letters("uh").press("Enter")
    expect(screen.page.locator("#marks > [data-mark]")).to_have_count(count)
    return screen


def opened_again(screen, context):
    page = context.new_page()
    page.goto(f"/markups/{screen.record.pk}/")
    return Desk(page, screen.record).ready()


def all_saved(screen, version):
    expect(screen.page.locator("#saved")).to_have_attribute(
        "data-version", str(version), timeout=60_000
    )
    expect(notice(screen)).to_be_empty(timeout=60_000)
    return [start for (start,) in screen.marks("start")]


def held_back(screen):
    """Requests of this page go out and no answer ever comes; those of the next one are answered."""
    gone = []
    screen.page.on("framenavigated", lambda frame: gone.append(frame))  # noqa: PLW0108 - it asks for a function
    screen.page.route("**/fragments/**", lambda route: route.continue_() if gone else None)


def test_a_network_that_is_cut_keeps_everything_and_all_goes_by_itself_afterwards(ready):
    screen = ready(TEXT)
    screen.page.context.set_offline(True)
    mark_words(screen, 5)
    expect(screen.page.locator("#saved")).to_contain_text(
        "No connection; kept in this browser: 5", use_inner_text=True
    )
    screen.page.wait_for_timeout(CUT * 1000)
    assert screen.marks() == []

    screen.page.context.set_offline(False)

    assert all_saved(screen, 5) == WORDS[:5]


@pytest.mark.parametrize("forgetful", [False, True])
@pytest.mark.parametrize("how", ["F5", "closed"])
def test_a_page_that_goes_while_changes_are_on_their_way_loses_none(ready, how, forgetful):
    screen = ready(TEXT, forgetful=forgetful)
    screen.page.on("dialog", lambda dialog: dialog.accept())
    held_back(screen)
    mark_words(screen, 3)
    context = screen.page.context

    if how == "F5":
        screen.page.reload()
        again = screen.ready()
    else:
        context.new_page()
        screen.page.close()
        again = opened_again(screen, context)

    if forgetful:
        again.page.wait_for_timeout(1500)
        assert len(again.marks()) < 3  # the twin has lost work
    else:
        assert all_saved(again, 3) == WORDS[:3]


def test_a_web_process_that_is_killed_and_comes_again_has_made_every_change_once(ready, site):
    stays, goes, twin = ready(TEXT), ready(TEXT), ready(TEXT, forgetful=True)
    for screen in (stays, goes, twin):
        all_saved(mark_words(screen, 2), 2)
    site.halt(site.children["web"])
    for screen in (stays, goes, twin):
        for _ in range(2):
            screen.press("Control+Shift+ArrowRight").letters("uh").press("Enter")
        expect(screen.page.locator("#marks > [data-mark]")).to_have_count(4)
    for screen in (goes, twin):
        screen.page.goto("about:blank")
    site.begin(site.children["web"])
    site.until(site.answers, "web answers again")

    assert all_saved(stays, 4) == WORDS[:4]
    for screen in (goes, twin):
        screen.page.goto(f"/markups/{screen.record.pk}/")
        screen.ready()
    assert all_saved(goes, 4) == WORDS[:4]
    assert len(twin.marks()) < 4  # what was on its way may have arrived, the other has not


@pytest.mark.parametrize("naive", [False, True])
def test_answers_that_are_lost_double_nothing(ready, naive):
    screen = ready(TEXT)
    lost = []

    def lose(route):
        words = route.request.post_data or ""
        if naive:
            words = "&".join(each for each in words.split("&") if not each.startswith("uid="))
        if len(lost) == 2 or route.request.method != "POST":
            route.continue_(post_data=words)
            return
        lost.append(route.fetch(post_data=words))
        route.abort()

    screen.page.route("**/fragments/", lose)
    mark_words(screen, 1)
    expect(screen.page.locator("#saved")).to_have_attribute("data-state", "offline")
    screen.page.evaluate("dispatchEvent(new Event('online'))")
    screen.page.wait_for_timeout(3000)
    screen.page.evaluate("dispatchEvent(new Event('online'))")
    expect(notice(screen)).to_be_empty(timeout=30_000)

    starts = [start for (start,) in screen.marks("start")]
    assert starts == ([0, 0, 0] if naive else [0])


@pytest.mark.parametrize("forgetful", [False, True])
def test_two_tabs_of_one_browser_send_in_turn_and_one_takes_over_from_the_other(ready, forgetful):
    screen = ready(TEXT, forgetful=forgetful)
    context = screen.page.context
    other = opened_again(screen, context)
    context.set_offline(True)
    mark_words(screen, 2)
    screen.page.close()
    context.set_offline(False)

    other.page.evaluate("dispatchEvent(new Event('focus'))")

    if forgetful:
        other.page.wait_for_timeout(1000)
        assert other.marks() == []  # the twin has lost work
        return
    assert all_saved(other, 2) == WORDS[:2]
    expect(other.page.locator("#marks > [data-mark]")).to_have_count(2)
