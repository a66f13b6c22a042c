"""A browser that dies takes no words along, not even those of a field nobody has left yet."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.screens.test_changing import TEXT
from tests.screens.test_kept import in_new_tab
from tests.screens.test_waiting import comment, open_card
from tests.strategies import fragment

pytestmark = pytest.mark.full

DEAF = """
for (const name of ["beforeunload", "pagehide", "visibilitychange"])
  for (const on of [window, document])
    on.addEventListener(name, (event) => event.stopImmediatePropagation(), { capture: true });
"""
"""A page that hears nothing of its end."""
KEPT = "() => Object.keys(localStorage).filter((name) => /waiting/.test(name))"


@pytest.fixture
def dying(ready):
    """A card somebody is typing in, on a page that may end at any moment."""

    def opened(*fragments):
        screen = ready(TEXT, *fragments)
        screen.page.context.add_init_script(DEAF)
        screen.page.reload()
        screen.ready().page.wait_for_load_state("networkidle")
        return open_card(screen)

    return opened


def dies(screen):
    """Its tab is gone without a word; the check is opened again."""
    screen.page.context.new_page()
    screen.page.close()
    opened = in_new_tab(screen)
    opened.page.wait_for_load_state("networkidle")
    return opened


def test_words_of_a_field_nobody_has_left_outlive_their_browser(dying):
    screen = dying(fragment(5, 11), fragment(28, 33, "А.лекс"))
    comment(screen).fill("kept by the way")
    comment(screen).press("End")
    assert screen.marks("comment") == [("",), ("",)]

    opened = dies(screen).saved(1)

    assert opened.marks("comment") == [("kept by the way",), ("",)]
    assert opened.page.evaluate(KEPT) == []


def test_words_that_were_stored_since_are_not_brought_back(dying):
    screen = dying(fragment(5, 11))
    comment(screen).fill("first")
    screen.press("Control+Enter").saved(1)
    expect(screen.page.locator("#cards form")).to_have_count(0)
    assert screen.page.evaluate(KEPT) == []
    screen.press("Control+z").saved(2)

    opened = dies(screen)

    assert (opened.version(), opened.marks("comment")) == (2, [("",)])


def test_words_typed_and_taken_out_again_are_none(dying):
    screen = dying(fragment(5, 11))
    comment(screen).fill("no")
    expect(comment(screen)).to_have_value("no")
    comment(screen).fill("")

    opened = dies(screen)

    assert (opened.version(), opened.marks("comment")) == (0, [("",)])


def test_another_tab_takes_up_nothing_that_is_being_typed(dying):
    screen = dying(fragment(5, 11))
    comment(screen).fill("still at it")

    other = in_new_tab(screen)
    other.page.wait_for_load_state("networkidle")

    assert (other.version(), other.marks("comment")) == (0, [("",)])
    screen.press("Control+Enter").saved(1)
    assert screen.marks("comment") == [("still at it",)]
