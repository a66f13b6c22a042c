"""What is photographed: who looks at which page, and what they do there first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from playwright.sync_api import Page

Step = Callable[[Page], None]


@dataclass(frozen=True)
class Scene:
    name: str
    person: str
    path: str
    steps: Sequence[Step] = field(default_factory=tuple)


def click(selector: str) -> Step:
    return lambda page: page.locator(selector).first.click()


def press(*keys: str) -> Step:
    def pressed(page: Page) -> None:
        for key in keys:
            page.keyboard.press(key)

    return pressed


def type_code(page: Page) -> None:
    """A selection made by keys, and the first letters of a code (the keys of «гр мн»)."""
    page.locator("#essay").focus()
    press("Control+ArrowRight", "Control+Shift+ArrowRight")(page)
    page.keyboard.type("uh vy", delay=20)


BEGIN = click("form[action*=begin] button")
THIRD = click("tr:has(.badge.accent) form[action*=begin] button")
INNERMOST = click("#essay .f.y3, #essay .f.y2")

SCENES: Sequence[Scene] = (
    Scene("login", "", "/login/"),
    Scene("queue", "exp1", "/queue/"),
    Scene("marking-empty", "exp1", "/queue/", (BEGIN,)),
    Scene("marking-code", "exp1", "/queue/", (BEGIN, type_code)),
    Scene("marking-marks", "exp1", "/markups/5/"),
    Scene("marking-card", "exp1", "/markups/5/", (INNERMOST,)),
    Scene("marking-guide", "exp1", "/markups/5/", (press("g"),)),
    Scene("marking-keys", "exp1", "/markups/5/", (press("?"),)),
    Scene("third-desk", "exp1", "/queue/", (THIRD, press("n", "1"), press("n", "2"), press("n"))),
    Scene("third-decided", "exp1", "/queue/", (click("a[href*=settled]"),)),
    Scene("marking-focus", "exp1", "/markups/5/", (press("z"),)),
    Scene("comparison", "coordinator", "/compare/1/2/"),
    Scene("comparison-pair", "coordinator", "/compare/1/2/", (press("n", "n", "n"),)),
    Scene(
        "comparison-filter",
        "coordinator",
        "/compare/1/2/?kind=code&kind=only_left#row-4",
    ),
    Scene("comparison-keys", "coordinator", "/compare/1/2/", (press("?"),)),
    Scene("comparison-several", "coordinator", "/markups/1/comparison/"),
    Scene("accuracy", "coordinator", "/essays/1/accuracy/"),
    Scene("desk", "coordinator", "/desk/"),
    Scene("desk-question", "coordinator", "/desk/acts/new/?act=hand_over&all=1"),
    Scene("problems", "coordinator", "/desk/problems/"),
    Scene("people", "coordinator", "/people/"),
    Scene("essay", "coordinator", "/essays/2/"),
    Scene("protocol", "coordinator", "/essays/2/protocol/"),
    Scene("pupil", "coordinator", "/essays/2/pupil/"),
    Scene("planning", "coordinator", "/planning/"),
    Scene("deadlines", "coordinator", "/deadlines/"),
    Scene("sets", "coordinator", "/sets/"),
    Scene("set", "coordinator", "/sets/1/"),
    Scene("agreement", "coordinator", "/agreement/"),
    Scene("exports", "coordinator", "/exports/"),
    Scene("import", "coordinator", "/import/"),
    Scene("imports", "coordinator", "/imports/"),
    Scene("import-files", "coordinator", "/imports/2/"),
    Scene("import-undo", "coordinator", "/imports/2/undo/"),
    Scene("training", "lynx", "/training/"),
    Scene("scores", "lynx", "/scores/"),
    Scene("account", "exp1", "/account/"),
    Scene("schemes", "lynx", "/schemes/"),
    Scene("scheme-use", "lynx", "/schemes/use/"),
    Scene("scheme-coscore", "lynx", "/schemes/coscore/"),
    Scene("coscore-try", "lynx", "/schemes/coscore/tools/try/"),
)
