"""Beside the text of a third check pairs, codes, hints, notices and points have room."""

from __future__ import annotations

import base64
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from annotator.models import Phrase
from annotator.services.markup import row_of
from tests.review.thirds import thirds
from tests.screens.test_hints import boxes, meet
from tests.strategies import fragment

pytestmark = pytest.mark.full

TEXT = " ".join(["Some people think that sport unite people, others does not."] * 25)
ENDS = [at for at, sign in enumerate(TEXT) if sign == " "]
WORDS = list(zip([0, *(at + 1 for at in ENDS)], ENDS, strict=False))
FIRST = [fragment(*WORDS[at], "А.грамм", correction="this one") for at in range(3, 213, 6)]
SECOND = [fragment(*WORDS[at], "А.лекс") for at in range(3, 213, 6)]
IN_SIGHT = """
([list, parts]) => {
  const { top, bottom } = document.querySelector(list).getBoundingClientRect();
  return [...document.querySelectorAll(parts)].filter((each) => {
    const box = each.getBoundingClientRect();
    return box.height && top - 1 <= box.top && box.bottom <= bottom + 1;
  }).length;
}
"""
GROUPS = """
() => [...document.querySelectorAll("#codes dd")].filter((group) => {
  const code = group.querySelector(".code").getBoundingClientRect();
  const found = document.elementFromPoint(code.x + code.width / 2, code.bottom - 4);
  return group.contains(found);
}).length
"""
LINE = """
async ([png, line]) => {
  const bytes = Uint8Array.from(atob(png), (sign) => sign.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const pen = new OffscreenCanvas(image.width, image.height).getContext("2d");
  pen.drawImage(image, 0, 0);
  const { data } = pen.getImageData(0, 0, image.width, image.height);
  let count = 0;
  for (let at = 0; at < data.length; at += 4)
    count += `rgb(${data[at]}, ${data[at + 1]}, ${data[at + 2]})` === line;
  return count;
}
"""
"""How many points of a picture have the colour of a line."""
TAG = """
() => {
  const piece = document.querySelector("#essay [data-tag]");
  const { right, top, height } = [...piece.getClientRects()].at(-1);
  const { width, height: tall, marginTop } = getComputedStyle(piece, "::after");
  const own = document.createElement("i");
  own.style.color = "var(--cmp-left-line)";
  document.body.append(own);
  const line = getComputedStyle(own).color;
  own.remove();
  return { right, top, height, width: Number.parseFloat(width), line };
}
"""


@pytest.fixture
def third(desk):
    """The desk of a third expert with 35 pairs: ``third(width, height)``."""

    def opened(width=1440, height=900, first=FIRST, second=SECOND, record=None, **options):
        record = record or thirds(tuple(first), tuple(second), text=TEXT).record
        return desk(record=record, viewport={"width": width, "height": height}, **options)

    return opened


@pytest.mark.parametrize("size", [(1440, 900), (1600, 900)])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_two_pairs_and_codes_of_several_groups_are_in_sight_at_once(third, size, language):
    screen = third(*size, language=language)
    screen.page.evaluate("document.fonts.ready")

    assert screen.page.evaluate(IN_SIGHT, ["#pairs", "#pairs > .pair"]) >= 2
    assert screen.page.evaluate(GROUPS) >= 5
    screen.into_text().press("n")

    assert screen.page.evaluate(IN_SIGHT, ["#pairs", "#pairs > .pair"]) >= 2
    assert screen.page.evaluate(GROUPS) >= 5


@pytest.mark.parametrize(("language", "pairs"), [("en", 2), ("ru", 3)])
def test_pairs_have_a_quarter_of_the_window_beside_a_hint_too(third, language, pairs):
    screen = third(language=language, first_visit=True)
    expect(screen.page.locator(".hint:visible")).to_have_count(1)

    screen.into_text().press("n")

    (listed,) = boxes(screen.page, "#pairs")
    assert listed["height"] >= 900 / 4
    assert screen.page.evaluate(IN_SIGHT, ["#pairs", "#pairs > .pair"]) >= pairs
    assert screen.page.evaluate(GROUPS) >= 3


def test_pairs_of_another_sort_are_shown_from_the_head_of_their_list(third):
    screen = third().into_text().press("n", "p")
    shown = screen.page.locator("#pairs > .pair:not([hidden])")
    expect(shown.last).to_be_in_viewport()

    screen.page.select_option("#shown", "undecided")

    expect(shown).to_have_count(35)
    expect(shown.first).to_be_in_viewport(ratio=1)
    assert screen.page.locator("#pairs").evaluate("(list) => list.scrollTop") == 0


def test_what_a_search_finds_lies_over_the_codes_used_last(third):
    screen = third()
    screen.choose(0, 4).press("u", "h", "Enter").saved(1)
    (last,) = boxes(screen.page, "#recent .code")

    screen.choose(5, 11).press("u", "h")
    (hit,) = boxes(screen.page, "#hit")

    assert meet(hit, last)
    (x, y) = hit["x"] + 8, hit["y"] + hit["height"] / 2
    over = "([x, y]) => Boolean(document.elementFromPoint(x, y).closest('#hit'))"
    assert screen.page.evaluate(over, [x, y])
    screen.press("Escape", "Escape")
    expect(screen.page.locator("#recent .code")).to_be_visible()
    screen.choose(5, 11).page.locator("#recent .code").click()
    screen.saved(2)


@pytest.mark.parametrize("size", [(1440, 900), (1366, 768)])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_hint_is_in_sight_and_nothing_beside_the_text_lies_over_another(
    third, size, language
):
    page = third(*size, language=language, first_visit=True).page
    side = page.locator(".side")

    shown = 0
    while found := boxes(page, ".hint"):
        (hint,), (codes,), (points,) = found, boxes(page, "#palette"), boxes(page, ".points")
        assert not meet(hint, codes)
        assert not meet(codes, points)
        assert hint["y"] + hint["height"] <= points["y"]
        assert side.evaluate("(own) => own.scrollHeight - own.clientHeight") == 0
        shown += 1
        page.locator(".hint button:visible").click()
        expect(page.locator(".hint")).to_have_count(3 - shown)
    assert shown == 3


@pytest.mark.parametrize("size", [(1440, 900), (1366, 768)])
def test_a_conflict_takes_its_room_from_the_hints_and_covers_no_code(third, desk, visitors, size):
    visitors.watch.expected.add(409)
    screen = third(*size, first_visit=True)
    other = desk(record=screen.record)
    screen.page.wait_for_load_state("networkidle")
    other.into_text().press("n", "2").saved(1)

    screen.into_text().press("n", "1")
    expect(screen.page.locator("#saved")).to_have_attribute("data-state", "conflict")
    expect(screen.page.locator("#waiting [data-there]")).to_be_visible()

    (asked,), (codes,), (points,) = (
        boxes(screen.page, place) for place in (".asked", "#palette", ".points")
    )
    assert boxes(screen.page, ".hint") == []
    assert not meet(asked, codes)
    assert not meet(asked, points)
    screen.press("t").saved(1)
    expect(screen.page.locator(".hint:visible")).to_have_count(1)


UNREACHED = """
() => {
  const parts = document.querySelectorAll(".pair.here :is(.pair-words, .take, .neither, input)");
  const isReached = (each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    const ends = [[x + width / 2, y + 3], [x + width / 2, y + height - 3]];
    return ends.every((end) => each.contains(document.elementFromPoint(...end)));
  };
  return [...parts].filter((each) => !isReached(each)).map(({ className }) => className);
}
"""
"""What of the pair one is at cannot be pressed."""


@pytest.mark.parametrize("size", [(1440, 900), (1366, 768)])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_in_a_cut_every_button_of_the_pair_one_is_at_is_in_sight(third, visitors, size, language):
    said = {"subcode": "сочет", "explanation": "One thinks of people, not of sport."}
    first = [fragment(*WORDS[at], "А.лекс", **said) for at in range(3, 213, 6)]
    screen = third(*size, first=first, language=language)
    screen.page.wait_for_load_state("networkidle")
    screen.page.context.set_offline(True)

    screen.into_text().press("n")
    for key in ("1", "0", "2"):
        screen.press(key, "n")
        expect(screen.page.locator("#waiting li").first).to_be_visible()
        screen.page.evaluate("new Promise((next) => setTimeout(next, 100))")
        assert screen.page.evaluate(UNREACHED) == []
    (asked,), (codes,), (points,) = (
        boxes(screen.page, place) for place in (".asked", "#palette", ".points")
    )
    assert not meet(asked, codes)
    assert not meet(asked, points)
    visitors.watch.problems.clear()


def test_a_card_with_own_phrases_is_in_sight_as_a_whole_in_a_low_window(third):
    made = thirds((fragment(*WORDS[1], "А.грамм", subcode="арт"),), (), text=TEXT)
    for words in ("предлог", "а не the", "см. 12", "лишнее"):
        own = {"user": made.record.author, "code": "А.грамм", "field": "comment"}
        Phrase.objects.create(text=words, uses=2, **own)
    screen = third(1366, 768, record=made.record).into_text()
    screen.page.wait_for_load_state("networkidle")

    screen.press("n", "1").saved(1).press("e")
    expect(screen.page.locator("#cards .phrase")).to_have_count(5)

    (card,), (line,) = boxes(screen.page, "#cards"), boxes(screen.page, "footer.status")
    assert card["y"] + card["height"] <= line["y"]


KEYS = """
() => {
  const bar = document.querySelector(".status .hints").getBoundingClientRect();
  const isSeen = (key) => {
    const { width, right, bottom } = key.parentElement.getBoundingClientRect();
    return width && right <= bar.right + 1 && bottom <= bar.bottom + 1;
  };
  const keys = [...document.querySelectorAll(".status .hints kbd")];
  return keys.filter(isSeen).map((key) => key.textContent);
}
"""
"""The keys that are in sight in the line of state."""


@pytest.mark.parametrize("size", [(1440, 900), (1366, 768)])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_all_keys_of_the_desk_are_in_the_line_of_state_beside_a_deadline(third, size, language):
    due = thirds(tuple(FIRST), tuple(SECOND), text=TEXT).record
    due.assignment.deadline_at = timezone.now() + timedelta(days=6, hours=23)
    due.assignment.save()

    page = third(*size, record=due, language=language).page

    keys = page.evaluate(KEYS)
    assert keys[:8] == ["N", "P", "1", "2", "0", "R", "A", "X"]


def test_the_line_of_the_first_check_does_not_go_through_a_tag(site, desk):  # noqa: ARG001 - the rows need the database
    over = fragment(WORDS[1][0], WORDS[3][1], "А.лекс")
    made = thirds((over,), (), text=TEXT)
    row_of(made.record, fragment(*WORDS[1], tag="сравн1")).save()
    screen = desk(record=made.record, viewport={"width": 1440, "height": 900}).furnished()
    expect(screen.page.locator("#essay [data-tag]")).to_have_count(1)
    screen.page.mouse.move(700, 700)
    tag = screen.page.evaluate(TAG)
    x, y = tag["right"] + 2, tag["top"]
    inside = {"x": x, "y": y, "width": tag["width"] - 3, "height": tag["height"] / 2}

    picture = base64.b64encode(screen.page.screenshot(clip=inside)).decode()

    assert screen.page.evaluate(LINE, [picture, tag["line"]]) == 0
