"""A board on paper and in narrow windows tells what it tells on a wide screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from scoring.models import ScoreRun
from tests.factories import EssaySetFactory, PersonFactory
from tests.scoring.test_board_page import World, run_of

pytestmark = pytest.mark.full

PAPER = {"viewport": {"width": 718, "height": 1000}}
"""A4 with the margins of the browser."""
PHONE = {"viewport": {"width": 375, "height": 812}}
ZOOMED = {"viewport": {"width": 720, "height": 450}}
"""A window of 1440 pixels at 200 %."""


@pytest.mark.parametrize("language", ["en", "ru"])
def test_on_paper_a_board_is_a_table_with_intervals_and_metrics(visit, language):
    page = visit(None, World().address, language=language, **PAPER)

    page.emulate_media(media="print")

    for column in ("ci", "places", "like", "m", "counted"):
        for cell in page.locator(f".ranks tbody .{column}").all():
            expect(cell).to_be_visible()
    fits = "table => table.getBoundingClientRect().right <= innerWidth"
    assert page.locator(".ranks").evaluate(fits)
    tops = "rows => rows.map(({cells}) => new Set([...cells].map((each) => each.offsetTop)).size)"
    assert page.locator(".ranks tbody tr").evaluate_all(tops) == [1, 1, 1]
    page.set_viewport_size({"width": 375, "height": 1000})
    assert page.locator(".ranks").evaluate(fits)
    assert page.locator(".ranks tbody .ci").first.is_visible()


@pytest.mark.parametrize("language", ["en", "ru"])
def test_on_narrow_paper_the_ranks_of_a_run_are_not_cut_off(visit, language):
    path = f"/scores/runs/{World().run.pk}/"
    narrow = {"viewport": {"width": 375, "height": 1000}}
    page = visit(PersonFactory(role="organiser"), path, language=language, **narrow)

    page.emulate_media(media="print")

    fits = "table => table.getBoundingClientRect().right <= innerWidth"
    assert page.locator(".run-ranks").evaluate(fits)


def test_on_a_phone_the_intervals_of_a_board_are_told_not_only_drawn(visit):
    page = visit(None, World().address, **PHONE)

    told = page.locator(".ranks tbody .ci:visible")

    assert told.all_inner_texts() == ["72.20–73.60", "67.00–69.00", "66.90–69.10"]
    label = "cells => cells.map((cell) => getComputedStyle(cell, '::before').content)"
    assert told.evaluate_all(label) == ['"95\u00a0% "'] * 3


def test_on_a_phone_no_line_of_the_axis_crosses_the_figures_of_a_board(visit):
    page = visit(None, World().address, **PHONE)

    rows = page.locator(".ranks tbody tr").evaluate_all(
        """rows => rows.map((row) => {
          const plot = row.querySelector(".plot").getBoundingClientRect();
          const star = row.querySelector(".star").getBoundingClientRect();
          const places = row.querySelector(".ci").getBoundingClientRect();
          const clipped = getComputedStyle(row.querySelector("svg")).clipPath;
          return [star.bottom <= plot.top + 1, plot.bottom <= places.top + 1, clipped];
        })"""
    )

    assert rows == [[True, True, "inset(0px -16px)"]] * 3


def test_at_200_percent_the_axis_of_a_board_is_as_large_as_the_words_around(visit):
    page = visit(None, World().address, **ZOOMED)

    heights = page.locator(".ranks thead text").evaluate_all(
        "texts => texts.map((text) => Math.round(text.getBoundingClientRect().height))"
    )

    assert max(heights) <= 24, heights


def test_the_heads_of_a_board_are_written_in_one_size_and_colour(visit):
    page = visit(None, World().address, viewport={"width": 1440, "height": 900})

    looks = page.locator(".ranks thead th:not(.star, .plot, [aria-sort])").evaluate_all(
        "heads => heads.map((head) => getComputedStyle(head)).map((s) => s.fontSize + s.color)"
    )

    assert len(looks) == 12
    assert len(set(looks)) == 1, looks


def test_without_anybody_apart_how_to_read_a_board_stands_at_its_left(visit):
    world = World()
    world.run.entries.filter(rank=None).delete()
    page = visit(None, world.address, viewport={"width": 1440, "height": 900})

    legend, table = page.locator("#h-legend").bounding_box(), page.locator(".ranks").bounding_box()

    assert legend["x"] == table["x"]


def test_a_board_has_room_between_what_is_said_above_it_and_its_summary(visit):
    world = World(published=False)
    page = visit(PersonFactory(role="organiser"), world.address)

    said = page.locator(".notice:has(+ .summing)").bounding_box()
    summary = page.locator(".summing").bounding_box()

    assert summary["y"] - said["y"] - said["height"] >= 8


def test_files_of_a_run_come_with_its_end_without_a_new_load(visit):
    run = ScoreRun.objects.create(
        essay_set=(essays := EssaySetFactory()),
        rules=essays.rules,
        set_rules=essays.rules,
        code="x",
    )
    page = visit(PersonFactory(role="coordinator"), f"/scores/runs/{run.pk}/")
    files = page.locator(".page-head .tools a")
    expect(files).to_have_count(0)

    ScoreRun.objects.filter(pk=run.pk).update(state="ready", finished_at=run_of(essays).finished_at)

    expect(files).to_have_text(["CSV", "JSON"], timeout=30_000)
