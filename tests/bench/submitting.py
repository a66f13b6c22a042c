"""One press that submits a check and opens the next one, in Chromium.

Milliseconds from the key to the first paint of the next essay, and until its keys do something;
beside the same page opened by its address, in turns. 300 words with 40 nested marks each.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from playwright.sync_api import Page, sync_playwright

from accounts.models import User
from annotator.models import FragmentRecord, MarkupRecord
from annotator.services.markup import row_of
from tests import browser
from tests.bench.essays import nested_markup
from tests.bench.timing import percentile
from tests.e2e.database import connected
from tests.e2e.stack import Stack
from tests.e2e.visitor import session_of
from tests.factories import AssignmentFactory, DraftFactory, EssayFactory, PersonFactory

ROUNDS = 12
WATCH = """
(() => {
  const now = () => performance.timeOrigin + performance.now();
  const press = ({ key }) => key === "Enter" && sessionStorage.setItem("pressed", now());
  document.addEventListener("keydown", press, { capture: true });
  const [from, opened] = [Number(sessionStorage.getItem("pressed")), performance.timeOrigin];
  const look = () => {
    const [paint] = performance.getEntriesByName("first-contentful-paint");
    const isReady = document.querySelector("#desk[data-ready]");
    if (!paint || !isReady) return void requestAnimationFrame(look);
    const began = from || opened;
    window.took = { painted: opened + paint.startTime - began, ready: now() - began };
    sessionStorage.removeItem("pressed");
  };
  requestAnimationFrame(look);
})()
"""


def figures() -> Iterator[str]:
    """A line for the press, one for the page alone."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Stack(Path(folder), crew=("web",)) as stack,
        sync_playwright() as playwright,
    ):
        chromium = playwright.chromium.launch(
            executable_path=str(browser.chromium()), args=["--no-sandbox", "--disable-gpu"]
        )
        with connected(stack.database_url):
            expert = PersonFactory(role=User.Role.EXPERT)
            drafts = [draft_for(expert) for _ in range(ROUNDS + 3)]
            page = chromium.new_page()
            page.context.add_cookies([session_of(expert, stack.url)])
            page.context.add_init_script(WATCH)
            page.goto(f"{stack.url}/markups/{drafts[0].pk}/")
            pressed, alone = [], []
            for _ in range(ROUNDS + 2):
                pressed.append(press(page))
                alone.append(again(page))
    yield told("submit and next, one press", pressed[2:])
    yield told("the same page by its address", alone[2:])


def draft_for(expert: User) -> MarkupRecord:
    """A draft that may be submitted."""
    markup = nested_markup(300, 40)
    essay = EssayFactory(text=markup.text)
    given = AssignmentFactory(essay=essay, expert=expert, state="working")
    record: MarkupRecord = DraftFactory(assignment=given)
    FragmentRecord.objects.bulk_create(row_of(record, each) for each in markup.fragments)
    return record


def press(page: Page) -> dict[str, float]:
    """From the sheet of one check to the next one."""
    page.wait_for_selector("#desk[data-ready]")
    former = page.url
    page.locator("#to-submit").click()
    page.wait_for_selector("#submission:focus")  # the sheet's script has come
    page.keyboard.press("Control+Enter")
    page.wait_for_url(lambda url: url != former and "/markups/" in url)
    return took(page)


def again(page: Page) -> dict[str, float]:
    """The page that is open, by its address."""
    page.goto(page.url)
    return took(page)


def took(page: Page) -> dict[str, float]:
    found: dict[str, float] = page.wait_for_function("() => window.took").json_value()
    return found


def told(name: str, rounds: list[dict[str, float]]) -> str:
    """Medians and 95th percentiles."""

    def both(what: str) -> str:
        values = [each[what] for each in rounds]
        return f"{what} {median(values):.0f} ms (p95 {percentile(values, 95):.0f})"

    return f"{name}: {both('painted')}, {both('ready')}"
