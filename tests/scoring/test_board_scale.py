"""A board of very many entries: a page of it reads what it shows, however many there are."""

from __future__ import annotations

from itertools import chain, repeat

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.models import User
from scoring.models import PublishedRun, RunEntry, StandingBoard
from scoring.pages.boards import boards_of_sets
from scoring.queries.annulments import entries_in_doubt
from scoring.services.ranking import rank_entries
from tests.factories import EssaySetFactory, PersonFactory
from tests.pages import page_of, texts_of
from tests.scoring.runs import rows_read
from tests.scoring.test_board_page import entry, run_of
from tests.steps import counted_by_sqlite, steps_of

pytestmark = pytest.mark.django_db

FEW, MANY, APART = 400, 4000, 120


def board_of(size):
    """Two applied runs of so many ranked entries, pairs of them sharing a rank, and some apart."""
    essay_set = EssaySetFactory(published_at=timezone.now())
    people = User.objects.bulk_create(
        User(username=f"{essay_set.pk}-{n}", full_name=f"Team {n:05}", role="participant")
        for n in range(size + APART)
    )
    for _ in range(2):
        run = run_of(essay_set, "applied", decided_at=timezone.now())
        PublishedRun.objects.create(run=run)
        RunEntry.objects.bulk_create(
            RunEntry(
                run=run,
                participant=each,
                name=each.full_name,
                state="ranked" if n < size else "annulled",
                star=90 - (n + n // 2 % 2) // 2 / size,
                low=40,
                high=90,
                best=1,
                worst=size,
                like=[people[(n + 1) % size].pk],
                counted=30,
            )
            for n, each in enumerate(people)
        )
        rank_entries(run_id=run.pk)
    shown = {"public": run, "published_at": timezone.now()}
    StandingBoard.objects.create(essay_set=essay_set, applied=run, **shown)
    return f"/boards/{essay_set.pk}/"


@pytest.fixture(scope="module")
def boards(module_rows):  # noqa: ARG001 - the rows are the module's
    return {size: board_of(size) for size in (FEW, MANY)}


def of_set(address):
    return int(address.split("/")[2])


@counted_by_sqlite
def test_who_was_apart_is_found_in_no_more_steps_where_the_database_knows_of_one_run_alone():
    """Whose statistics say that all entries are of this run, it would rather read all of them: so
    this comes before there are others.
    """
    run = run_of(EssaySetFactory(), "applied")
    steps = {}
    for size in (FEW, MANY):
        people = User.objects.bulk_create(
            User(username=f"{size}-{n}", role="participant") for n in range(size)
        )
        apart = ["annulled"] * APART if size == FEW else []
        RunEntry.objects.bulk_create(
            RunEntry(run=run, participant=each, name=each.username, state=state)
            for each, state in zip(people, chain(apart, repeat("few")), strict=False)
        )
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
        found = []
        steps[size] = steps_of(lambda found=found: found.extend(entries_in_doubt([run])))

    assert len(found) == APART
    assert steps[MANY] < 1.5 * steps[FEW]


@counted_by_sqlite
@pytest.mark.parametrize("query", ["", "?page=4", "?page=7&apart=3"])
@pytest.mark.parametrize("path", ["", "/scores/runs/"])
def test_a_page_of_ten_times_as_many_entries_takes_the_database_no_more_steps(
    boards, path, query, log_in
):
    client = log_in(PersonFactory(role="judge"))
    steps = {}
    for size, address in boards.items():
        applied = StandingBoard.objects.get(essay_set=of_set(address)).applied_id
        asked = f"{path}{applied}/{query.replace('page', 'ranks')}" if path else address + query
        client.get(asked)
        steps[size] = steps_of(lambda asked=asked: client.get(asked))

    assert steps[MANY] < 1.5 * steps[FEW]


def test_a_run_beside_the_one_that_counts_reads_no_entries_but_those_it_shows(boards, log_in):
    client = log_in(PersonFactory(role="judge"))
    read = {}
    for size, address in boards.items():
        former = StandingBoard.objects.get(essay_set=of_set(address)).applied_id - 1
        client.get(f"/scores/runs/{former}/?ranks=3")
        read[size] = rows_read(RunEntry, lambda asked=former: client.get(f"/scores/runs/{asked}/"))

    assert read[MANY] == read[FEW] == 50 + 50 + APART


@counted_by_sqlite
def test_the_first_of_a_board_take_no_more_steps_for_one_of_many(boards):
    judge = PersonFactory(role="judge")
    runs = {
        size: StandingBoard.objects.get(essay_set=of_set(each)).applied
        for size, each in boards.items()
    }
    found = {}

    steps = {
        size: steps_of(lambda run=run: found.update(boards_of_sets(judge, [run])))
        for size, run in runs.items()
    }

    assert [(len(each.rows), len(each.apart)) for each in found.values()] == [(50, 50)] * 2
    assert steps[MANY] < 1.5 * steps[FEW]


def test_those_apart_come_in_pages_of_their_own(boards):
    address = boards[FEW]

    first, last = (Client().get(f"{address}{query}") for query in ("", "?apart=3"))

    assert [len(texts_of(each, ".apart tbody tr")) for each in (first, last)] == [50, 20]
    assert texts_of(first, ".apart tbody th")[0].startswith(f"Team {FEW:05}")
    assert texts_of(last, ".apart tbody th")[-1].startswith(f"Team {FEW + APART - 1:05}")
    assert texts_of(first, ".pager span")[::2] == [f"1–50 of {FEW}", f"1–50 of {APART}"]
    links = [each["href"] for each in page_of(last).find(".pager a")]
    assert links == ["?apart=3&page=2", "?apart=2"]
    assert len(Client().get(f"{address}json/").json()["apart"]) == APART


@pytest.mark.parametrize(
    ("stars", "shown"),
    [
        ([70.0, 69.0], ["70.00", "69.00"]),
        ([70.00001, 70.0], ["70.00001", "70.00000"]),
        ([70 + 1e-12, 70.0], ["70.000000000001", "70.000000000000"]),
        ([70 + 1e-13, 70.0], ["70.000000000000", "70.000000000000"]),
    ],
)
def test_decimals_tell_neighbours_apart_up_to_twelve_also_across_two_pages(stars, shown, log_in):
    essay_set = EssaySetFactory()
    run = run_of(essay_set, "applied")
    scores = [*(99.0 - n / 4 for n in range(49)), *stars]
    for place, star in enumerate(scores, 1):
        entry(run, f"Team {place}", star=star, rank=place)
    judge = log_in(PersonFactory(role="judge"))

    for path, name, column in (
        (f"/boards/{essay_set.pk}/?run={run.pk}&", "page", ".ranks td.star"),
        (f"/scores/runs/{run.pk}/?", "ranks", "[aria-labelledby=run-ranks] tbody td"),
    ):
        first, second = (texts_of(judge.get(f"{path}{name}={number}"), column) for number in (1, 2))
        at = -1 if name == "page" else -5
        assert [first[at], second[0 if name == "page" else 1]] == shown
