"""What is thrown away is called so, and can be brought back while the page is open."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from annotator.services.drafts import delete_fragment
from tests.screens.test_changing import TEXT, activate
from tests.screens.test_kept import items
from tests.screens.test_twins import mark_words, withdrawn
from tests.screens.test_waiting import comment, mark_some, notice, open_card, state, two_tabs
from tests.strategies import fragment

__all__ = ["two_tabs"]

pytestmark = pytest.mark.full

WORDS = ["Some · А.грамм", "people · А.грамм"]


@pytest.fixture(autouse=True)
def network(visitors):
    """What the browser says of a network that is cut is expected."""
    yield
    visitors.watch.problems.clear()


def throw(screen, count):
    notice(screen).get_by_role("button", name=f"Throw away ({count})").click()


def back(screen, count):
    return screen.page.get_by_role("button", name=f"Bring back what was thrown away ({count})")


def test_marks_thrown_away_without_a_network_are_brought_back_and_made(ready):
    screen = ready(TEXT)
    screen.page.context.set_offline(True)
    mark_words(screen, 2)
    state(screen, "offline")
    throw(screen, 2)
    expect(items(screen)).to_have_count(0)
    expect(screen.page.locator("#marks b:visible")).to_have_text(["No marks yet"])

    back(screen, 2).focus()
    screen.press("Enter")

    expect(items(screen)).to_have_text(WORDS)
    expect(screen.page.locator("#marks b:visible")).to_have_text(["А.грамм", "А.грамм"])
    expect(back(screen, 2)).to_have_count(0)
    assert screen.focused() == "essay"
    screen.page.context.set_offline(False)
    screen.saved(2)
    assert screen.marks("start") == [(0,), (5,)]


def test_what_was_thrown_away_one_after_another_comes_back_the_last_one_first(ready):
    screen = ready(TEXT)
    screen.page.context.set_offline(True)
    mark_words(screen, 2)
    throw(screen, 2)
    mark_some(screen, "jha")
    throw(screen, 1)

    back(screen, 1).click()
    expect(items(screen)).to_have_text(["Some · А.орф"])
    back(screen, 2).click()

    expect(items(screen)).to_have_text([*WORDS, "Some · А.орф"])
    screen.page.context.set_offline(False)
    screen.saved(3)
    assert screen.marks("start", "code") == [(0, "А.грамм"), (5, "А.грамм"), (0, "А.орф")]


def test_what_is_being_tried_again_just_now_is_thrown_away_too(ready):
    screen = ready(TEXT)
    screen.page.route("**/fragments/", lambda route: route.abort())
    mark_words(screen, 2)
    state(screen, "offline")
    screen.page.unroute("**/fragments/")
    screen.page.route("**/fragments/", lambda _route: None)  # nothing is answered
    screen.page.evaluate("dispatchEvent(new Event('focus'))")
    state(screen, "saving")

    throw(screen, 2)

    expect(back(screen, 1)).to_be_visible()  # the first one is on its way
    expect(screen.page.locator("#told")).to_have_text("Thrown away: people · А.грамм")
    state(screen, "saving")


SENDS = """() => new Promise((holds) => {
  const { person, fragments } = document.getElementById("desk").dataset;
  const name = `razbor-sending-razbor-waiting-${person}-${fragments}`;
  navigator.locks.request(name, () => new Promise((ends) => { holds(); window.ends = ends; }));
})"""
"""Of this person's tabs of this check one is sending, until it ends."""


def test_what_waits_until_another_tab_has_sent_is_thrown_away_too(ready):
    screen = ready(TEXT)
    screen.page.context.set_offline(True)
    mark_words(screen, 2)
    state(screen, "offline")
    screen.page.evaluate(SENDS)
    screen.page.context.set_offline(False)
    state(screen, "saving")

    throw(screen, 2)
    screen.page.evaluate("window.ends()")
    screen.press("Escape", "Control+Shift+ArrowRight").letters("jha").press("Enter").saved(1)

    assert screen.marks("code") == [("А.орф",)]


def test_words_for_a_mark_that_is_gone_are_thrown_away_and_brought_back(desk, visitors):
    visitors.watch.expected |= {404, 409}
    screen = open_card(desk(TEXT, fragment(5, 11)))
    record = screen.record
    delete_fragment(record=record, version=0, row=record.fragments.get())
    comment(screen).fill("too late")
    screen.press("Control+Enter")
    state(screen, "gone")
    throw(screen, 1)
    state(screen, "saved")

    back(screen, 1).click()

    state(screen, "gone")
    expect(items(screen)).to_have_text(["people · too late"])


def test_a_version_that_gave_way_by_a_key_is_brought_back_and_asked_about_again(two_tabs):
    mine, other = two_tabs(fragment(5, 11))
    open_card(mine)
    comment(open_card(other)).fill("theirs")
    other.press("Control+Enter").saved(1)
    comment(mine).fill("mine")
    mine.press("Control+Enter")
    state(mine, "conflict")
    mine.into_text().press("t").saved(1)

    back(mine, 1).click()

    state(mine, "conflict")
    expect(items(mine)).to_have_text(["people · mine"])
    mine.into_text().press("s").saved(2)
    assert mine.marks("comment") == [("mine",)]


def test_what_was_meant_for_a_check_that_is_closed_is_brought_back_also_where_it_is_read(ready):
    screen = ready(TEXT)
    screen.page.context.set_offline(True)
    mark_words(screen, 2)
    withdrawn(screen.record)
    screen.page.context.set_offline(False)
    for _page in ("the page it was done on", "where it is only read"):
        expect(notice(screen)).to_contain_text("yours to mark no more")
        throw(screen, 2)
        expect(items(screen)).to_have_count(0)

        back(screen, 2).click()

        expect(items(screen)).to_have_text(WORDS)
        screen.page.reload()


def test_an_open_card_shows_the_words_that_are_brought_back(ready):
    screen = open_card(activate(ready(TEXT, fragment(5, 11))))
    screen.page.context.set_offline(True)
    comment(screen).fill("told")
    screen.press("Tab")
    state(screen, "offline")
    throw(screen, 1)
    expect(comment(screen)).to_have_value("")

    back(screen, 1).click()

    expect(comment(screen)).to_have_value("told")
    screen.page.context.set_offline(False)
    screen.saved(1)
    assert screen.marks("comment") == [("told",)]


@pytest.mark.parametrize("width", [320, 375, 683, 1366])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_long_list_of_what_was_thrown_away_leaves_the_state_in_sight(ready, width, language):
    screen = ready(TEXT, viewport={"width": width, "height": 700}, language=language)
    screen.page.context.set_offline(True)
    mark_words(screen, 8)
    state(screen, "offline")
    notice(screen).locator("button", has_text="(8)").click()
    told, saved = screen.page.locator("#told"), screen.page.locator("#saved")
    expect(told).to_contain_text("А.грамм; ")

    assert told.bounding_box()["height"] <= 64
    assert screen.page.evaluate("document.documentElement.scrollWidth") == width
    box = saved.bounding_box()
    assert (box["x"] >= 0, box["x"] + box["width"] <= width) == (True, True)
    assert saved.locator(":scope > :visible").evaluate(
        "(each) => each.scrollWidth <= each.clientWidth + 1"
    )
    for tool in screen.page.locator(".status .iconbtn:visible").all():
        right = tool.bounding_box()
        assert right["x"] + right["width"] <= width
