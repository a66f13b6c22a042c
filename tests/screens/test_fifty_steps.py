"""Fifty changes of every kind, drawn by chance, are undone and made again across reloads."""

from __future__ import annotations

import os
import random

import pytest
from playwright.sync_api import expect

from tests.screens.test_changing import TEXT
from tests.screens.test_undoing import go_to
from tests.strategies import fragment

pytestmark = [pytest.mark.full, pytest.mark.usefixtures("trouble")]

STEPS = 50
SEEDS = range(13, 19) if os.environ.get("RAZBOR_TEST_TIER") == "long" else [13]
FIELDS = ("pk", "start", "end", "code", "subcode", "comment", "explanation", "correction", "tag")
NOTHING_WAITS = """
() => document.getElementById("saved").dataset.state === "saved"
  && !Object.keys(localStorage).some((name) => /razbor-waiting/.test(name))
"""


class Hand:
    """Somebody who marks by chance: the same chance for the same seed."""

    def __init__(self, screen, seed):
        self.screen, self.page, self.draw = screen, screen.page, random.Random(seed)
        self.page.on("dialog", lambda dialog: dialog.accept())
        self.drawn = []

    def all_saved(self):
        self.page.wait_for_function(NOTHING_WAITS, timeout=60_000)
        return self.screen.version()

    def marks(self):
        return self.page.locator("#marks > [data-mark]").count()

    def change(self, ways):
        """A change of one of these kinds; a new mark where there is nothing to change."""
        way = self.draw.choice(ways)
        way = way if self.marks() > 1 else Hand.mark
        self.drawn.append(way.__name__)
        self.screen.into_text()
        way(self)

    def go(self):
        return go_to(self.screen, self.draw.randrange(self.marks()))

    def mark(self):
        self.screen.press("Escape", "Escape", "Control+Home")
        self.screen.press(*["Control+ArrowRight"] * self.draw.randint(0, 9))
        self.screen.press("Control+Shift+ArrowRight").letters(self.draw.choice(["uh", "jha"]))
        self.screen.press("Enter")

    def drop(self):
        self.go().press("Delete")

    def borders(self):
        self.go().press("b", self.draw.choice(["ArrowRight", "Shift+ArrowLeft"]), "Enter")

    def link(self):
        self.go().press("l", self.draw.choice("jk"), "Enter", "Escape")

    def card(self):
        """The card of a mark, open."""
        self.go().press("e")
        self.page.locator("#cards form").wait_for()

    def write(self, name):
        self.card()
        self.page.locator(f"#card-{name}").fill(f"{name} {self.draw.random():.6f}")
        self.screen.press("Control+Enter")

    def words(self):
        self.write(self.draw.choice(["comment", "explanation"]))

    def tag(self):
        self.write("tag")

    def code(self):
        self.card()
        code = self.draw.choice(["А.лекс", "А.грамм", "А.орф", "А.пункт"])
        self.page.locator(f'#codes [data-code="{code}"]').click()

    def loaded_anew(self):
        self.page.reload()
        self.screen.ready().into_text()
        self.page.wait_for_load_state("networkidle")

    def loaded_while_it_waits(self, act):
        """What is done now gets no answer; the server may have made it all the same."""
        reaches = self.draw.random() < 0.5

        def hold(route):
            if route.request.method != "POST":
                route.continue_()
            elif reaches:
                route.fetch()

        self.page.route("**/markups/**", hold)
        for _ in range(self.draw.randint(1, 3)):
            act()
        self.page.wait_for_timeout(200)
        self.page.unroute("**/markups/**")
        self.loaded_anew()

    def step(self, act, quick):
        """Do something, then by chance load the page anew, or while that still waits."""
        chance = self.draw.random()
        if chance < 0.1:
            self.loaded_while_it_waits(quick)
        else:
            act()
        version = self.all_saved()
        if chance > 0.9:
            self.loaded_anew()
        return version


IN_THE_TEXT = (Hand.mark, Hand.drop, Hand.borders, Hand.link)
"""What needs no card, which would come from the server."""
ALL = (*IN_THE_TEXT, Hand.words, Hand.words, Hand.tag, Hand.code)


@pytest.mark.parametrize("seed", SEEDS)
def test_fifty_changes_of_every_kind_are_undone_across_reloads_and_made_again(ready, seed):
    screen = ready(TEXT, fragment(5, 11, tag="т1"), fragment(13, 16, comment="so"))
    hand, start = Hand(screen, seed), screen.marks(*FIELDS)
    made = 0
    while made < STEPS:
        made = hand.step(lambda: hand.change(ALL), lambda: hand.change(IN_THE_TEXT))
    end = screen.marks(*FIELDS)
    assert {*hand.drawn} == {way.__name__ for way in ALL}
    assert end != start

    version = made
    for key in ("Control+z", "Control+Shift+Z"):

        def press(key=key):
            screen.press(key)

        goal = version + made
        while version < goal:
            few = goal - version < 3
            version = hand.step(press, press if not few else lambda: None)
        assert version == goal
        assert screen.marks(*FIELDS) == (start if key == "Control+z" else end)
        if key == "Control+z":
            screen.press(key)
            expect(screen.said()).to_have_text("There is nothing to undo.")
