"""What pictures of the pages showed: what is cut off, and colours that are not ours."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from annotator.core.classifier import classifier_of
from annotator.core.values import Subject
from scoring.services.reporting import compute
from scoring.services.run_ordering import order_run
from tests.factories import (
    AssignmentFactory,
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
    submitted,
)
from tests.scoring.work import score
from tests.strategies import fragment

pytestmark = pytest.mark.full

PHONE = {"viewport": {"width": 375, "height": 812}}


def test_on_a_phone_an_expert_finds_every_section_under_one_word(visit):
    page = visit(PersonFactory(), "/queue/", language="ru", **PHONE)

    shown = page.locator("header nav:visible")

    assert shown.count() == 1
    assert shown.evaluate("each => each.scrollWidth <= each.clientWidth")


BROKEN = """
  parts => parts.flatMap((each) => {
    const walker = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
    const broken = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      for (const { 0: word, index } of node.data.matchAll(/[\\p{L}\\d]{2,}/gu)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) broken.push(word);
      }
    return broken;
  })
"""
"""Words of these elements that go over more than one line."""


@pytest.mark.parametrize("language", ["ru", "en"])
def test_on_a_phone_no_word_of_a_heading_or_of_a_code_is_broken(visit, language):
    expert = AssignmentFactory(essay=(essay := EssayFactory())).expert
    first = submitted(essay)
    marks = (fragment(0, 4, "ПРОБЛЕМА"), fragment(5, 9, "ОБОСНОВАНИЕ"))
    second = submitted(essay, *marks)
    pages = {
        "/queue/": (expert, "h1, h2, .btn"),
        f"/compare/{first.pk}/{second.pk}/": (PersonFactory(role="coordinator"), "h2, .gap .code"),
    }

    for path, (person, parts) in pages.items():
        page = visit(person, path, language=language, **PHONE)
        shown = page.locator("main").locator(parts).filter(visible=True)

        assert shown.count() > 1
        assert shown.evaluate_all(BROKEN) == []


def test_radio_buttons_have_the_accent_and_not_the_browsers_blue(visit):
    page = visit(PersonFactory(role="coordinator"), f"/deadlines/sets/{EssaySetFactory().pk}/")

    colour = page.locator("input[type=radio]").first.evaluate(
        "each => getComputedStyle(each).accentColor"
    )

    assert colour == "rgb(86, 51, 163)"


def test_on_a_phone_the_box_of_a_check_stands_beside_its_number(visit):
    AssignmentFactory()
    page = visit(PersonFactory(role="coordinator"), "/deadlines/", **PHONE)

    box, name = (
        page.locator(f"tbody {each}").first.bounding_box() for each in (".a-no", ".a-name")
    )

    assert (box["x"] < name["x"], abs(box["y"] - name["y"]) < 12) == (True, True)


def test_a_lone_way_to_the_next_essay_has_an_arrow_and_round_corners(visit):
    essay_set = EssaySetFactory()
    listed = f"list=desk&set={essay_set.name}&order=number"
    first, _second = (EssayFactory(essay_set=essay_set, number=f"{n}") for n in (1, 2))
    page = visit(PersonFactory(role="coordinator"), f"/essays/{first.pk}/?{listed}")

    way = page.locator("nav.group a")

    assert (way.count(), way.locator(".icon").count()) == (1, 1)
    corners = way.evaluate("each => getComputedStyle(each).borderRadius")
    assert len(set(corners.split())) == 1


def test_the_moments_of_a_history_stay_on_one_line(visit):
    essay = AssignmentFactory().essay
    page = visit(PersonFactory(role="coordinator"), f"/essays/{essay.pk}/")

    heights = page.locator(".history time").evaluate_all(
        "all => all.map(each => each.offsetHeight)"
    )

    assert heights
    assert max(heights) < 30


def solved_set():
    """Essays of two subjects, marked by two experts and a participant, who is told, too."""
    lynx, essay_set = PersonFactory(role="participant"), EssaySetFactory(access="open")
    for number, (subject, code) in enumerate([("eng", "А.лекс"), ("rus", "орф")]):
        essay = EssayFactory(essay_set=essay_set, number=f"{number}", subject=subject)
        score(
            submitted(essay, fragment(0, 4, code)),
            submitted(essay, fragment(0, 4, code)),
            submitted(essay, fragment(0, 4, code), author=lynx, source="algorithm"),
        )
    return essay_set, lynx


def test_on_paper_a_report_opens_the_codes_of_every_subject(visit):
    essay_set, lynx = solved_set()
    compute(set_id=essay_set.pk, author_id=lynx.pk, origin="")
    page = visit(lynx, f"/scores/{essay_set.pk}/reports/{lynx.pk}/free/")
    tables = page.locator("details.subject .codes-table")
    expect(tables).to_have_count(2)
    expect(tables.first).to_be_visible()  # the first subject is open
    expect(tables.last).to_be_hidden()

    page.emulate_media(media="print")

    for table in tables.all():
        expect(table).to_be_visible()
        assert table.bounding_box()["height"] > 0


@pytest.mark.parametrize("language", ["en", "ru"])
def test_twelve_confused_codes_and_what_was_missed_fit_beside_the_codes(visit, language):
    lynx, essay_set = PersonFactory(role="participant"), EssaySetFactory(access="open")
    codes = [each.code for each in classifier_of(Subject.ENGLISH).categories][:14]
    essay = EssayFactory(essay_set=essay_set, subject="eng", text="word " * len(codes))
    marks = [fragment(5 * at, 5 * at + 4, code) for at, code in enumerate(codes)]
    score(
        submitted(essay, *marks),
        submitted(essay, *marks),
        submitted(essay, *marks, author=lynx, source="algorithm"),
    )
    compute(set_id=essay_set.pk, author_id=lynx.pk, origin="")
    wide = {"viewport": {"width": 1440, "height": 900}}
    page = visit(lynx, f"/scores/{essay_set.pk}/reports/{lynx.pk}/free/", language=language, **wide)

    heat = page.locator(".scroll:has(> .heat)")

    assert heat.locator("thead th").count() == 1 + 12 + 2
    assert heat.evaluate("(own) => own.scrollWidth - own.clientWidth") == 0
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 375, "height": 900})
    fits = "all => all.map((each) => each.getBoundingClientRect().right <= innerWidth)"
    tables = page.locator(".report table:visible").evaluate_all(fits)
    assert (len(tables) > 2, all(tables)) == (True, True)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_on_a_phone_the_list_of_score_runs_is_read_without_scrolling_sideways(visit, language):
    organiser = PersonFactory(role="organiser", full_name="Константин Константинопольский")
    essay_set, _lynx = solved_set()
    order_run(essay_set=essay_set, actor=organiser, seed=0)
    page = visit(organiser, "/scores/runs/", language=language, **PHONE)

    rows = page.locator(".runs").locator("xpath=..")

    assert rows.evaluate("each => each.scrollWidth <= each.clientWidth")
