"""Leaving the page: the browser asks first where words would be lost, and only there."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.screens.test_ahead import MARK, first, holding
from tests.screens.test_changing import TEXT, activate
from tests.screens.test_waiting import comment, open_card
from tests.strategies import fragment

pytestmark = pytest.mark.full

RELOAD = "setTimeout(() => location.reload())"


def asked(page, leave):
    """What the browser asks when somebody leaves, who then stays."""
    with page.expect_event("dialog") as question:
        leave()
    question.value.dismiss()
    return question.value.type


def test_loading_anew_or_closing_asks_while_a_card_holds_words_that_are_not_stored(desk):
    screen = open_card(desk(TEXT, fragment(5, 11)))
    comment(screen).click()
    screen.write("why so")

    for leave in (
        lambda: screen.page.evaluate(RELOAD),
        lambda: screen.page.close(run_before_unload=True),
    ):
        assert asked(screen.page, leave) == "beforeunload"
        expect(comment(screen)).to_have_value("why so")
    screen.press("Control+Enter").saved(1)

    assert screen.marks("comment") == [("why so",)]


def test_leaving_asks_while_what_was_typed_waits_for_its_card(desk):
    screen = activate(desk(TEXT, MARK))
    held = holding(screen, "**/fragments/*/*")

    screen.press("e").write("why so")
    assert asked(screen.page, lambda: screen.page.evaluate(RELOAD)) == "beforeunload"
    first(screen, held).continue_()

    expect(screen.page.locator("#card-correction")).to_have_value("why so")


def test_leaving_asks_while_a_field_of_own_points_was_not_left_yet(desk):
    screen = desk(TEXT)
    screen.own_points()
    screen.page.locator("#stated [name=K1]").click()
    screen.write("1")

    assert asked(screen.page, lambda: screen.page.evaluate(RELOAD)) == "beforeunload"


def test_nothing_is_asked_once_all_words_are_stored_or_kept_on_the_page(desk, visitors):
    screen = open_card(desk(TEXT, fragment(5, 11)))
    questions = []
    screen.page.on("dialog", lambda dialog: (questions.append(dialog.type), dialog.accept()))
    comment(screen).click()
    screen.write("why so").press("Tab").saved(1)
    screen.page.reload()
    screen.ready()
    open_card(screen)
    screen.page.route("**/fragments/**", lambda route: route.abort())
    comment(screen).click()
    screen.write("!").press("Tab")
    expect(screen.page.locator("#saved")).to_have_attribute("data-state", "offline")
    screen.page.reload()
    screen.ready()
    expect(screen.page.locator("#waiting li")).to_have_text("people · why so!")

    assert questions == []
    visitors.watch.problems.clear()  # the connection that was cut
