"""Cards while the network is cut, or one is logged out: words go to their mark, or nowhere."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.annotator.drafts import draft_of
from tests.screens.desk import first, holding
from tests.screens.test_changing import TEXT, activate
from tests.screens.test_kept import items
from tests.screens.test_refused_words import code, refused
from tests.screens.test_waiting import comment, mark_some, open_card, state
from tests.strategies import fragment

pytestmark = [pytest.mark.full, pytest.mark.usefixtures("trouble")]

OTHER = fragment(28, 33, "А.лекс", comment="as it was")


def cut(screen):
    screen.page.context.set_offline(True)


def log_out(screen):
    screen.page.context.clear_cookies()


def no_card(screen):
    expect(screen.page.locator("#cards")).to_be_empty()


def changes_held(screen):
    """Changes of marks are held back on their way: the list of them."""
    return holding(screen, "**/fragments/*/", only="POST")


def stand_in(screen):
    """What stands in for a card that cannot come."""
    screen.page.locator("#cards form[data-stand-in]").wait_for()


def closed_in_a_cut(ready, field, words):
    """A card is written in and closed while the network is cut."""
    screen = open_card(ready(TEXT, OTHER))
    cut(screen)
    field(screen).fill(words)
    screen.press("Control+Enter")
    state(screen, "offline")
    no_card(screen)
    return screen


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
    screen = closed_in_a_cut(ready, comment, "told")

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


def test_the_card_of_a_mark_whose_request_alone_was_lost_stands_in_until_it_is_made(ready):
    screen = ready(TEXT)
    screen.page.route("**/fragments/", lambda route: route.abort(), times=1)
    mark_some(screen)
    state(screen, "offline")

    screen.press("j", "e")

    expect(screen.page.locator("#cards form[data-stand-in]")).to_be_visible()
    screen.page.locator("#cards form [name=comment]").fill("so")
    screen.press("Control+Enter").saved(2)
    assert screen.marks("start", "end", "comment") == [(0, 4, "so")]


def test_what_was_done_to_a_mark_in_a_cut_is_painted_between_its_answers(ready):
    screen = ready(TEXT)
    cut(screen)
    mark_some(screen).press("j", "e")
    stand_in(screen)
    screen.page.locator('#codes [data-code="А.орф"]').click()
    screen.page.locator("#cards [data-do=close]").click()
    held = changes_held(screen)
    screen.page.context.set_offline(False)

    expect(screen.page.locator("#saved")).to_have_attribute("data-version", "1")
    expect(screen.page.locator("#marks > [data-mark] b")).to_have_text(["А.орф"])
    first(screen, held).continue_()
    screen.saved(2)
    assert screen.marks("code") == [("А.орф",)]


def test_the_row_of_a_mark_made_in_a_cut_is_pressed_while_the_network_is_tried_again(ready):
    screen = ready(TEXT)
    cut(screen)
    mark_some(screen)
    state(screen, "offline")
    screen.page.wait_for_timeout(1100)  # so that the press tries the network

    screen.page.locator("#marks > [data-mark] button").click()

    expect(screen.page.locator("#cards form[data-stand-in]")).to_be_visible()


def test_a_card_that_was_closed_comes_with_no_late_answer(ready):
    screen = open_card(ready(TEXT, fragment(5, 11)))
    held = changes_held(screen)
    screen.page.locator('#codes [data-code="А.орф"]').click()
    change = first(screen, held)
    screen.page.locator("#cards [data-do=close]").click()
    change.continue_()
    screen.saved(1)

    no_card(screen)
    assert screen.marks("code") == [("А.орф",)]


def test_a_card_that_was_closed_comes_back_with_what_is_refused_of_it(ready):
    screen = open_card(ready(TEXT, fragment(5, 11)))
    held = changes_held(screen)
    code(screen).fill("Я.нет")
    screen.press("Tab")
    change = first(screen, held)
    screen.press("Escape")
    no_card(screen)

    change.continue_()

    refused(screen)


def test_what_is_refused_of_a_card_closed_in_a_cut_is_said_when_it_is_over(ready):
    screen = closed_in_a_cut(ready, code, "Я.нет")

    screen.page.context.set_offline(False)

    refused(screen)
    assert screen.marks("code") == [("А.лекс",)]


def test_what_is_refused_of_a_mark_made_in_a_cut_stays_with_it(ready):
    screen = ready(TEXT)
    cut(screen)
    mark_some(screen).press("j", "e")
    stand_in(screen)
    code(screen).fill("Я.нет")
    screen.press("Tab", "Escape")
    no_card(screen)

    screen.page.context.set_offline(False)

    refused(screen)
    code(screen).fill("А.орф")
    screen.press("Control+Enter").saved(2)
    assert screen.marks("code") == [("А.орф",)]


def test_what_is_refused_while_another_card_is_written_in_is_said_and_stays_with_its_mark(ready):
    screen = open_card(ready(TEXT, fragment(5, 11), OTHER))
    cut(screen)
    code(screen).fill("Я.нет")
    screen.press("Control+Enter")
    state(screen, "offline")
    screen.into_text().press("j", "e")
    stand_in(screen)
    comment(screen).fill("meanwhile")

    screen.page.context.set_offline(False)

    expect(screen.page.locator("#toast p")).to_contain_text("Я.нет")
    expect(comment(screen)).to_have_value("meanwhile")
    comment(screen).press("Control+Enter")
    no_card(screen)
    state(screen, "refused")
    open_card(screen)
    refused(screen)
    assert screen.marks("code", "comment") == [("А.грамм", ""), ("А.лекс", "meanwhile")]


def test_words_for_a_second_mark_of_a_place_are_none_of_the_first(ready):
    screen = ready(TEXT)
    mark_some(screen).saved(1)
    cut(screen)
    mark_some(screen)
    state(screen, "offline")
    activate(screen, 1).press("e")
    stand_in(screen)
    comment(screen).fill("of the second")
    screen.press("Control+Enter")
    no_card(screen)

    activate(screen, 0).press("e")

    stand_in(screen)
    expect(comment(screen)).to_have_value("")


def test_a_comment_that_stands_instead_of_a_subcode_is_in_the_line_of_its_code_at_once(ready):
    screen = ready(TEXT, fragment(5, 11)).press("j", "e")
    screen.page.locator("#card-comment").fill("wrong form")
    cut(screen)

    screen.press("Control+Enter")

    expect(screen.page.locator("#marks .instead")).to_have_text("wrong form")
