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


def wait_for(selector: str) -> Step:
    def waited(page: Page) -> None:
        page.wait_for_selector(selector, timeout=240_000)

    return waited


def type_code(page: Page) -> None:
    """A selection made by keys, and the first letters of a code (the keys of «гр мн»)."""
    page.locator("#essay").focus()
    press("Control+ArrowRight", "Control+Shift+ArrowRight")(page)
    page.keyboard.type("uh vy", delay=20)


def change_source(page: Page) -> None:
    """A code that is not closed, in the check as text."""
    area = page.locator("#words")
    area.fill(area.input_value().replace(" the ", " (\\ А.лекс \\ the >> a \\) ", 1) + " \\)")
    page.wait_for_selector(".found h2")


THESE = "[name=these]"
PREVIEW = (
    click("#id_adjusts"),
    click("form.body .btn.primary"),
    wait_for(".load-table svg"),
)
"""A plan that may move what was not begun, so that it always has somebody's load to show."""


def open_session(page: Page) -> None:
    """A program of the visitor opens a session, gets a file, and its page is looked at."""
    page.evaluate(
        """async () => {
            const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
            const post = (address, body) => fetch(`/api/exchange/sessions/${address}`, {
                method: "POST",
                headers: {"X-CSRFToken": token, "Content-Type": "application/json"},
                body: JSON.stringify(body),
            });
            const answer = await post("", {mode: "technical"});
            if (answer.ok) await post(`${(await answer.json()).id}/next/`, {});
        }"""
    )
    page.reload(wait_until="networkidle")
    click("tbody th a")(page)


BEGIN = click("tr:not(:has(.badge.accent)) form[action*=begin] button")
AS_TEXT = (click(".files summary"), click(".files a"))
TRY = click("form[action*=practice] button")
THIRD = click("tr:has(.badge.accent) form[action*=begin] button")
INNERMOST = click("#essay .f.y3, #essay .f.y2")

SCENES: Sequence[Scene] = (
    Scene("front", "", "/"),
    Scene("contests", "", "/contests/"),
    Scene("contest", "", "/contests/autumn/"),
    Scene("contest-final", "", "/contests/pilot/"),
    Scene("contest-board", "", "/contests/pilot/board/"),
    Scene("contest-apply", "", "/contests/autumn/apply/"),
    Scene("contest-cabinet", "lynx", "/contests/pilot/team/"),
    Scene("contest-manage", "organiser", "/contests/autumn/manage/"),
    Scene("contest-finals", "organiser", "/contests/pilot/manage/finals/"),
    Scene("contest-solutions", "organiser", "/contests/pilot/manage/solutions/"),
    Scene("contest-parameters", "organiser", "/contests/autumn/parameters/"),
    Scene("contest-teams", "judge", "/contests/pilot/teams/"),
    Scene("contest-protocol", "judge", "/contests/pilot/protocols/finals/"),
    Scene("contest-archives", "organiser", "/contests/pilot/data/"),
    Scene("login", "", "/login/"),
    Scene("queue", "exp1", "/queue/"),
    Scene("own-figures", "exp1", "/queue/figures/"),
    Scene("navigation", "coordinator", "/desk/", (click("header nav:visible summary"),)),
    Scene("marking-empty", "exp1", "/queue/", (BEGIN,)),
    Scene("marking-code", "exp1", "/queue/", (BEGIN, type_code)),
    Scene("marking-marks", "exp1", "/markups/5/"),
    Scene("marking-card", "exp1", "/markups/5/", (INNERMOST,)),
    Scene("marking-sheet", "exp1", "/queue/", (BEGIN, click("#to-submit"))),
    Scene("marking-guide", "exp1", "/markups/5/", (press("g"),)),
    Scene("marking-keys", "exp1", "/markups/5/", (press("?"),)),
    Scene("source", "exp1", "/queue/", (BEGIN, *AS_TEXT, change_source)),
    Scene("third-desk", "exp1", "/queue/", (THIRD, press("n", "1"), press("n", "2"), press("n"))),
    Scene("third-sheet", "exp1", "/queue/", (THIRD, click("#to-submit"))),
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
    Scene("planning-preview", "coordinator", "/planning/", PREVIEW),
    Scene(
        "planning-picked", "coordinator", "/desk/", (click("[data-tick]"), click(THESE), *PREVIEW)
    ),
    Scene("planning-experts", "coordinator", "/planning/experts/"),
    Scene("deadlines", "coordinator", "/deadlines/"),
    Scene("terms", "coordinator", "/deadlines/sets/1/"),
    Scene("calendar", "coordinator", "/deadlines/calendar/"),
    Scene("sets", "coordinator", "/sets/"),
    Scene("set", "coordinator", "/sets/1/"),
    Scene("verification", "judge", "/verdicts/"),
    Scene("verdicts", "judge", "/verdicts/sets/1/"),
    Scene("set-history", "judge", "/verdicts/sets/1/history/"),
    Scene("agreement", "coordinator", "/agreement/"),
    Scene("exports", "coordinator", "/exports/"),
    Scene("practice", "exp1", "/practice/"),
    Scene("practice-key", "exp1", "/practice/", (TRY, click("#submit button"))),
    Scene("practice-set", "coordinator", "/sets/3/"),
    Scene("practice-essay", "coordinator", "/sets/3/", (click("tbody th a"),)),
    Scene("keys", "coordinator", "/sets/3/keys/"),
    Scene("key", "coordinator", "/sets/3/", (click("td.a-act a"),)),
    Scene("history", "coordinator", "/markups/1/history/"),
    Scene("import", "coordinator", "/import/"),
    Scene("imports", "coordinator", "/imports/"),
    Scene("import-files", "coordinator", "/imports/2/"),
    Scene("import-undo", "coordinator", "/imports/2/undo/"),
    Scene("session", "lynx", "/exchange/1/"),
    Scene("session-live", "lynx", "/exchange/", (open_session,)),
    Scene("sessions", "lynx", "/exchange/"),
    Scene("sessions-of-all", "coordinator", "/exchange/"),
    Scene("sessions-now", "coordinator", "/exchange/now/"),
    Scene("session-annulled", "coordinator", "/exchange/2/"),
    Scene("session-to-stop", "coordinator", "/exchange/", (click("tbody th a"),)),
    Scene("finals", "organiser", "/exchange/finals/"),
    Scene("archives", "lynx", "/exchange/parcels/"),
    Scene("archive", "coordinator", "/exchange/parcels/1/"),
    Scene("training", "lynx", "/training/"),
    Scene("scores", "lynx", "/scores/"),
    Scene("score-runs", "organiser", "/scores/runs/"),
    Scene("score-run", "organiser", "/scores/runs/1/"),
    Scene("board", "", "/boards/1/"),
    Scene("report", "lynx", "/scores/", (click("tbody th a"), wait_for("main .report"))),
    Scene("account", "exp1", "/account/"),
    Scene("schemes", "lynx", "/schemes/"),
    Scene("scheme-use", "lynx", "/schemes/use/"),
    Scene("scheme-coscore", "lynx", "/schemes/coscore/"),
    Scene("coscore-try", "lynx", "/schemes/coscore/tools/try/"),
)
