"""A key on the marking screen in Chromium: frames until its mark is painted, and the work for it.

Frames are counted, not timed: 0 is the first one after the key. Script is what the browser itself
has added up (``Performance.getMetrics``) from the key until everything is in its place, the answer
too; so are layouts and style recalculations. ``nodes`` are those that came or went in the text,
``measured`` how often lines of an element were asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

from playwright.sync_api import CDPSession, Page

from tests.bench.browser import drafts, mark
from tests.bench.timing import percentile

ROUNDS = 12
WATCH = """
() => {
  const essay = document.getElementById("essay");
  const found = { nodes: 0 };
  window.asked ??= Element.prototype.getClientRects;
  Element.prototype.getClientRects = function () {
    found.measured += 1;
    return window.asked.call(this);
  };
  found.measured = 0;
  const count = (records) => {
    for (const { addedNodes, removedNodes } of records)
      found.nodes += addedNodes.length + removedNodes.length;
  };
  const seen = new MutationObserver(count);
  seen.observe(essay, { childList: true, subtree: true });
  document.addEventListener("keydown", (event) => {
    if (event.key !== ".") return;
    const began = (found.began = performance.now());
    let frames = 0;
    const look = () => {
      count(seen.takeRecords());
      if (!found.nodes && frames < 600) {
        frames += 1;
        requestAnimationFrame(look);
        return;
      }
      Object.assign(found, { frames, painted: performance.now() - began });
    };
    requestAnimationFrame(look);
  }, { capture: true, once: true });
  document.getElementById("desk").addEventListener("marks-renewed", () => {
    count(seen.takeRecords());
    window.done = Object.assign(found, { answered: performance.now() - found.began });
  }, { once: true });
  window.done = null;
}
"""
COUNTED = {"ScriptDuration": "script", "LayoutCount": "layouts", "RecalcStyleCount": "styles"}


@dataclass(frozen=True)
class Key:
    """What one key took: frames, milliseconds to the paint, to the answer, of script, counts."""

    frames: int
    painted: float
    answered: float
    script: float
    layouts: int
    styles: int
    nodes: int
    measured: int


def figures() -> Iterator[str]:
    """A line for 40 and one for 400 marks."""
    for fragments, page in drafts():
        yield told(fragments, keys_of(page))


def told(fragments: int, keys: list[Key]) -> str:
    """Medians and 95th percentiles of the keys."""

    def both(name: str) -> str:
        values = [getattr(each, name) for each in keys]
        return f"{median(values):.1f} (p95 {percentile(values, 95):.1f})"

    words = f"frames {both('frames')}, painted {both('painted')} ms"
    words += f", answered {both('answered')} ms, script {both('script')} ms"
    counts = f"layouts {both('layouts')}, styles {both('styles')}, nodes {both('nodes')}"
    counts += f", measured {both('measured')}"
    return f"a key, {fragments} marks: {words}, {counts}"


def keys_of(page: Page) -> list[Key]:
    """New marks, each by one key with the code used last."""
    page.focus("#essay")
    page.keyboard.press("Control+Home")
    mark(page, "/", *"ktrc", "Enter")
    page.locator("#cards form").wait_for()
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    page.wait_for_timeout(500)
    return [key_of(page, session) for _ in range(ROUNDS)]


def key_of(page: Page, session: CDPSession) -> Key:
    for key in ("Control+ArrowRight", "Control+Shift+ArrowRight"):
        page.keyboard.press(key)
    page.evaluate(WATCH)
    page.wait_for_timeout(100)
    before = counted(session)
    page.keyboard.press(".")
    page.wait_for_function("() => window.done && window.done.painted !== undefined")
    after = counted(session)
    found = page.evaluate("window.done")
    spent = {name: after[key] - before[key] for key, name in COUNTED.items()}
    return Key(
        found["frames"],
        found["painted"],
        found["answered"],
        spent["script"] * 1000,
        int(spent["layouts"]),
        int(spent["styles"]),
        found["nodes"],
        found["measured"],
    )


def counted(session: CDPSession) -> dict[str, float]:
    found = session.send("Performance.getMetrics")["metrics"]
    return {each["name"]: each["value"] for each in found}
