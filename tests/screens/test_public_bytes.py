"""A first visit to the public pages: what comes over the wire, fonts and headers included."""

from __future__ import annotations

import pytest

from tests.contest.contests import board_of, data_set, parameters, running, told
from tests.screens.wire import Wire

pytestmark = pytest.mark.full

MOST = 60 * 1024
PHONE = {"viewport": {"width": 375, "height": 740}}
WHOLE_FONTS = "/static/vendor/"


@pytest.fixture
def pages(site, request):  # noqa: ARG001 - the rows need the database
    """Of a contest with a board of twelve teams and much news, beside ten others."""
    made = running(f"bytes-{request.node.callspec.id}", task_ru="Задание", task_en="Task")
    parameters(made)
    board_of(data_set(made, "final").essay_set, *(f"Team {number}" for number in range(12)))
    for number in range(20):
        told(made, f"News {number}", "A sentence of some length that says what happened. " * 4)
    for number in range(10):
        running(f"{made.slug}-{number}", summary_ru="о" * 150, summary_en="s" * 150)
    home = f"/contests/{made.slug}/"
    return [
        *("/", "/contests/", home, f"{home}board/", f"{home}apply/"),
        *("/documents/participating/", "/documents/markup/", "/login/"),
    ]


@pytest.mark.parametrize("language", ["ru", "en"])
def test_a_first_visit_costs_sixty_kilobytes_with_fonts(visit, pages, language):
    heavy, letters = {}, {}
    for path in pages:
        page = visit(None, "about:blank", language=language, **PHONE)
        wire = Wire(page)
        page.goto(path, wait_until="networkidle")
        loads = wire.taken()
        page.context.close()
        letters[path] = any(".woff2" in name for _size, name in loads)
        if sum(size for size, _name in loads) > MOST:
            heavy[path] = loads
        assert not [name for _size, name in loads if name.startswith(WHOLE_FONTS)], path

    assert heavy == {}
    assert letters == dict.fromkeys(letters, True)
