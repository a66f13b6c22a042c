"""What the server has already is undone in the first frame, too, and the answer is not seen."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from annotator.models import FragmentRecord, MarkupRecord
from annotator.services.drafts import delete_fragment
from tests.screens.desk import first, holding, slow
from tests.screens.test_changing import TEXT
from tests.screens.test_kept import items
from tests.screens.test_painting import frames_of, look
from tests.screens.test_waiting import comment, mark_some, open_card
from tests.strategies import fragment

pytestmark = pytest.mark.full

UNDO = "Control+z"


def go_to(screen, at):
    """Come to a mark by keys, the first one is 0, wherever one was before."""
    screen.press("Escape", "Escape", "Control+Home")
    return screen.press(*["j"] * (at + 1))


def steps(screen):
    """Three steps the server has: a mark, one that is deleted, one whose borders moved."""
    screen.page.wait_for_load_state("networkidle")
    screen.into_text().press("Control+Home", "Control+Shift+ArrowRight").letters("uh")
    screen.press("Enter").saved(1)
    go_to(screen, 1).press("Delete").saved(2)
    go_to(screen, 0).press("b", "Control+ArrowRight", "Enter").saved(3)
    assert sorted(screen.marks("start", "end")) == [(0, 11), (28, 33)]


def frames_of_step(screen, *held):
    """How many frames after the key of a step back, or forth, the text is painted otherwise."""
    for key in held:
        screen.page.keyboard.down(key)
    frames = frames_of(screen, "KeyZ")
    for key in held:
        screen.page.keyboard.up(key)
    return frames


def test_an_undo_of_what_the_server_has_is_painted_in_the_first_frame(desk):
    screen = desk(TEXT, fragment(5, 20, tag="т1"), fragment(28, 33, "А.лекс"))
    steps(screen)
    slow(screen.page, 1000)
    version, shown = 3, []

    for keys in [["Control"]] * 3 + [["Control", "Shift"]] * 3:
        assert frames_of_step(screen, *keys) == 0
        painted = look(screen)
        assert screen.version() == version
        version += 1
        screen.saved(version)
        assert look(screen) == painted
        shown.append(painted)

    assert shown[0] == shown[4]
    assert shown[1] == shown[3]


def test_steps_are_undone_at_once_after_the_page_was_loaded_anew_and_ahead_of_their_answers(desk):
    screen = desk(TEXT, fragment(5, 20), fragment(28, 33, "А.лекс"))
    before = look(screen)
    steps(screen)
    screen.page.reload()
    screen.ready().page.wait_for_load_state("networkidle")
    screen.into_text()
    slow(screen.page, 1000)

    screen.press(UNDO, UNDO)
    assert frames_of_step(screen, "Control") == 0
    painted = look(screen)
    assert screen.version() == 3
    screen.saved(6)

    assert painted == look(screen) == before


LEARNED = """
(version) => Object.entries(sessionStorage)
  .some(([name, kept]) => /^razbor-past/.test(name) && JSON.parse(kept).version === version)
"""
"""The page knows the steps up to this version."""


@pytest.mark.parametrize("is_early", [False, True])
def test_a_change_whose_answer_was_lost_is_undone_at_once_after_the_page_was_loaded_anew(
    ready, visitors, is_early
):
    """Also where it is answered before the script comes that learns of it."""
    screen = ready(TEXT, fragment(5, 20), fragment(28, 33, "А.лекс"))
    before = look(screen)
    go_to(screen, 0).press("Delete").saved(1)
    lost = []

    def lose(route):
        if route.request.method != "POST":
            route.continue_()
            return
        lost.append(route.fetch())
        route.abort()

    screen.page.route("**/fragments/**", lose)
    screen.into_text().press("Control+Home", "Control+Shift+ArrowRight").letters("uh")
    screen.press("Enter")
    expect(screen.page.locator("#saved")).to_have_attribute("data-state", "offline")
    screen.page.unroute_all(behavior="wait")  # one may be on its way
    script = holding(screen, f"**/marking/{'painting' if is_early else 'leftovers'}*.js*")
    screen.page.reload()
    screen.ready()
    if is_early:
        screen.saved(2)
    else:
        screen.page.wait_for_load_state("load")
    first(screen, script).continue_()
    screen.saved(2).page.wait_for_function(LEARNED, arg=2)
    screen.into_text()
    slow(screen.page, 1000)

    assert frames_of_step(screen, "Control") == 0
    assert frames_of_step(screen, "Control") == 0
    painted = look(screen)
    assert screen.version() == 2
    screen.saved(4)

    assert painted == look(screen) == before
    assert len(lost) == 1
    visitors.watch.problems.clear()


def test_an_undo_pressed_before_what_the_last_page_left_has_come_is_about_that(ready, visitors):
    screen = ready(TEXT)
    mark_some(screen).saved(1)
    before = look(screen)
    screen.page.route("**/fragments/**", lambda route: route.abort())
    screen.press("Control+Shift+ArrowRight").letters("uh").press("Enter")
    expect(screen.page.locator("#saved")).to_have_attribute("data-state", "offline")
    screen.page.unroute("**/fragments/**")
    script = holding(screen, "**/marking/leftovers*.js*")
    screen.page.reload()
    screen.ready().into_text().press(UNDO)
    expect(screen.page.locator("#saved")).to_have_attribute("data-state", "saving")

    first(screen, script).continue_()

    screen.saved(3)
    assert screen.marks("start", "code") == [(0, "А.грамм")]
    assert look(screen) == before
    visitors.watch.problems.clear()


def test_where_the_last_page_left_nothing_no_change_waits_for_the_script_that_takes_it_up(ready):
    screen = ready(TEXT)
    script = holding(screen, "**/marking/leftovers*.js*")
    screen.page.reload()
    screen.ready()

    mark_some(screen).saved(1)

    assert len(script) == 1
    assert screen.marks("start", "code") == [(0, "А.грамм")]


def test_an_undo_of_what_is_refused_pressed_before_that_has_come_touches_nothing_else(
    ready, visitors
):
    visitors.watch.expected.add(422)
    screen = ready(TEXT)
    mark_some(screen).saved(1)
    screen.page.wait_for_load_state("networkidle")
    screen.page.route("**/fragments/**", lambda route: route.abort())
    go_to(screen, 0).press("e")
    screen.page.locator("#cards form [name=code]").fill("Я.нет")
    screen.press("Control+Enter")
    expect(items(screen)).to_have_count(1)
    script = holding(screen, "**/marking/leftovers*.js*")
    screen.page.reload()
    screen.ready()
    screen.page.unroute("**/fragments/**")
    screen.into_text().press(UNDO)
    expect(screen.page.locator("#saved")).to_have_attribute("data-state", "saving")

    first(screen, script).continue_()

    expect(screen.page.locator("#toast p")).to_have_text("There is nothing to undo.")
    assert screen.marks("start", "code") == [(0, "А.грамм")]
    visitors.watch.problems.clear()


def test_the_card_of_a_mark_that_is_undone_before_its_answer_goes_with_it(desk):
    screen = desk(TEXT)
    posts = holding(screen, "**/fragments/", only="POST")
    mark_some(screen).press(UNDO)

    first(screen, posts).continue_()

    screen.saved(2)
    expect(screen.page.locator("#cards form")).to_have_count(0)


def test_what_the_last_page_left_is_painted_as_soon_as_its_script_has_come(ready, visitors):
    screen = ready(TEXT)
    posts = []
    screen.page.route("**/fragments/**", lambda route: (posts.append(route), route.abort()))
    mark_some(screen)
    expect(screen.page.locator("#saved")).to_have_attribute("data-state", "offline")
    script = holding(screen, "**/marking/painting*.js*")
    screen.page.reload()
    screen.ready()
    painting = first(screen, script)
    expect(screen.page.locator("#saved")).to_have_attribute("data-state", "offline")

    tried = len(posts)
    painting.continue_()

    expect(screen.page.locator("#essay .f")).to_have_text("Some")
    assert len(posts) == tried
    visitors.watch.problems.clear()


def test_a_mark_brought_back_by_an_undo_is_the_same_mark_before_the_answer(desk):
    screen = desk(TEXT, fragment(5, 20), fragment(28, 33, "А.лекс"))
    steps(screen)
    slow(screen.page, 1000)

    screen.press(UNDO, UNDO)
    expect(screen.page.locator("#marks > [data-pending]")).to_have_count(1)
    go_to(screen, 1).press("Delete")
    screen.saved(6)

    assert screen.marks("start", "code") == [(28, "А.лекс"), (0, "А.грамм")]


def test_a_mark_that_comes_back_stands_before_one_of_its_place_that_was_made_later(desk):
    screen = desk(TEXT, fragment(5, 20), fragment(5, 20, "А.лекс"))
    screen.page.wait_for_load_state("networkidle")
    go_to(screen.into_text(), 0).press("Delete").saved(1)
    slow(screen.page, 1000)

    screen.press(UNDO)
    painted = look(screen)
    assert screen.version() == 1
    screen.saved(2)

    assert look(screen) == painted


def test_a_step_of_somebody_else_is_not_guessed(desk):
    screen = desk(TEXT, fragment(5, 20), fragment(28, 33, "А.лекс"))
    steps(screen)
    record = MarkupRecord.objects.get(pk=screen.record.pk)
    delete_fragment(
        record=record, version=3, row=FragmentRecord.objects.get(markup=record, start=28)
    )
    go_to(screen, 0).press("Delete").saved(5)
    screen.press(UNDO).saved(6)
    painted = look(screen)
    slow(screen.page, 500)

    screen.press(UNDO)
    screen.page.wait_for_timeout(250)

    assert look(screen) == painted


def test_a_step_another_device_made_before_the_page_was_loaded_anew_is_not_guessed(desk):
    screen = desk(TEXT, fragment(5, 20), fragment(28, 33, "А.лекс"))
    steps(screen)
    other = desk(record=screen.record).into_text()
    go_to(other, 0).press("Delete").saved(4)
    screen.page.reload()
    screen.ready().page.wait_for_load_state("networkidle")
    screen.into_text().press(UNDO)
    expect(screen.page.locator("#notice [data-elsewhere] li")).to_have_count(1)
    shown = look(screen)
    slow(screen.page, 500)

    screen.press("Control+Shift+z")
    screen.page.wait_for_timeout(250)

    assert look(screen) == shown


def test_steps_of_another_device_are_asked_about_once(desk):
    screen = desk(TEXT).into_text()
    other = desk(record=screen.record).into_text()
    for at in (1, 2, 3):
        other.press("Control+ArrowRight", "Control+Shift+ArrowRight").letters("uh").press("Enter")
        other.saved(at)
    asked = screen.page.locator("#notice [data-elsewhere]")

    screen.press(UNDO)
    expect(asked.locator("li")).to_have_count(3)
    expect(asked.get_by_role("button")).to_contain_text("Undo the last of them anyway")
    screen.press(UNDO, UNDO, UNDO).saved(6)

    expect(asked).to_have_count(0)
    assert screen.marks() == []


def test_no_dots_stay_under_a_mark_that_is_undone_without_a_network(ready, visitors):
    screen = ready(TEXT)
    waiting = """() => [...(CSS.highlights.get("waiting") ?? [])].map(String)"""
    screen.page.context.set_offline(True)
    for _mark in range(2):
        screen.press("Control+ArrowRight", "Control+Shift+ArrowRight").letters("uh").press("Enter")
    expect(screen.page.locator("#saved")).to_have_attribute("data-state", "offline")
    both = screen.page.evaluate(waiting)

    screen.press(UNDO)
    one = screen.page.evaluate(waiting)
    screen.press("Control+Shift+z")
    again = screen.page.evaluate(waiting)
    screen.press(UNDO, UNDO)

    assert (len(both), one, again) == (2, both[:1], both)
    assert screen.page.evaluate(waiting) == []
    visitors.watch.problems.clear()


def test_undoing_what_is_refused_leaves_what_was_made_before(ready, visitors):
    visitors.watch.expected.add(422)
    screen = ready(TEXT, fragment(5, 11), fragment(28, 33))
    open_card(screen, 1)
    comment(screen).fill("kept")
    screen.press("Control+Enter").saved(1)
    screen.page.context.set_offline(True)
    go_to(screen, 0).press("e")
    code = screen.page.locator("#cards form[data-stand-in] [name=code]")
    code.fill("Я.нет")
    screen.press("Control+Enter")
    screen.into_text().press(UNDO)
    expect(items(screen)).to_have_count(2)

    screen.page.context.set_offline(False)

    expect(screen.page.locator("#toast p")).to_have_text("There is nothing to undo.")
    assert screen.marks("code", "comment") == [("А.грамм", ""), ("А.грамм", "kept")]
    visitors.watch.problems.clear()


def test_a_border_let_go_where_it_was_is_no_step_to_undo(ready):
    screen = go_to(ready(TEXT, fragment(6, 10)), 0)
    screen.press("b", "Enter")
    handle = screen.page.locator("#handle-end").bounding_box()
    x, y = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
    screen.page.mouse.click(x, y)

    screen.press("Delete").saved(1)

    screen.press(UNDO).saved(2)
    assert screen.marks("start", "end") == [(6, 10)]
