"""Public pages of contests on a phone: nothing scrolls sideways, with scripts and without."""

from __future__ import annotations

import pytest

from contest.core.both import Both
from contest.services.announcing import Module, release_module
from tests.contest.contests import board_of, data_set, parameters, running, told

pytestmark = pytest.mark.full

PHONE = {"viewport": {"width": 375, "height": 740}}
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
LANGUAGE = "document.documentElement.lang"
LONG = "Контрольно-измерительная-подготовительная-высокотехнологическая"


@pytest.fixture
def contest(site, request):  # noqa: ARG001 - the rows need the database
    """With parameters, sets, a board of long names, a module and news."""
    slug = f"phone-{request.node.callspec.id}".lower()
    made = running(slug, shows_test_board=True, task_ru=f"{LONG}\n\nРазметить", task_en=LONG)
    parameters(made)
    parameters(made, version=2, since=-3, reason_ru=LONG, reason_en=LONG)
    for role in ("training", "test"):
        data_set(made, role)
    board_of(made.data_sets.get(role="test").essay_set, LONG, "Lynx")
    module = Module("razbor-kit", "0.1.0", "a" * 64, "https://example.org/razbor-kit.zip")
    release_module(contest=made, module=module, purpose=Both(LONG, LONG), actor=None)
    told(made, LONG, LONG)
    return made


def pages_of(contest):
    home = f"/contests/{contest.slug}/"
    said = contest.announcements.order_by("pk").last()
    return [
        *("/", "/contests/", home, f"{home}board/", f"{home}announcements/{said.pk}/"),
        *("/documents/participating/", "/documents/markup/", f"{home}apply/"),
    ]


@pytest.mark.parametrize("language", ["ru", "en"])
@pytest.mark.parametrize("scripts", [True, False])
def test_public_pages_fit_a_phone_with_and_without_scripts(visit, contest, language, scripts):
    wide, told_there = {}, {}
    for path in pages_of(contest):
        page = visit(None, path, language=language, java_script_enabled=scripts, **PHONE)
        wide[path] = page.evaluate(WIDER)
        told_there[path] = page.locator("h1").first.is_visible(), page.evaluate(LANGUAGE)

    assert wide == dict.fromkeys(wide, 0)
    assert told_there == dict.fromkeys(wide, (True, language))
