"""A key on the marking screen in Chromium: frames until its mark is painted, and the work for it.

Frames are counted, not timed: 0 is the first one after the key. Script, layouts and style
recalculations are what the browser itself has added up (``Performance.getMetrics``). Half of the
keys get no answer before they are painted: what they took is the key's own. The others are
answered: what they took is that of the key, of the answer and of all that it moves. ``nodes`` are
those that came or went in the text, ``measured`` how often lines of an element were asked for.
Beside stands what a fixed piece of JavaScript takes there, and one of Python here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median
from typing import Any

from playwright.sync_api import CDPSession, Page

from tests.bench.browser import drafts, mark
from tests.bench.timing import percentile, piece, seconds

ROUNDS = 12
"""Keys whose answer is held back, and as many that are answered."""
WATCH = """
() => {
  const essay = document.getElementById("essay");
  const found = (window.found = { nodes: 0, measured: 0 });
  window.asked ??= Element.prototype.getClientRects;
  Element.prototype.getClientRects = function () {
    found.measured += 1;
    return window.asked.call(this);
  };
  const count = (records) => {
    for (const { addedNodes, removedNodes } of records)
      found.nodes += addedNodes.length + removedNodes.length;
  };
  const seen = new MutationObserver(count);
  seen.observe(essay, { childList: true, subtree: true });
  const tell = () => found.painted && found.answered && console.debug("answered");
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
      setTimeout(() => console.debug("painted"));
      tell();
    };
    requestAnimationFrame(look);
  }, { capture: true, once: true });
  document.getElementById("desk").addEventListener("marks-renewed", () => {
    found.answered = performance.now() - found.began;
    setTimeout(tell);
  }, { once: true });
}
"""
PIECE = """
() => {
  const piece = () => {
    const kept = new Map();
    let total = 0;
    for (let number = 0; number < 60000; number += 1) {
      kept.set(number & 1023, String(number));
      total += kept.get(number & 1023).length;
    }
    return total;
  };
  const took = () => {
    const began = performance.now();
    piece();
    return performance.now() - began;
  };
  return Array.from({ length: 40 }, took).sort((a, b) => a - b)[20];
}
"""
COUNTED = {"ScriptDuration": "script", "LayoutCount": "layouts", "RecalcStyleCount": "styles"}


@dataclass(frozen=True)
class Key:
    """What one key took: milliseconds of script, layouts, styles, and what the page has seen."""

    script: float
    layouts: int
    styles: int
    seen: dict[str, float]


def figures() -> Iterator[str]:
    """For 40 and for 400 marks: the key alone, the key with its answer, what a piece takes."""
    for fragments, page in drafts():
        alone, answered = keys_of(page)
        own = f"frames {both(alone, 'frames')}, painted {both(alone, 'painted')} ms"
        yield f"a key, {fragments} marks: {own}, {work(alone)}"
        yield f"with its answer: after {both(answered, 'answered')} ms, {work(answered)}"
        python = median(seconds(piece, 1) for _ in range(ROUNDS)) * 1000
        script = page.evaluate(PIECE)
        yield f"pieces: JavaScript {script:.1f} ms, Python {python:.1f} ms"


def work(keys: list[Key]) -> str:
    """Medians and 95th percentiles of what was done."""
    told = [f"script {spread([each.script for each in keys])} ms"]
    told += [f"layouts {spread([each.layouts for each in keys])}"]
    told += [f"styles {spread([each.styles for each in keys])}"]
    return ", ".join([*told, f"nodes {both(keys, 'nodes')}", f"measured {both(keys, 'measured')}"])


def both(keys: list[Key], name: str) -> str:
    """Median and 95th percentile of what the page has seen."""
    return spread([each.seen[name] for each in keys])


def spread(values: list[float]) -> str:
    return f"{median(values):.1f} (p95 {percentile(values, 95):.1f})"


def keys_of(page: Page) -> tuple[list[Key], list[Key]]:
    """New marks, each by one key with the code used last: unanswered at first, answered."""
    page.focus("#essay")
    page.keyboard.press("Control+Home")
    mark(page, "/", *"ktrc", "Enter")
    page.locator("#cards form").wait_for()
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    page.wait_for_timeout(500)
    pairs = [(unanswered(page, session), key_of(page, session)) for _ in range(ROUNDS)]
    alone, answered = zip(*pairs, strict=True)
    return [*alone], [*answered]


def unanswered(page: Page, session: CDPSession) -> Key:
    """A key whose request leaves the browser only once it is painted and counted."""
    paused: list[dict[str, Any]] = []

    def note(told: dict[str, Any]) -> None:
        paused.append(told)

    session.once("Fetch.requestPaused", note)
    session.send("Fetch.enable", {"patterns": [{"urlPattern": "*/fragments/*"}]})

    def let_go() -> None:
        while not paused:
            page.wait_for_timeout(10)
        session.send("Fetch.continueRequest", {"requestId": paused[0]["requestId"]})
        session.send("Fetch.disable")

    return key_of(page, session, "painted", let_go)


def key_of(
    page: Page,
    session: CDPSession,
    until: str = "answered",
    then: Callable[[], object] = lambda: None,
) -> Key:
    for key in ("Control+ArrowRight", "Control+Shift+ArrowRight"):
        page.keyboard.press(key)
    page.evaluate(WATCH)
    page.wait_for_timeout(100)
    before = counted(session)
    with page.expect_console_message(lambda said: said.text == until):
        page.keyboard.press(".")
    after = counted(session)
    spent = {name: after[key] - before[key] for key, name in COUNTED.items()}
    then()
    page.wait_for_function("() => window.found.answered")
    page.wait_for_timeout(100)
    seen = page.evaluate("window.found")
    return Key(spent["script"] * 1000, int(spent["layouts"]), int(spent["styles"]), seen)


def counted(session: CDPSession) -> dict[str, float]:
    found = session.send("Performance.getMetrics")["metrics"]
    return {each["name"]: each["value"] for each in found}
