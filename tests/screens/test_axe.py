"""axe finds nothing serious on any page, in wide and narrow windows, light and dark.

The full tier looks at each page wide in the light and narrow in the dark; `--long` at all four.
"""

from __future__ import annotations

import importlib
import os
from itertools import product

import pytest
from django.db.models import CharField, Value
from django.db.models.functions import Cast, Concat
from playwright.sync_api import expect

from accounts.models import User
from annotator.models import EssaySet
from contest.models import Contest
from tests.screens.axe_world import MARKS, TEXT, World
from tests.tiers import in_ci

pytestmark = pytest.mark.full

BAD = ("serious", "critical")
WIDE, NARROW = {"width": 1440, "height": 900}, {"width": 375, "height": 740}
LOOKS = [(WIDE, "light"), (NARROW, "dark")]
if os.environ.get("RAZBOR_TEST_TIER") == "long":
    LOOKS = list(product([WIDE, NARROW], ["light", "dark"]))


PAGES = sorted(name.removeprefix("page_") for name in dir(World) if name.startswith("page_"))


@pytest.fixture(scope="package")
def axe():
    try:
        return importlib.import_module("axe_playwright_python.sync_playwright").Axe()
    except ImportError:
        return (pytest.fail if in_ci() else pytest.skip)("no axe-playwright-python here")


@pytest.fixture
def serious(axe):
    """What is serious on a page in the looks of this tier."""

    def found(page):
        problems = []
        for window, scheme in LOOKS:
            page.set_viewport_size(window)
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            problems += [
                f"{window['width']} {scheme}: {each['id']}: {node['html'][:120]}"
                for each in axe.run(page).response["violations"]
                if each["impact"] in BAD
                for node in each["nodes"]
            ]
        return problems

    return found


@pytest.fixture
def names(site):  # noqa: ARG001 - whose rows these are
    """What the pages before have made gives its names back."""
    former = Concat(Value("before-"), Cast("pk", CharField()))
    Contest.objects.update(slug=former)
    EssaySet.objects.update(name=former, name_folded=former)
    User.objects.update(username=former, email="")


@pytest.mark.usefixtures("names")
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_serious(visit, serious, name):
    user, address = World().page(name)

    assert serious(visit(user, address)) == []


@pytest.mark.parametrize("role", [role.value for role in User.Role])
def test_axe_finds_nothing_serious_where_somebody_begins(visit, serious, role):
    user, address = World().start(role)

    assert serious(visit(user, address)) == []


@pytest.mark.parametrize("opened", ["card", "guide", "keys", "search", "toast", "find"])
def test_axe_finds_nothing_serious_while_something_is_open(desk, serious, opened):
    screen = desk(TEXT, *MARKS).into_text()
    ways = {"card": "e", "guide": "g", "keys": "?", "search": "f", "find": "/", "toast": "Delete"}
    shown = {"card": "#cards form", "find": "#hit", "toast": "#toast form"}

    screen.press("j", ways[opened])
    if opened == "find":
        screen.write("uh")
    expect(screen.page.locator(shown.get(opened, f"#{opened}"))).to_be_visible()

    assert serious(screen.page) == []


def test_axe_finds_what_is_serious(desk, serious):
    page = desk(TEXT).page
    page.evaluate("document.body.append(document.createElement('button'))")

    assert any("button-name" in each for each in serious(page))
