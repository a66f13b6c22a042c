"""What a marking screen costs on the wire: requests and compressed bytes."""

from __future__ import annotations

import pytest

from tests.annotator.drafts import draft_of
from tests.screens.wire import Wire
from tests.strategies import fragment

pytestmark = pytest.mark.full

WORD = "people think that sport unite them "
TEXT = WORD * 50
NESTED = [fragment(at * 35, at * 35 + 35 - inner) for at in range(10) for inner in range(0, 28, 7)]
FIRST_REQUESTS, FIRST_BYTES = 20, 145_000  # an answer bears up to 100 random bytes
AT_REST = [
    *(
        "ahead",
        "around",
        "borders",
        "code-field",
        "leftovers",
        "listing",
        "offered",
        "own-points",
        "painting",
        "past",
        "patience",
        "presence",
        "same",
        "search",
        "sight",
        "stand-in",
        "typing",
        "waiting",
    )
]
"""Scripts that come once the page is loaded: a network that goes later takes none of them."""
AGAIN_BYTES = 30_000


SCRIPTS = """() => {
  const isScript = ({ name }) => name.endsWith(".js");
  const scripts = performance.getEntriesByType("resource").filter(isScript);
  scripts.sort((one, other) => one.startTime - other.startTime);
  return scripts.map(({ name }) => new URL(name).pathname);
}"""
"""The scripts, in the order they were asked for."""


def script_of(path):
    return path.rsplit("/", 1)[-1].split(".")[0]


@pytest.fixture
def load(visit):
    """Load a markup's page; what came over the wire, largest first."""
    record = draft_of(TEXT, *NESTED)
    assert len(TEXT.split()) == 300
    assert len(NESTED) == 40
    page = visit(record.author, "about:blank")
    wire = Wire(page)

    def loaded():
        wire.taken()
        page.goto(f"/markups/{record.pk}/", wait_until="networkidle")
        page.wait_for_selector("#desk[data-ready]")
        return wire.taken()

    return loaded


def test_the_first_load_stays_within_its_budget(load):
    loads = load()

    assert any(path.endswith(".woff2") for _size, path in loads)
    assert any("main" in path for _size, path in loads)
    later = [each for each in loads if script_of(each[1]) in AT_REST]
    first = [each for each in loads if each not in later]
    assert sorted(script_of(path) for _size, path in later) == AT_REST
    assert len(first) <= FIRST_REQUESTS, first
    assert sum(size for size, _path in first) <= FIRST_BYTES, first


def test_no_other_site_is_told_that_it_may_read_a_file(desk):
    page = desk(TEXT).page
    [script] = page.evaluate(SCRIPTS)[:1]

    answer = page.request.get(script)

    assert (answer.status, answer.headers.get("access-control-allow-origin")) == (200, None)


def test_what_no_first_key_needs_is_asked_for_last_and_untouched(desk):
    screen = desk(TEXT)
    screen.page.wait_for_load_state("networkidle")

    asked = screen.page.evaluate(SCRIPTS)

    assert sorted(map(script_of, asked[-len(AT_REST) :])) == AT_REST


def test_the_next_load_brings_little_more_than_the_page(load):
    load()

    loads = load()

    assert sum(size for size, _path in loads) <= AGAIN_BYTES, loads
    assert [path for _size, path in loads if path.startswith("/static/")] == []


def test_a_mark_costs_one_small_request(desk):
    screen = desk(TEXT, *NESTED).into_text()
    sent = []

    def note(request):
        sent.append(request)

    screen.page.on("request", note)

    screen.press("Control+Shift+ArrowRight").letters("uh").press("Enter").saved(1)

    posts = [each for each in sent if each.method == "POST"]
    assert len(posts) == 1
    assert len(posts[0].post_data or "") + len(posts[0].url) <= 1024
