"""Keys and buttons that can do nothing say why; who turns to something else has the keys again."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.annotator.drafts import draft_of
from tests.review.thirds import thirds
from tests.screens.desk import first, holding
from tests.screens.test_changing import TEXT, activate
from tests.screens.test_small_windows import PHONE
from tests.strategies import fragment, whole_text

pytestmark = pytest.mark.full

NO_MARK = "No mark is chosen: go to one by J and K, or press it."
NO_WORDS = "Nothing is selected: select words first."
PAD = """
([key, code]) => document.activeElement.dispatchEvent(
  new KeyboardEvent("keydown", { key, code, bubbles: true, cancelable: true })
)
"""
"""A key of the number pad, which a page hears by another name than the same sign elsewhere."""
FINGER = """
document.getElementById("essay").dispatchEvent(
  new PointerEvent("pointerdown", { pointerId: 77, pointerType: "touch", bubbles: true })
)
"""


def toast(screen):
    return screen.page.locator("#toast .toast")


def test_keys_with_nothing_to_be_about_say_so_in_sight_and_to_those_who_listen(desk):
    screen = desk(TEXT, fragment(28, 33)).into_text()

    for key, words in [("Delete", NO_MARK), ("b", NO_MARK), ("l", NO_MARK), ("e", NO_MARK)]:
        screen.press(key)
        expect(toast(screen)).to_have_text(words)
        expect(screen.said()).to_have_text(words)
    screen.press(".")
    expect(toast(screen)).to_have_text("No code was used yet: type the first letters of one.")
    screen.press("Control+Shift+ArrowRight").letters("uh").press("Enter").saved(1)
    screen.press("ArrowRight", ".")
    expect(toast(screen)).to_have_text(NO_WORDS)
    expect(screen.said()).to_have_text(NO_WORDS)
    screen.choose(4, 5).press(".")  # a blank alone
    expect(toast(screen)).to_have_text(NO_WORDS)

    assert len(screen.marks()) == 2


def test_a_code_upon_a_blank_changes_no_mark_whose_card_is_open(desk):
    screen = desk(TEXT, fragment(5, 11)).into_text()
    screen.click(6)
    screen.page.locator("#cards form").wait_for()
    screen.choose(4, 5)

    screen.page.locator('#codes [data-code="А.орф"]').click()

    expect(toast(screen)).to_have_text(NO_WORDS)
    assert (screen.marks("code"), screen.version()) == ([("А.грамм",)], 0)


def test_a_mark_deleted_by_two_presses_is_brought_back_all_the_same(desk):
    screen = activate(desk(TEXT, fragment(28, 33)))

    screen.press("Delete").saved(1)
    screen.press("Delete")
    screen.page.get_by_role("button", name="Bring back").click()
    screen.saved(2)

    assert len(screen.marks()) == 1


def test_a_key_that_can_do_nothing_is_heard_each_time_and_keeps_what_brings_a_mark_back(desk):
    screen = activate(desk(TEXT, fragment(5, 11))).press("Delete").saved(1)
    heard = []

    for _press in range(2):
        screen.page.evaluate(PAD, [".", "Slash"])  # where a Russian keyboard has it
        expect(screen.said()).to_have_text("No code was used yet: type the first letters of one.")
        heard.append(screen.said().text_content())

    assert (len(set(heard)), screen.focused()) == (2, "essay")
    screen.page.locator("#toast").get_by_role("button", name="Bring back").click()
    screen.saved(2)
    assert len(screen.marks()) == 1


def test_a_second_finger_amid_a_drag_of_a_border_ends_nothing(desk):
    screen = activate(desk(TEXT, fragment(5, 11)))
    screen.press("b")
    handle = screen.page.locator("#handle-end").bounding_box()
    screen.press("Escape")
    screen.page.mouse.move(handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2)
    screen.page.mouse.down()
    screen.page.evaluate(FINGER)
    x, y = screen.middle(15)
    screen.page.mouse.move(x, y + handle["height"] / 2, steps=4)
    screen.page.mouse.up()

    screen.saved(1)
    assert screen.marks("start", "end") != [(5, 11)]


def test_a_mistake_of_the_whole_text_has_no_borders_to_move_and_it_is_said(desk):
    screen = desk(TEXT, whole_text("А.организация"))
    screen.page.locator("#whole [data-do=open]").first.click()
    expect(screen.page.locator("#cards form")).to_be_visible()

    screen.into_text().press("b")

    expect(toast(screen)).to_have_text("A mistake of the whole text has no borders.")


@pytest.mark.parametrize("elsewhere", ["another mark", "a field", "the text"])
def test_who_turns_from_moving_borders_to_something_else_has_the_keys_again(desk, elsewhere):
    screen = desk(TEXT, fragment(5, 11), fragment(28, 33, "А.лекс")).into_text()
    screen.click(6)
    screen.page.get_by_role("button", name="Move borders").click()
    expect(screen.page.locator("#moving")).to_be_visible()

    if elsewhere == "another mark":
        screen.click(29)
        expect(screen.page.locator("#card-code")).to_have_value("А.лекс")
    elif elsewhere == "a field":
        screen.page.locator("#card-comment").click()
        screen.write("told")
        screen.press("ArrowLeft", "Enter").saved(1)
    else:
        screen.drag(40, 46)
        screen.letters("uh").press("Enter").saved(1)
        assert len(screen.marks()) == 3

    expect(screen.page.locator("#moving")).to_be_hidden()
    screen.press("ArrowRight", "Enter")
    assert screen.marks("start", "end")[:2] == [(5, 11), (28, 33)]


@pytest.mark.parametrize(
    ("do", "told"),
    [("link", "Choose the other mark."), ("borders", "Drag one of the dots at its ends.")],
)
def test_on_a_phone_it_is_said_above_the_card_what_a_press_is_about(desk, do, told):
    screen = desk(TEXT, fragment(5, 11), fragment(40, 46), **PHONE)
    screen.page.touchscreen.tap(*screen.middle(6))
    screen.page.locator(f"#cards [data-do={do}]").tap()

    prompt = screen.page.locator("#linking, #moving").filter(has_text=told)
    expect(prompt).to_be_in_viewport(ratio=1)
    box = prompt.bounding_box()
    (_x, y, _width, height) = screen.rects((5, 11))[0][0]
    assert y + height <= box["y"]
    assert box["y"] + box["height"] <= screen.page.locator("#cards").bounding_box()["y"]
    if do == "link":
        prompt.get_by_role("button", name="Stop").tap()
        expect(prompt).to_be_hidden()
        screen.page.touchscreen.tap(*screen.middle(41))
        expect(screen.page.locator("#cards h2")).to_be_visible()
        assert screen.version() == 0


@pytest.mark.parametrize("language", ["en", "ru"])
def test_what_is_asked_for_a_link_is_not_cut_beside_the_text(desk, language):
    screen = activate(desk(TEXT, fragment(5, 11), fragment(40, 46), language=language)).press("l")

    asked = screen.page.locator("#linking > span").first
    expect(asked).to_be_visible()
    assert asked.evaluate("(each) => each.scrollWidth <= each.clientWidth")


def test_that_no_mark_was_chosen_is_said_no_more_once_one_is(desk):
    screen = desk(TEXT, fragment(5, 11)).into_text()

    screen.press("Delete")
    expect(toast(screen)).to_have_text(NO_MARK)
    screen.press("j")

    expect(screen.page.locator("#toast")).to_be_empty()


def test_the_key_that_saves_a_card_saves_the_one_beside_the_text_and_never_goes_into_it(desk):
    screen = desk(TEXT).into_text()
    cards = screen.page.locator("#cards form")

    screen.press("Control+Shift+ArrowRight").letters("uh").press("Enter", "Control+Enter")
    screen.press("Control+Shift+ArrowRight").letters("jha").press("Enter").saved(2)
    expect(cards).to_be_visible()
    screen.page.locator("#card-comment").fill("why so")
    screen.into_text().press("Control+Enter").saved(3)

    expect(cards).to_have_count(0)
    assert screen.focused() == "essay"
    assert screen.marks("code", "comment") == [("А.грамм", ""), ("А.орф", "why so")]


def test_what_was_undone_is_said_no_more_once_something_else_is_done(desk):
    screen = activate(desk(TEXT, fragment(5, 11)))
    screen.press("Delete").saved(1).press("Control+z").saved(2)
    expect(toast(screen)).to_contain_text("Undone")
    held = holding(screen, "**/fragments/", "POST")

    screen.choose(28, 33).letters("uh").press("Enter")

    request = first(screen, held)
    expect(screen.page.locator("#toast")).to_be_empty()
    request.continue_()
    screen.saved(3)


def lowest(screen, *names):
    """Where what lies at the lower edge begins."""
    tops = [screen.page.locator(name).bounding_box()["y"] for name in names]
    return min(tops)


def test_a_toast_on_a_phone_stands_above_the_points_and_above_what_comes_up_later(desk):
    screen = desk(TEXT + " And so on." * 60, fragment(5, 11), fragment(40, 46), **PHONE)
    page = screen.page
    page.touchscreen.tap(*screen.middle(6))
    page.locator("#cards [data-do=drop]").tap()
    screen.saved(1)

    box = toast(screen).bounding_box()
    assert box["y"] + box["height"] <= lowest(screen, "#points", ".status")
    screen.choose(28, 33)
    expect(page.locator("#palette")).to_have_css("position", "fixed")
    box = toast(screen).bounding_box()
    assert box["y"] + box["height"] <= lowest(screen, "#palette")


@pytest.mark.parametrize("third", [False, True])
def test_what_did_not_come_is_said_on_a_phone_above_points_and_pairs(desk, visitors, third):
    screen = desk(record=thirds().record if third else draft_of(TEXT, fragment(5, 11)), **PHONE)
    page = screen.page
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)

    page.locator(".status [data-value=guide]").tap()
    page.locator("#guide button").first.tap()

    box = page.locator("#told").bounding_box()
    edges = ["#settling > .standing", ".pairs-bar"] if third else ["#points"]
    assert box["y"] + box["height"] <= lowest(screen, *edges)
    page.context.set_offline(False)
    visitors.watch.problems.clear()


@pytest.mark.parametrize(
    ("key", "code"), [("/", "NumpadDivide"), ("/", "Backslash"), ("Delete", "NumpadDecimal")]
)
def test_a_key_is_the_same_wherever_the_keyboard_has_it(desk, key, code):
    screen = activate(desk(TEXT, fragment(5, 11)))

    screen.page.evaluate(PAD, [key, code])

    if key == "/":
        expect(screen.page.locator("#find")).to_be_focused()
    else:
        screen.saved(1)
        assert screen.marks() == []


@pytest.mark.parametrize("window", [{}, PHONE])
def test_a_check_that_is_submitted_in_a_cut_stays_on_the_screen_and_says_so(desk, visitors, window):
    screen = desk(TEXT, fragment(5, 11), **window)
    screen.click(6)
    screen.page.locator("#cards form").wait_for()
    screen.page.locator("#to-submit").click()
    expect(screen.page.locator("#hand-in")).to_be_in_viewport(ratio=1)
    screen.page.context.set_offline(True)

    screen.page.locator("#hand-in").click()

    said = screen.page.locator("#notice > p").filter(has_text="No connection to the server")
    expect(said).to_be_in_viewport(ratio=1)
    screen.page.context.set_offline(False)
    screen.page.locator("#hand-in").click()
    screen.page.wait_for_url("**/queue/")
    visitors.watch.problems.clear()


def test_marks_made_in_a_cut_are_linked_in_it_and_stay_linked(ready, visitors):
    screen = ready(TEXT, fragment(40, 46, "А.лекс", tag="")).into_text()
    screen.page.context.set_offline(True)
    screen.press("Control+Home", "Control+Shift+ArrowRight").letters("uh").press("Enter")
    tags = screen.page.locator("#marks .tg")

    screen.press("Control+Home", "j", "l", "j", "Enter")
    expect(tags).to_have_text(["грамм1", "грамм1"])
    screen.page.context.set_offline(False)

    expect(screen.page.locator("#saved")).to_have_attribute("data-state", "saved")
    expect(tags).to_have_text(["грамм1", "грамм1"])
    assert screen.marks("tag") == [("грамм1",), ("грамм1",)]
    visitors.watch.problems.clear()
