"""What is refused stays with its mark and is said; what is right in the same card is stored."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from annotator.models import Phrase
from tests.annotator.drafts import draft_of
from tests.screens.desk import first, holding
from tests.screens.test_changing import TEXT, activate
from tests.screens.test_waiting import comment, open_card, state
from tests.strategies import fragment

pytestmark = pytest.mark.full


@pytest.fixture
def card(desk, visitors):
    """An open card, beside another mark."""
    visitors.watch.expected.add(422)
    return open_card(desk(TEXT, fragment(5, 11), fragment(40, 46)))


def code(screen):
    return screen.page.locator("#card-code")


def refused(screen, words="Я.нет"):
    expect(code(screen)).to_have_value(words)
    expect(code(screen)).to_have_attribute("aria-invalid", "true")
    expect(screen.page.locator("#cards [role=alert]")).to_contain_text(words)
    state(screen, "refused")


def version(screen, number):
    expect(screen.page.locator("#saved")).to_have_attribute("data-version", str(number))


def test_a_comment_beside_a_refused_code_is_stored(card):
    code(card).fill("Я.нет")
    card.press("Tab")
    refused(card)

    comment(card).fill("why so")
    card.press("Tab")

    version(card, 1)
    refused(card)
    assert card.marks("code", "comment")[0] == ("А.грамм", "why so")


def test_fields_sent_together_are_parted_and_only_the_wrong_one_is_refused(card):
    card.page.evaluate(
        """() => {
          document.getElementById("card-code").value = "Я.нет";
          document.getElementById("card-comment").value = "why so";
        }"""
    )
    comment(card).press("Control+Enter")

    version(card, 1)
    refused(card)
    expect(comment(card)).to_have_value("why so")
    assert card.marks("code", "comment")[0] == ("А.грамм", "why so")
    code(card).fill("А.орф")
    card.press("Control+Enter").saved(2)
    assert card.marks("code", "comment")[0] == ("А.орф", "why so")
    expect(card.page.locator("#cards [role=alert]")).to_have_count(0)


def test_a_refused_word_stays_with_its_mark_while_the_card_is_closed(card):
    code(card).fill("Я.нет")
    card.press("Tab")
    refused(card)

    card.press("Escape")
    expect(card.page.locator("#cards form")).to_have_count(0)
    state(card, "refused")
    card.press("j", "e")
    expect(card.page.locator("#cards form")).to_be_visible()
    expect(code(card)).to_have_value("А.грамм")
    state(card, "refused")
    comment(card).fill("other")
    card.press("Tab")
    version(card, 1)
    state(card, "refused")
    open_card(card)
    refused(card)
    code(card).fill("А.орф")
    card.press("Control+Enter").saved(2)

    assert card.marks("code", "comment") == [("А.орф", ""), ("А.грамм", "other")]


def test_a_check_with_a_refused_word_is_not_submitted_and_its_card_opens(card):
    code(card).fill("Я.нет")
    card.press("Tab")
    refused(card)
    card.press("Escape")
    expect(card.page.locator("#cards form")).to_have_count(0)

    card.submit()

    expect(card.page.locator("#notice")).to_contain_text("a change is not saved")
    refused(card)


def test_the_line_of_state_leads_to_the_card_of_what_is_refused(card):
    code(card).fill("Я.нет")
    card.press("Tab")
    refused(card)
    card.press("Escape", "j", "e")
    expect(code(card)).to_have_value("А.грамм")

    card.page.get_by_role("button", name="Not saved: something is refused").click()

    refused(card)
    expect(code(card)).to_be_focused()


@pytest.mark.parametrize("size", [(1440, 900), (1366, 768)], ids=["1440 px", "1366 px"])
@pytest.mark.parametrize("line", [0, 12])
def test_the_buttons_of_a_card_with_what_is_refused_are_in_sight(desk, visitors, size, line):
    visitors.watch.expected.add(422)
    at = line * (len(TEXT) + 2) + TEXT.index("think")
    record = draft_of("\n\n".join([TEXT] * 20), fragment(at, at + 5))
    for words in ("предлог", "а не the", "see page 12", "one too many", "it is not like that"):
        own = {"user": record.author, "code": "А.грамм", "field": "comment"}
        Phrase.objects.create(text=words, uses=2, **own)
    width, height = size
    window = {"viewport": {"width": width, "height": height}}
    screen = desk(record=record, language="ru", **window).into_text().press("j", "e")
    code(screen).fill("Я.нет")
    screen.press("Tab")
    refused(screen)
    screen.press("Escape")

    screen.page.locator("[data-do=refused]").click()
    expect(screen.page.locator("#cards .subs .code")).to_have_count(12)

    refused(screen)
    screen.page.locator("#card-tag").focus()
    tag, buttons, status = (
        screen.page.locator(place).bounding_box()
        for place in ("#card-tag", "#cards .acts", "footer.status")
    )
    assert tag["y"] + tag["height"] <= buttons["y"]
    assert buttons["y"] + buttons["height"] <= status["y"]


def test_a_refused_word_can_be_left(card):
    code(card).fill("Я.нет")
    card.press("Tab")
    refused(card)

    card.page.locator("#cards").get_by_role("button", name="Leave it").click()

    expect(code(card)).to_have_value("А.грамм")
    expect(card.page.locator("#cards [role=alert]")).to_have_count(0)
    card.saved(0)


def test_words_typed_last_are_stored_when_the_card_is_closed_by_a_key(card):
    comment(card).click()
    card.write("typed last").press("Escape").saved(1)

    expect(card.page.locator("#cards form")).to_have_count(0)
    assert card.marks("comment")[0] == ("typed last",)


def test_words_typed_last_are_stored_when_another_card_takes_the_place(card):
    comment(card).click()
    card.write("typed last")
    number = card.marks("pk")[1][0]
    card.page.evaluate(
        "(number) => document.querySelector(`#marks [data-value='${number}']`).click()", number
    )
    card.saved(1)

    assert card.marks("comment") == [("typed last",), ("",)]


def test_a_deleted_mark_takes_its_refused_words_along(card):
    code(card).fill("Я.нет")
    card.press("Tab")
    refused(card)

    card.page.locator("#cards [data-do=drop]").click()

    card.saved(1)


def moved(screen, keys=("b", "ArrowRight", "Enter")):
    """The border of a mark moves whose code, as a file brought it, is none."""
    return activate(screen).press(*keys)


def left_as_they_were(screen):
    """The refusal is said in the card and given up there."""
    said = screen.page.locator("#cards [role=alert]")
    expect(said).to_contain_text("Я.нет")
    state(screen, "refused")
    said.get_by_role("button", name="Leave it").click()

    expect(said).to_have_count(0)
    state(screen, "saved")
    assert screen.marks("start", "end")[0] == (5, 11)


def test_borders_that_are_refused_are_said_in_the_card_of_their_mark(desk, visitors):
    visitors.watch.expected.add(422)

    screen = moved(desk(TEXT, fragment(5, 11, "Я.нет"), fragment(40, 46)))

    left_as_they_were(screen)


def test_borders_refused_while_one_is_in_another_card_stay_with_their_mark(ready, visitors):
    screen = ready(TEXT, fragment(5, 11, "Я.нет"), fragment(40, 46))
    screen.page.context.set_offline(True)
    moved(screen)
    state(screen, "offline")
    screen.click(42)
    comment(screen).click()
    screen.write("other")

    screen.page.context.set_offline(False)
    expect(screen.page.locator("#toast .toast")).to_contain_text("Я.нет")
    comment(screen).press("Control+Enter")
    state(screen, "refused")
    screen.click(7)

    left_as_they_were(screen)
    assert screen.marks("comment")[1] == ("other",)
    visitors.watch.problems.clear()


def test_borders_that_were_refused_are_moved_once_what_was_wrong_is_right(desk, visitors):
    visitors.watch.expected.add(422)
    screen = moved(desk(TEXT, fragment(5, 11, "Я.нет"), fragment(40, 46)))
    state(screen, "refused")

    code(screen).fill("А.орф")
    screen.press("Tab").saved(2)

    expect(screen.page.locator("#cards [role=alert]")).to_have_count(0)
    assert screen.marks("start", "end", "code")[0] == (5, 12, "А.орф")


def test_borders_that_are_moved_again_before_the_code_is_stored_stay_there(desk, visitors):
    visitors.watch.expected.add(422)
    screen = moved(desk(TEXT, fragment(5, 11, "Я.нет")))
    state(screen, "refused")
    held = holding(screen, "**/fragments/*/*", "POST")

    code(screen).fill("А.орф")
    screen.press("Tab")
    stored = first(screen, held)
    screen.into_text().press("b", "ArrowLeft", "Enter")
    stored.continue_()
    first(screen, held).continue_()
    screen.saved(2)

    assert screen.marks("start", "end", "code") == [(5, 10, "А.орф")]
