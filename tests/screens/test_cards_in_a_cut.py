"""Cards while the network is cut, or one is logged out: words go to their mark, or nowhere."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.annotator.drafts import draft_of
from tests.screens.test_changing import TEXT
from tests.screens.test_kept import items
from tests.screens.test_waiting import comment, mark_some, open_card, state
from tests.strategies import fragment

pytestmark = pytest.mark.full

OTHER = fragment(28, 33, "А.лекс", comment="as it was")


@pytest.fixture(autouse=True)
def network(visitors):
    """What the browser says of a network that is cut is expected."""
    yield
    visitors.watch.problems.clear()


def cut(screen):
    screen.page.context.set_offline(True)


def log_out(screen):
    screen.page.context.clear_cookies()


def no_card(screen):
    expect(screen.page.locator("#cards")).to_be_empty()


@pytest.mark.parametrize("happen", [cut, log_out])
@pytest.mark.parametrize("key", ["e", "Enter"])
def test_words_typed_after_marking_without_a_network_go_to_no_other_card(ready, happen, key):
    screen = open_card(ready(TEXT, OTHER))
    happen(screen)

    mark_some(screen)
    no_card(screen)
    screen.press(key)
    expect(screen.page.locator("#cards :focus")).to_have_count(1)
    screen.page.locator("#card-comment").focus()
    screen.write("12").press("Control+Enter")

    no_card(screen)
    expect(items(screen)).to_have_text(["Some · А.грамм", "Some · 12"])
    assert screen.marks("comment") == [("as it was",)]


def test_the_card_of_a_mark_made_in_a_cut_comes_when_it_is_over(ready):
    screen = open_card(ready(TEXT, OTHER))
    cut(screen)
    mark_some(screen)
    no_card(screen)

    screen.page.context.set_offline(False)

    screen.saved(1)
    expect(screen.page.locator("#card-code")).to_have_value("А.грамм")
    assert screen.focused() == "essay"


def test_a_card_asked_for_in_a_cut_takes_the_place_of_no_other_and_comes_when_it_is_over(ready):
    screen = open_card(ready(TEXT, fragment(5, 11), OTHER))
    cut(screen)
    screen.into_text().press("j")
    expect(screen.page.locator("#cards form")).to_have_attribute("data-stand-in", "")
    expect(comment(screen)).to_have_value("as it was")
    assert screen.focused() == "essay"
    expect(screen.page.locator("#saved")).to_have_attribute("data-state", "saved")

    screen.page.context.set_offline(False)

    expect(screen.page.locator("#cards form:not([data-stand-in])")).to_be_visible()
    expect(comment(screen)).to_have_value("as it was")
    assert screen.focused() == "essay"


def test_a_card_that_is_open_in_a_cut_is_gone_into_by_its_key(ready):
    screen = open_card(ready(TEXT, OTHER)).into_text()
    cut(screen)

    screen.press("e")

    expect(screen.page.locator("#cards :focus")).to_have_count(1)
    expect(screen.page.locator("#told")).to_be_empty()


def test_a_card_closed_in_a_cut_stays_closed_when_it_is_over(ready):
    screen = open_card(ready(TEXT, OTHER))
    cut(screen)
    comment(screen).fill("told")
    screen.press("Control+Enter")
    state(screen, "offline")
    no_card(screen)

    screen.page.context.set_offline(False)

    screen.saved(1)
    assert screen.marks("comment") == [("told",)]
    no_card(screen)


def test_a_mistake_of_the_whole_text_in_a_cut_shows_at_once_and_leads_into_its_own_card(ready):
    record = draft_of(TEXT, fragment(28, 33, "Р.знач"), subject="lit")
    screen = open_card(ready(record=record))
    cut(screen)

    screen.into_text().press("/").write("С.композ").press("Enter")

    chip = screen.page.locator("#whole > [data-mark]:not([hidden])")
    expect(chip.locator("b")).to_have_text("С.композ")
    expect(items(screen)).to_have_text(["С.композ"])
    expect(screen.page.locator("#cards form h2 [data-code]")).to_have_text("С.композ")
    expect(screen.page.locator("#cards form")).to_have_attribute("data-stand-in", "")
    comment(screen).fill("no middle")
    screen.press("Control+Enter")
    no_card(screen)
    expect(items(screen)).to_have_text(["С.композ", "С.композ · no middle"])
    screen.press("Control+z", "Control+z")
    expect(chip).to_have_count(0)
    screen.press("Control+Shift+z")
    chip.get_by_role("button", name="Delete С.композ").click()
    expect(chip).to_have_count(0)
    screen.press("Control+z")
    expect(chip).to_have_count(1)
    screen.page.context.set_offline(False)

    screen.saved(7)
    assert screen.marks("code", "start", "comment")[-1] == ("С.композ", None, "")
    expect(chip).to_have_count(1)
