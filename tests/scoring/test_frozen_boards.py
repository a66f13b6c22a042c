"""A board that stands still: who asked for it and why, and what whoever reads it is told."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.formats import date_format

from scoring.models import StandingBoard
from tests.factories import PersonFactory
from tests.pages import page_of, texts_of
from tests.scoring.test_board_page import World

pytestmark = pytest.mark.django_db


@pytest.fixture
def world():
    return World()


@pytest.fixture
def organiser(log_in):
    return log_in(PersonFactory(role="organiser", full_name="Organiser"))


def freeze_address(world):
    return f"/scores/runs/{world.run.pk}/freeze/"


def freeze(world, organiser, **reason):
    return organiser.post(freeze_address(world), {"frozen": "1", **reason})


def test_who_freezes_a_board_is_asked_why_and_told_until_when(world, organiser):
    page = page_of(organiser.get(freeze_address(world), {"frozen": "1"}))

    still = f"The board of “{world.essay_set}” stands still at run {world.run.pk}"
    assert [each.text for each in page.find("main form p")] == [
        f"{still} until organisers let it go on: runs applied meanwhile are not shown on it.",
        "Whoever reads the board is told since when. Why stands in the history of the run.",
    ]
    assert "required" in page.one("textarea[name=reason]").attributes


def test_a_board_is_not_frozen_without_a_reason(world, organiser):
    answer = freeze(world, organiser, reason=" ")

    assert answer.status_code == 422
    assert "Say why the board is frozen" in page_of(answer).one("main").text
    assert StandingBoard.objects.get(essay_set=world.essay_set).frozen_at is None


def test_staff_read_why_a_board_is_frozen_and_everybody_since_when_and_until_what(world, organiser):
    answer = freeze(world, organiser, reason="Appeals are heard")

    history = texts_of(
        organiser.get(f"/scores/runs/{world.run.pk}/"), "[aria-labelledby=run-history] li"
    )
    since = StandingBoard.objects.get(essay_set=world.essay_set).still_since
    day = date_format(timezone.localtime(since), "SHORT_DATETIME_FORMAT")
    public = Client().get(world.address)
    assert answer.status_code == 302
    assert history[-1] == f"{day}, Organiser: froze the board: Appeals are heard"
    assert texts_of(public, ".notice")[0] == (
        f"The public board stands still since {day}, until organisers let it go on: runs applied "
        "later are not shown on it."
    )
    assert "Appeals" not in public.content.decode()


def test_programs_are_told_since_when_a_board_stands_still(world, organiser):
    address = f"{world.address}json/"
    before = Client().get(address).json()["still_since"]

    freeze(world, organiser, reason="Appeals are heard")

    board = StandingBoard.objects.get(essay_set=world.essay_set)
    told = Client().get(address).json()["still_since"]
    assert (before, told[:19]) == (None, board.still_since.isoformat()[:19])


def test_of_two_who_freeze_a_board_the_second_reads_that_the_other_reason_stands(
    world, organiser, log_in
):
    second = log_in(PersonFactory(role="organiser"))
    answers = [
        freeze(world, organiser, reason="Appeals are heard"),
        freeze(world, organiser, reason="Appeals are heard"),
        freeze(world, second, reason="A pause"),
    ]

    told = page_of(answers[-1]).one("main").text
    assert [each.status_code for each in answers] == [302, 302, 409]
    assert "Organiser has frozen the board already: Appeals are heard" in told
    assert "A pause" in told
