"""A swap after a mark, in Chromium: from the answer's arrival to everything in its place."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from annotator.models import FragmentRecord
from annotator.services.markup import row_of
from tests import browser
from tests.bench.essays import nested_markup
from tests.bench.timing import ROUNDS, Figures
from tests.e2e.database import connected
from tests.e2e.stack import Stack
from tests.e2e.visitor import session_of
from tests.factories import AssignmentFactory, DraftFactory, EssayFactory

WATCH = """
() => {
  window.swaps = [];
  let began = 0;
  document.addEventListener("htmx:beforeOnLoad", () => { began = performance.now(); });
  document.getElementById("desk").addEventListener("marks-renewed", () => {
    document.body.offsetHeight; // the page is laid out
    window.swaps.push(performance.now() - began);
  });
}
"""
BARE = """
(rounds) => {
  const essay = document.getElementById("essay");
  const html = essay.innerHTML;
  return Array.from({ length: rounds }, () => {
    const began = performance.now();
    essay.innerHTML = html;
    document.body.offsetHeight;
    return performance.now() - began;
  });
}
"""


def figures() -> Iterator[Figures]:
    """The swap at 40 and at 400 fragments, beside putting the same text alone."""
    for fragments, page in drafts():
        name = f"swap after a mark, {fragments} fragments"
        yield Figures(name, ours(page), "the text alone", bare(page))


def drafts() -> Iterator[tuple[int, Page]]:
    """A draft of 40 fragments and one of 400, each open in Chromium until the next is asked for."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Stack(Path(folder), crew=("web",)) as stack,
        sync_playwright() as playwright,
    ):
        chromium = playwright.chromium.launch(
            executable_path=str(browser.chromium()), args=["--no-sandbox", "--disable-gpu"]
        )
        with connected(stack.database_url):
            for words, fragments in ((300, 40), (3000, 400)):
                page = chromium.new_page()
                open_draft(page, stack, words, fragments)
                yield fragments, page
                page.close()


def open_draft(page: Page, stack: object, words: int, fragments: int) -> None:
    """Somebody's draft, in the browser."""
    markup = nested_markup(words, fragments)
    essay = EssayFactory(text=markup.text)
    record = DraftFactory(assignment=AssignmentFactory(essay=essay, state="working"))
    FragmentRecord.objects.bulk_create(row_of(record, each) for each in markup.fragments)
    page.context.add_cookies([session_of(record.author, stack.url)])
    page.goto(f"{stack.url}/markups/{record.pk}/")
    page.wait_for_selector("#desk[data-ready]")


def ours(page: Page) -> list[float]:
    """Seconds of each swap after a new mark, with its card opened."""
    page.focus("#essay")
    page.keyboard.press("Control+Home")
    mark(page, "/", *"ktrc", "Enter")  # «лекс» on the other layout; used last from here on
    page.locator("#cards form").wait_for()
    page.evaluate(WATCH)
    for number in range(ROUNDS):
        mark(page, ".")
        page.wait_for_function("(number) => window.swaps.length > number", arg=number)
    return [each / 1000 for each in page.evaluate("window.swaps")]


def mark(page: Page, *keys: str) -> None:
    """Select the next word of the text and give it a code."""
    for key in ("Control+ArrowRight", "Control+Shift+ArrowRight", *keys):
        page.keyboard.press(key)


def bare(page: Page) -> list[float]:
    return [each / 1000 for each in page.evaluate(BARE, ROUNDS)]
