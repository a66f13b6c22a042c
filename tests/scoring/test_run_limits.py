"""How much a job of a score run takes: essays of a part, ranked entries, what it holds."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from scoring.models import RunEntry, ScoreRun
from scoring.services import run_parts
from scoring.services.ranking import rank_entries
from scoring.services.run_boards import close_run, resample_run
from scoring.services.run_files import run_as_lines
from scoring.services.run_ordering import Answered, order_run, parted
from scoring.services.run_parts import portioned
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory, submitted
from tests.pages import page_of, texts_of
from tests.scoring.runs import TASKS, done_run, marked_set, waiting, work_off
from tests.strategies import fragment

pytestmark = pytest.mark.django_db


def computing(ranked):
    """A run whose entries have their scores already, but not how sure they are."""
    essay_set = EssaySetFactory()
    run = ScoreRun.objects.create(
        essay_set=essay_set, rules=essay_set.rules, set_rules=essay_set.rules, code="x", essays=30
    )
    people = User.objects.bulk_create(
        User(username=f"p{number}", role="participant") for number in range(ranked)
    )
    RunEntry.objects.bulk_create(
        RunEntry(run=run, participant=each, name=each.username, state="ranked", star=n / 20)
        for n, each in enumerate(people)
    )
    rank_entries(run_id=run.pk)
    return run


def test_above_a_thousand_ranked_ones_a_run_has_no_intervals_and_its_board_says_why(log_in):
    run = computing(1001)

    resample_run(run_id=run.pk)
    close_run(run_id=run.pk)

    run.refresh_from_db()
    assert (run.state, run.unsure) == ("ready", "many-ranked")
    sure = ("low", "high", "best", "worst", "like")
    assert set(run.entries.values_list(*sure)) == {(None,) * 5}
    judge, address = log_in(PersonFactory(role="judge")), f"/boards/{run.essay_set_id}/"
    page = judge.get(f"{address}?run={run.pk}")
    words = "How sure the ranks are is not told: more than 1,000 are ranked."
    assert words in texts_of(page, ".summing")[0]
    assert page_of(page).find(".ranks tbody .whisk") == []
    assert set(texts_of(page, ".ranks td.ci")) == {"–"}
    told = judge.get(f"{address}json/?run={run.pk}").json()
    names = ("interval", "rank_interval", "like")
    assert told["unsure"] == "many-ranked"
    assert {tuple(row[name] for name in names) for row in told["rows"]} == {(None,) * 3}


def test_the_export_of_a_run_is_read_before_its_row_is_held():
    run = computing(3)
    resample_run(run_id=run.pk)
    assert ScoreRun.objects.get(pk=run.pk).state == "computing"

    with CaptureQueriesContext(connection) as asked:
        close_run(run_id=run.pk)

    said = [each["sql"] for each in asked]
    reads = [n for n, sql in enumerate(said) if "scoring_runpair" in sql]
    begun, ended = (
        [sum(sql.startswith(word) for sql in said[:read]) for read in reads]
        for word in ("SAVEPOINT", "RELEASE SAVEPOINT")
    )
    assert reads
    assert begun == ended  # nothing is held by then


def essays(count, answers):
    return [
        Answered(number, f"{number:05}", "eng", [1, 2], [(n, n) for n in range(answers)])
        for number in range(count)
    ]


@pytest.mark.parametrize("participants", [1, 50, 150])
@pytest.mark.parametrize(
    ("count", "sizes"),
    [
        (0, []),
        (1, [1]),
        (99, [99]),
        (100, [100]),
        (199, [199]),
        (200, [100, 100]),
        (600, [100] * 6),
        (999, [124, *[125] * 7]),
        (2000, [250] * 8),
        (2001, [222, 222, 223] * 3),
    ],
)
def test_a_part_has_a_hundred_to_two_hundred_and_fifty_essays(count, sizes, participants):
    found = [len(part) for part in parted(essays(count, participants))]

    assert found == sizes


@pytest.mark.parametrize("count", [*range(100, 3400, 97), 25_000, 100_001])
def test_however_many_essays_there_are_no_part_is_smaller_or_larger(count):
    drawn = essays(count, 1)

    parts = parted(drawn)

    assert [each for part in parts for each in part] == drawn
    assert {100 <= len(part) <= 250 for part in parts} == {True}


def test_of_very_many_solutions_a_part_has_fewer_essays():
    sizes = [len(part) for part in parted(essays(600, 1000))]

    assert (sizes, max(sizes) * 1002 <= 40_000) == ([37, 38] * 8, True)


def test_a_part_is_read_in_portions_that_memory_takes():
    content = [
        {"experts": [1, 2], "answers": [[1, 1]] * more} for more in (4998, 1, 2498, 2498, 9000)
    ]

    assert [len(portion) for portion in portioned(content)] == [1, 2, 1, 1]


def scored_by(participants):
    """The statements of the part of a run that has all essays but the first."""
    essay_set = EssaySetFactory(rules__w1=1)
    people = [PersonFactory(role="participant") for _ in range(participants)]
    for _ in range(3):
        essay = EssayFactory(essay_set=essay_set)
        for person in (None, None, *people):
            whose = {"author": person, "source": "algorithm"} if person else {}
            submitted(essay, fragment(0, 4), fragment(43, 48), **whose)
    order_run(essay_set=essay_set, actor=None)
    for _ in range(2):
        TASKS[waiting().first().kind](waiting().first().pk)
    (job,) = waiting()
    with CaptureQueriesContext(connection) as asked:
        TASKS[job.kind](job.pk)
    work_off()
    return [each["sql"] for each in asked]


def test_fragments_of_a_part_are_read_by_one_ordered_query_however_many_take_part():
    one, four = scored_by(1), scored_by(4)

    read = [
        [sql for sql in found if 'FROM "annotator_fragmentrecord"' in sql] for found in (one, four)
    ]
    assert [len(each) for each in read] == [1, 1]
    assert [each[0].count("ORDER BY") for each in read] == [1, 1]
    assert len(one) == len(four)


def test_a_part_in_several_portions_gives_what_it_gives_in_one(monkeypatch):
    essay_set = marked_set()
    whole = done_run(essay_set)
    monkeypatch.setattr(run_parts, "MARKUPS_AT_ONCE", 1)

    parted_run = done_run(essay_set)

    assert (parted_run.digest, parted_run.pairs) == (whole.digest, whole.pairs)
    assert "".join(run_as_lines(parted_run)) == "".join(run_as_lines(whole))
