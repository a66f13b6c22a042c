"""A change is painted before its answer, just as the server's renderer would paint it."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import expect

from annotator.core.classifier import classifier_of
from annotator.core.values import CORRECTION_CODE, Fragment, Kind, Markup, Span, Subject
from annotator.templatetags.essay_text import essay_lines
from tests.screens.desk import first, holding, slow
from tests.screens.test_changing import TEXT, activate
from tests.screens.test_settling import LEFT, RIGHT, third, undecided
from tests.screens.test_text import ALPHABET, SPACES
from tests.strategies import fragment, whole_text

pytestmark = pytest.mark.full
__all__ = ["third"]  # a fixture

SETS = 200
PAINTED = """
(painting, sets) => sets.map(({ text, marks, lines }) => {
  const line = document.createElement("p");
  const html = (pieces) => {
    line.replaceChildren(...painting.nodesOf(pieces));
    return line.innerHTML;
  };
  const read = (words) => { line.innerHTML = words; return line.innerHTML; };
  return [painting.linesOf(marks, [...text]).map(html), lines.map(read)];
})
"""


def tone_of(value):
    if value.is_correction:
        return "isp"
    return "block" if value.kind is Kind.BLOCK else "mistake"


def drawn(seed):
    """A markup with nested, crossing, equal and adjacent fragments, and some of the whole text."""
    draw = random.Random(seed)
    text = "".join(draw.choice(ALPHABET) + draw.choice(SPACES) for _ in range(40)).strip()
    codes = [*classifier_of(Subject.ENGLISH).categories]
    fragments = []
    for number in range(1, draw.randint(1, 30)):
        start = draw.randrange(len(text))
        end = min(len(text), start + draw.choice([1, 3, 8, 40, 200]))
        category = draw.choice(codes)
        is_correction = draw.random() < 0.2
        fragments.append(
            Fragment(
                None if draw.random() < 0.05 else Span(start, end),
                CORRECTION_CODE if is_correction else category.code,
                tag=draw.choice(["", "", "т1", '"<&>']),
                kind=Kind.MISTAKE if is_correction else category.kind,
                id=number,
            )
        )
    return Markup(text, tuple(fragments))


def told(markup):
    """The same as the script gets it, with the lines the server writes."""
    marks = [
        {
            "number": each.id,
            "start": each.span.start,
            "end": each.span.end,
            "tone": tone_of(each),
            "tag": each.tag,
        }
        for each in markup.fragments
        if each.span
    ]
    lines = [line.pieces for line in essay_lines(markup)]
    return {"text": markup.text, "marks": marks, "lines": lines}


def test_the_script_paints_two_hundred_sets_as_the_server_does(script):
    sets = [told(drawn(seed)) for seed in range(SETS)]

    found = script("painting", PAINTED, sets)

    assert [ours for ours, _theirs in found] == [theirs for _ours, theirs in found]
    assert sum(len(lines) for lines, _ in found) > SETS
    assert any("b3" in line for lines, _ in found for line in lines)


FRAMES = """
() => {
  const before = document.getElementById("essay").innerHTML;
  window.frames = new Promise((done) => {
    let frames = 0;
    const look = () => {
      const isNew = document.getElementById("essay").innerHTML !== before;
      if (isNew || frames > 600) return done(frames);
      frames += 1;
      requestAnimationFrame(look);
    };
    document.addEventListener("keydown", () => requestAnimationFrame(look), { once: true });
  });
}
"""


def frames_of(screen, key):
    """How many frames after a key the text is painted otherwise: 0 is the first one."""
    screen.page.evaluate(FRAMES)
    screen.press(key)
    return screen.page.evaluate("() => window.frames")


LOOK = """
() => {
  const passing = / (on-s|on-e|on|linked|hover)(?=[ "])/g;
  const text = document.getElementById("essay").innerHTML;
  const items = [...document.querySelectorAll("#marks > [data-mark]:not([hidden])")];
  return [
    text.replace(/data-m="[^"]*"/g, "").replace(passing, ""),
    items.map(({ classList, dataset, firstElementChild: { innerHTML } }) =>
      [classList[0], dataset.start, dataset.end, dataset.code, innerHTML]),
  ];
}
"""


def look(screen):
    """The text and the list of marks, but for numbers and what an answer says besides."""
    return screen.page.evaluate(LOOK)


@pytest.fixture
def ready(desk):
    """A screen whose painting is at hand, with answers that take a second."""

    def opened(*fragments):
        screen = desk(TEXT, *fragments)
        screen.page.wait_for_load_state("networkidle")
        screen.into_text()
        slow(screen.page, 1000)
        return screen

    return opened


def test_a_mark_is_painted_in_the_first_frame_and_its_answer_is_not_seen(ready):
    screen = ready(fragment(5, 20), whole_text())
    screen.press("Control+Home", "Control+Shift+ArrowRight").letters("uh")

    assert frames_of(screen, "Enter") == 0
    painted = look(screen)
    assert screen.version() == 0
    screen.saved(1)

    assert look(screen) == painted
    expect(screen.page.locator("#marks [data-pending]")).to_have_count(0)


def test_deleting_and_moving_borders_are_painted_at_once(ready):
    screen = ready(fragment(0, 4), fragment(5, 11, tag="т1"), fragment(5, 20))
    activate(screen, 0)

    assert frames_of(screen, "Delete") == 0
    deleted = look(screen)
    screen.saved(1)
    assert look(screen) == deleted
    activate(screen, 0)
    for version, keys in ((2, "Control+ArrowRight"), (3, "Control+Shift+ArrowRight")):
        screen.press("b", keys)  # the second takes it behind the other one
        assert frames_of(screen, "Enter") == 0
        moved = look(screen)
        screen.saved(version)

        assert look(screen) == moved


def test_the_row_beside_the_text_says_what_waits_and_its_answer_is_not_seen(ready):
    screen = ready(fragment(5, 20, subcode="арт"), fragment(28, 33, "А.лекс", comment="as it was"))
    screen.page.evaluate("scrollTo(0, 0)")
    version, looks = 0, [look(screen)]

    def answered():
        nonlocal version
        version += 1
        painted = look(screen)
        assert screen.version() == version - 1
        screen.saved(version)
        assert look(screen) == painted
        looks.append(painted)

    activate(screen, 0).press("e")
    screen.page.locator("#cards form").wait_for()
    screen.page.locator('#codes [data-code="А.орф"]').click()
    answered()
    screen.page.locator("#card-correction").fill("the people")
    screen.page.locator("#card-explanation").focus()
    answered()
    screen.page.locator('#codes [data-code="ПРОБЛЕМА"]').click()
    answered()
    screen.press("Escape").into_text().press("b", "Control+ArrowRight", "Enter")
    answered()
    activate(screen, 1).press("e")
    screen.page.locator("#card-comment").fill("as it is")
    screen.page.locator("#card-explanation").focus()
    answered()
    screen.press("Escape").into_text().press("Control+z")
    answered()

    assert looks[-1] == looks[-3]
    assert len({str(each) for each in looks}) == len(looks) - 1


def test_a_mark_without_a_number_yet_is_deleted_and_others_come_meanwhile(ready):
    screen = ready()
    screen.press("Control+Home", "Control+Shift+ArrowRight").letters("uh").press("Enter")
    screen.press("Control+End", "Control+Shift+ArrowLeft").letters("jha").press("Enter")
    expect(screen.page.locator("#marks > [data-pending]")).to_have_count(2)
    screen.press("j", "Delete")

    expect(screen.page.locator("#marks > [data-mark]:not([hidden])")).to_have_count(1)
    screen.saved(3)

    assert [code for (code,) in screen.marks("code")] in (["А.орф"], ["А.грамм"])
    expect(screen.page.locator("#marks > [data-mark]")).to_have_count(1)


@pytest.mark.parametrize(
    ("first", "second", "third", "tag"),
    [("", "", "", "множ1"), ("", "", "Множ1", "множ2"), ("т1", "", "", "т1"), ("", "т2", "", "т2")],
)
def test_a_link_is_painted_at_once_with_the_tag_the_server_gives(ready, first, second, third, tag):
    screen = ready(
        fragment(5, 11, subcode="множ", tag=first),
        fragment(28, 33, "А.лекс", tag=second),
        fragment(40, 46, "А.орф", tag=third),
    )
    activate(screen, 0).press("l", "j")

    assert frames_of(screen, "Enter") == 0
    painted = look(screen)
    assert screen.version() == 0
    screen.saved(1)

    assert look(screen) == painted
    assert [own for (own,) in screen.marks("tag")][:2] == [tag, tag]


def test_what_a_third_expert_takes_is_painted_and_decided_at_once(third):
    tagged = fragment(29, 34, "А.лекс", subcode="выбор", tag="т1")
    screen, _made = third(first=(LEFT, tagged, whole_text()), second=(RIGHT,))
    screen.page.wait_for_load_state("networkidle")
    screen.into_text()
    screen.page.wait_for_timeout(200)
    slow(screen.page, 1000)
    count = screen.page.locator("#pairs > .pair").count()
    screen.press("n")

    for at, key in enumerate(("1", "2")):  # the copy of the other side takes the place of the first
        assert frames_of(screen, key) == 0
        painted = look(screen)
        undecided(screen, count - 1)
        assert screen.version() == at
        screen.saved(at + 1)
        assert look(screen) == painted
    screen.press("n")
    assert frames_of(screen, "1") == 0
    painted = look(screen)
    screen.press("n", "1")
    undecided(screen, count - 3)
    screen.saved(4)

    assert look(screen) == painted
    assert screen.marks("code", "tag")[1] == ("А.лекс", "т1")


def test_a_mark_that_a_page_loaded_anew_sends_again_is_not_painted_beside_itself(desk, visitors):
    screen = desk(TEXT).into_text()
    rows = screen.page.locator("#marks > [data-mark]:not([hidden])")
    state = screen.page.locator("#saved")
    screen.page.route("**/fragments/", lambda route: (route.fetch(), route.abort()))
    screen.press("Control+Shift+ArrowRight").letters("uh").press("Enter")
    expect(state).to_have_attribute("data-state", "offline")
    screen.page.reload()
    screen.ready().page.wait_for_load_state("networkidle")
    expect(state).to_have_attribute("data-state", "offline")

    screen.press("Control+End", "Control+Shift+ArrowLeft").letters("jha").press("Enter")
    expect(rows).to_have_count(2)
    painted = look(screen)
    screen.page.unroute_all(behavior="wait")  # one may be on its way
    screen.saved(2)

    assert look(screen) == painted
    assert screen.marks("code") == [("А.грамм",), ("А.орф",)]
    visitors.watch.problems.clear()


def test_rows_stand_in_order_whichever_of_what_waits_is_answered_first(ready):
    screen = ready(fragment(0, 11), fragment(5, 20, "А.лекс"))
    screen.choose(1, 3).letters("jha").press("Enter")
    activate(screen, 0).press("b", *["Shift+ArrowRight"] * 5, "Enter")
    codes = screen.page.locator("#marks > [data-mark]:not([hidden]) b")
    orders = [codes.all_text_contents()]

    for version in ("1", "2"):
        expect(screen.page.locator("#saved")).to_have_attribute("data-version", version)
        orders.append(codes.all_text_contents())

    assert orders == [["А.орф", "А.лекс", "А.грамм"]] * 3


def test_a_late_answer_takes_the_keys_from_no_mark_one_went_to(ready):
    screen = ready(fragment(28, 33, "А.лекс"))
    active = screen.page.locator("#marks > .on b")
    held = holding(screen, "**/fragments/")
    screen.press("Control+Shift+ArrowRight").letters("uh").press("Enter", "j")
    expect(active).to_have_text("А.лекс")

    first(screen, held).continue_()
    screen.saved(1)

    expect(screen.page.locator("#cards")).to_be_empty()  # a code of the palette would go into it
    expect(active).to_have_text("А.лекс")
    screen.press("Delete").saved(2)
    assert screen.marks("code") == [("А.грамм",)]
