"""Boards of one entry, of none that has a rank, and of such as are all alike."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from scoring.models import RunEntry, StandingBoard
from scoring.pages.boards import joined
from tests.factories import EssaySetFactory
from tests.pages import texts_of
from tests.scoring.test_board_page import entry, run_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def run():
    """An applied run everybody sees, of no entry yet."""
    made = run_of(EssaySetFactory(access="final", published_at=timezone.now()), "applied")
    StandingBoard.objects.create(
        essay_set=made.essay_set, applied=made, public=made, published_at=timezone.now()
    )
    return made


def read(run):
    return Client().get(f"/boards/{run.essay_set_id}/")


def test_of_one_entry_it_is_not_told_whom_it_can_be_told_apart_from(run):
    entry(run, "Owl", star=72.5, rank=1, sure=(72.2, 73.6, 1, 1), like=[])

    (words,) = texts_of(read(run), ".summing")

    assert words.endswith("(OTAR).")


def test_where_all_share_a_rank_none_is_told_apart(run):
    for name in ("Ant", "Bee", "Cat"):
        entry(run, name, star=70.0, rank=1, sure=(69.0, 71.0, 1, 1))
    everybody = list(run.entries.values_list("participant", flat=True))
    for each in run.entries.all():
        like = [person for person in everybody if person != each.participant_id]
        RunEntry.objects.filter(pk=each.pk).update(like=like)

    answer = read(run)

    assert texts_of(answer, ".ranks .rank") == ["1="] * 3
    assert texts_of(answer, ".ranks td.like") == ["1"] * 3
    words = "None of these 3 can be told apart from all others; chance may have ordered them."
    assert texts_of(answer, ".summing")[0].endswith(words)


@pytest.mark.parametrize(
    ("ranks", "own", "words"),
    [
        ([1, 1, 3, 3, 5], 6, "1–5"),
        ([1, 3, 3, 5], 1, "1–5"),
        ([1, 3, 5], 6, "1, 3, 5"),
        ([1, 2, 4, 5], 3, "1, 2, 4, 5"),
    ],
)
def test_ranks_that_are_skipped_behind_shared_ones_part_no_row(ranks, own, words):
    assert joined(ranks, own) == words


def test_where_all_stand_apart_nobody_waits_for_a_rank(run):
    run.unsure = "few-essays"
    run.save()
    for name in ("Ant", "Bee"):
        entry(run, name, state="annulled", star=64.2, reason="37 / 600")

    answer = read(run)

    (empty,) = texts_of(answer, ".empty")
    assert empty.endswith("All entries stand apart, with the reason.")
    assert texts_of(answer, ".summing") == ["30 essays. People repeat each other to 77.60 (STER)."]
