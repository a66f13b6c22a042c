"""The hints of a first visit: at their places, never over the text, put away by key or mouse."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from annotator.models import SeenHint
from tests.annotator.drafts import draft_of
from tests.annotator.practising import practice_essay
from tests.screens.test_changing import TEXT
from tests.screens.test_small_windows import PHONE

pytestmark = pytest.mark.full

LINES = "\n\n".join([TEXT] * 12)
WINDOWS = [(1440, 900), (1366, 768), (900, 900), (683, 384), (375, 812)]
WIDE = 896
"""From there on hints come one after another."""
LOW, TALL = 768, 848
"""In windows below the one not all codes are in sight; below the other hints stand at the foot."""
HIDDEN = """() => {
  const { bottom } = document.getElementById("codes").getBoundingClientRect();
  const isBelow = (code) => code.getBoundingClientRect().bottom > bottom + 1;
  const codes = [...document.querySelectorAll("#codes .code")];
  return codes.filter(isBelow).map((code) => code.dataset.code);
}"""


def boxes(page, places):
    return [each.bounding_box() for each in page.locator(places).all() if each.is_visible()]


def meet(one, other):
    return (
        one["x"] < other["x"] + other["width"]
        and other["x"] < one["x"] + one["width"]
        and one["y"] < other["y"] + other["height"]
        and other["y"] < one["y"] + one["height"]
    )


@pytest.mark.parametrize(("width", "height"), WINDOWS)
def test_hints_stand_beside_what_they_are_about_and_never_over_the_text(desk, width, height):
    screen = desk(LINES, first_visit=True, viewport={"width": width, "height": height})
    page = screen.page

    expect(page.locator(".hint")).to_have_count(3)
    for top in (0, 300, 5000):
        page.evaluate("(top) => scrollTo(0, top)", top)
        (essay,) = boxes(page, "#essay")
        assert not any(meet(hint, essay) for hint in boxes(page, ".hint"))
    if width > WIDE:
        shown = []
        while box := boxes(page, ".hint"):
            (hint,), (codes,) = box, boxes(page, "#palette")
            assert codes["height"] > height / 2
            assert height < LOW or page.evaluate(HIDDEN) == []
            shown.append(hint["y"] < codes["y"])
            page.locator(".hint button:visible").click()
            expect(page.locator(".hint")).to_have_count(3 - len(shown))
        assert shown == ([False] * 3 if height < TALL else [True, True, False])


@pytest.mark.parametrize("language", ["en", "ru"])
def test_in_a_low_window_no_code_is_out_of_sight_for_a_hint(desk, language):
    record = draft_of(TEXT)
    practice_essay(subject=record.essay.subject)
    low = {"width": 1366, "height": 768}
    page = desk(record=record, first_visit=True, language=language, viewport=low).page

    for left in (2, 1, 0):
        (hint,) = boxes(page, ".hint")
        codes = boxes(page, "#codes .code")
        assert page.evaluate(HIDDEN) == []
        assert not any(meet(hint, code) for code in codes)
        page.locator("#codes .code").last.hover()
        expect(page.locator("#define-name")).not_to_be_empty()
        assert boxes(page, ".hint") == []
        page.mouse.move(400, 400)
        page.locator(".hint button:visible").click()
        expect(page.locator(".hint")).to_have_count(left)
    assert page.evaluate(HIDDEN) == []


@pytest.mark.parametrize("language", ["en", "ru"])
def test_in_a_low_window_a_hint_covers_no_subcode_of_the_code_looked_at_last(desk, language):
    low = {"width": 1366, "height": 768}
    page = desk(TEXT, first_visit=True, language=language, viewport=low).page
    page.locator('#codes [data-code="А.грамм"]').hover()
    expect(page.locator("#subs .code")).to_have_count(12)

    page.mouse.move(400, 400)

    subcodes = boxes(page, "#subs .code, #define-name, #define-words")
    assert not any(meet(hint, each) for hint in boxes(page, ".hint") for each in subcodes)
    page.locator('#codes [data-code="ИСП"]').hover()
    expect(page.locator("#subs .code")).to_have_count(0)
    page.mouse.move(400, 400)
    assert len(boxes(page, ".hint")) == 1


def test_hints_are_put_away_by_keys_and_come_no_more_in_another_browser(desk, visit):
    record = draft_of(TEXT)
    practice_essay(subject=record.essay.subject)
    screen = desk(record=record, first_visit=True)
    page = screen.page

    assert page.locator(".hint a").get_attribute("href") == "/practice/"
    page.locator("[data-hint=submit] button").focus()
    for left in (2, 1, 0):
        with page.expect_response("**/hints/") as answered:
            page.keyboard.press("Enter")
        assert answered.value.status == 204
        expect(page.locator(".hint")).to_have_count(left)
    assert page.evaluate("document.activeElement.id") == "essay"
    assert set(SeenHint.objects.values_list("hint", flat=True)) == {"submit", "select", "keys"}

    other = visit(record.author, f"/markups/{record.pk}/")
    other.wait_for_selector("#desk[data-ready]")
    assert other.locator(".hint").count() == 0


def test_hints_are_reached_by_tab(desk):
    page = desk(TEXT, first_visit=True, viewport={"width": 800, "height": 900}).page
    page.focus("#to-submit")
    reached = []
    for _press in range(60):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.closest('.hint')?.dataset.hint"))

    assert list(dict.fromkeys(filter(None, reached))) == ["submit", "select", "keys"]


def test_on_a_phone_no_hint_speaks_of_keys_and_below_the_codes_is_no_empty_room(desk):
    page = desk(LINES, first_visit=True, **PHONE).page

    shown = [each.get_attribute("data-hint") for each in page.locator(".hint").all()]
    seen = page.locator(".hint:visible")
    expect(seen).to_have_count(2)
    (palette,), codes = boxes(page, "#palette"), boxes(page, "#codes .code")
    lowest = max(each["y"] + each["height"] for each in codes)

    assert set(shown) - {each.get_attribute("data-hint") for each in seen.all()} == {"keys"}
    assert palette["y"] + palette["height"] - lowest < codes[0]["height"]
