from __future__ import annotations

import json
import re
from contextlib import contextmanager, nullcontext
from datetime import timedelta
from hashlib import sha256
from itertools import pairwise
from math import inf

import pytest
from django.db import connection
from django.test import Client

from accounts.services.people import save_person
from annotator.models import EssaySet, FragmentRecord, MarkupRecord
from annotator.services.markup import reopen
from annotator.services.set_acts import describe_set
from jobs.models import Job
from jobs.services.work import LeaseLost, begin, holding, take_next
from scoring.models import PairScore, RunPair, ScoreRun
from scoring.queries.runs import ranked_entries
from scoring.queries.tables import star_table
from scoring.services.ranking import rank_entries
from scoring.services.run_boards import board_of_run, close_run
from scoring.services.run_files import run_as_csv, run_as_lines
from scoring.services.run_ordering import order_run, stop_run
from scoring.services.run_parts import score_part
from tests.factories import (
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
    RuleSetFactory,
    submitted,
)
from tests.scoring.runs import TASKS, done_run, marked_set, waiting, work_off
from tests.scoring.work import score
from tests.strategies import fragment
from web.refusals import Conflict, Refused

pytestmark = pytest.mark.django_db

HIT, OTHER_CODE, MISS = fragment(0, 4), fragment(0, 4, "А.лекс"), fragment(43, 48)
COUNTS = ("n", "m", "found", "equal_codes", "localization", "m1", "accuracy")


@pytest.fixture(scope="module")
def world(module_rows):  # noqa: ARG001 - its rows are those of the module
    return marked_set()


def checks_of(essay_set):
    return MarkupRecord.objects.filter(essay__essay_set=essay_set, source="expert").order_by("pk")


def test_a_run_says_what_the_scores_of_single_pairs_say(world):
    score(*MarkupRecord.objects.filter(essay__essay_set=world))
    single = PairScore.objects.values_list("assessed", "reference", *COUNTS)

    run = done_run(world)

    assert (run.state, run.essays, run.pairs, run.unsure) == ("ready", 3, 26, "few-essays")
    assert set(run.scores.values_list("assessed", "reference", *COUNTS)) == set(single)
    table = star_table(world)
    found = {(each.participant, each.star, each.otar) for each in run.entries.all()}
    assert found == {(each.participant, each.star, each.otar) for each in table.standings}
    assert run.ster == table.ster


def test_ranks_by_the_database_are_those_of_the_pure_board(world):
    run = done_run(world)

    board, _entries = board_of_run(run)

    ranked = [(each.rank, each.name, each.star, each.counted) for each in ranked_entries(run)]
    assert [(rank, star) for rank, _name, star, _n in ranked] == [
        (row.rank, row.star) for row in board.rows
    ]
    assert [name for _rank, name, *_figures in ranked] == ["А", "Б", "Г"]
    assert [rank for rank, *_rest in ranked] == [1, 1, 3]
    assert [(each.name, each.state) for each in run.entries.filter(rank=None)] == [("В", "few")]
    assert rank_entries(run_id=run.pk) == 0


def test_the_file_of_a_run_is_the_same_in_whatever_order_its_parts_came(world, monkeypatch):
    monkeypatch.setattr("scoring.services.run_ordering.FEWEST_OF_A_PART", 1)
    first = done_run(world, seed=7)
    other = order_run(essay_set=world, actor=None, seed=7)
    work_off(last_first=True)
    other.refresh_from_db()

    lines = "".join(run_as_lines(first))
    assert lines == "".join(run_as_lines(other))
    assert (first.digest, first.parts.count()) == (other.digest, 3)
    head, *rows = map(json.loads, lines.splitlines())
    assert (head["set"], head["rules"]["hardness"], len(rows)) == (world.name, 0.25, 4 + 26)
    table = list(run_as_csv(first))
    assert (len(table), table[0].split(",")[:3]) == (27, ["essay", "participant", "origin"])


def test_the_file_of_a_run_stays_as_it_was_whatever_its_set_and_people_are_called_since():
    held, browser = marked_set(), Client()
    browser.force_login(PersonFactory(role="administrator"))
    run = done_run(held)
    ScoreRun.objects.filter(pk=run.pk).update(finished_at=run.finished_at - timedelta(minutes=1))
    run.refresh_from_db()
    table = list(run_as_csv(run))
    person, other = (each.participant for each in run.entries.order_by("pk")[:2])

    for name in ("Renamed", "Renamed again"):
        seen, values = EssaySet.objects.get(pk=held.pk).revision, {"name": name}
        assert describe_set(essay_set=held, seen=seen, actor=None, values=values)
        person.username = name.replace(" ", "-")
        save_person(person=person, subjects=(), actor=None)
    fields = {"username": "otherwise", "role": "participant", "is_active": "on"}
    rows = {f"specialisms-{name}_FORMS": "0" for name in ("TOTAL", "INITIAL")}
    answer = browser.post(f"/admin/accounts/user/{other.pk}/change/", fields | rows)

    assert answer.status_code == 302
    again = ScoreRun.objects.get(pk=run.pk)
    assert list(run_as_csv(again)) == table
    assert sha256("".join(run_as_lines(again)).encode()).hexdigest() == run.digest


@contextmanager
def stopped_clock():
    """Within this block it is one and the same millisecond for SQLite."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')")
        (moment,) = cursor.fetchone()

    def stopped(execute, sql, *rest):
        return execute(re.sub(r"STRFTIME\('[^']*', 'NOW'\)", f"'{moment}'", sql), *rest)

    with connection.execute_wrapper(stopped):
        yield


OF_SQLITE = pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite counts milliseconds")


@pytest.mark.parametrize("clock", [nullcontext, pytest.param(stopped_clock, marks=OF_SQLITE)])
def test_what_is_renamed_while_the_digest_of_a_run_is_made_is_called_as_before_in_its_file(clock):
    held = marked_set()
    run = order_run(essay_set=held, actor=None)
    while (job := waiting().order_by("pk").first()).kind != "scoring.close_run":
        TASKS[job.kind](job.pk)
    renamed = []

    def rename(execute, sql, *rest):
        if RunPair._meta.db_table in sql and not renamed:
            renamed.append(person := run.entries.first().participant)
            person.username = "renamed"
            save_person(person=person, subjects=(), actor=None)
            seen, values = EssaySet.objects.get(pk=held.pk).revision, {"name": "Renamed"}
            describe_set(essay_set=held, seen=seen, actor=None, values=values)
        return execute(sql, *rest)

    with clock(), connection.execute_wrapper(rename):
        close_run(run_id=run.pk)

    done = ScoreRun.objects.get(pk=run.pk)
    assert (len(renamed), done.state, done.essay_set.name) == (1, "ready", "Renamed")
    assert sha256("".join(run_as_lines(done)).encode()).hexdigest() == done.digest


def test_one_essay_goes_first_and_all_others_follow_it(world):
    run = order_run(essay_set=world, actor=None)
    TASKS["scoring.prepare_run"](waiting().get().pk)

    first = waiting().get()
    TASKS["scoring.score_part"](first.pk)

    sizes = list(run.parts.order_by("number").values_list("essays", flat=True))
    assert (sizes, waiting().get().key) == ([1, 2], f"run:{run.pk}:part:1")


def test_a_fault_in_the_first_essay_stops_the_run_by_its_name(world):
    broken = checks_of(world).first()
    FragmentRecord.objects.filter(markup=broken).update(end=10_000)
    run = order_run(essay_set=world, actor=None)
    TASKS["scoring.prepare_run"](waiting().get().pk)
    canary = waiting().get()

    for _try in range(3):
        TASKS["scoring.score_part"](canary.pk)

    run.refresh_from_db()
    canary.refresh_from_db()
    assert (run.state, canary.state) == ("failed", "failed")
    assert "0000" in run.failure
    assert "SpanError" in run.failure
    assert not waiting().exists()
    assert not RunPair.objects.filter(run=run).exists()


def test_a_part_that_is_repeated_or_comes_late_changes_nothing(world):
    run = order_run(essay_set=world, actor=None)
    TASKS["scoring.prepare_run"](waiting().get().pk)
    (held,) = take_next()
    begin(held)
    Job.objects.filter(pk=held.job_id).update(state="queued", token=None)
    with holding(held), pytest.raises(LeaseLost):
        score_part(part_id=held.args["part_id"])
    assert not RunPair.objects.filter(run=run).exists()

    work_off()
    run.refresh_from_db()
    before = list(run.scores.order_by("pk").values())
    score_part(part_id=held.args["part_id"])

    assert list(run.scores.order_by("pk").values()) == before


def test_what_is_withdrawn_during_a_run_is_left_out_by_name(world, monkeypatch):
    monkeypatch.setattr("scoring.services.run_ordering.FEWEST_OF_A_PART", 1)
    run = order_run(essay_set=world, actor=None)
    for _job in range(2):  # it is prepared, and its first essay scored
        job = waiting().order_by("pk").first()
        TASKS[job.kind](job.pk)
    early, _second, late, *_others = checks_of(world)
    for each in (early, late):
        reopen(each, reason="A slip")
    work_off()

    run.refresh_from_db()
    assert (run.state, run.left_out) == (
        "ready",
        [{"why": "withdrawn", "what": ["0000", "0001"]}],
    )
    gone = {early.pk, late.pk}
    assert not gone & {pk for row in run.scores.values_list("assessed", "reference") for pk in row}


def test_an_accuracy_that_is_undefined_counts_nowhere_and_is_named(world):
    run = order_run(essay_set=world, actor=None)
    while (job := waiting().order_by("pk").first()).kind != "scoring.finish_run":
        TASKS[job.kind](job.pk)
    run.scores.filter(essay__number="0001").update(accuracy=None)
    work_off()

    run.refresh_from_db()
    assert run.left_out == [{"why": "undefined", "what": ["0001"]}]
    assert set(run.entries.values_list("state", "counted", "rank")) == {
        ("few", 2, None),
        ("few", 1, None),
    }
    assert all("NaN" not in line for line in run_as_lines(run))


def test_a_set_without_a_solution_is_refused_by_name_and_nothing_is_ordered():
    essay = EssayFactory(essay_set=EssaySetFactory(name="Spring"))
    submitted(essay, fragment(0, 4))

    with pytest.raises(Refused, match="Nobody has sent a solution of the set “Spring”"):
        order_run(essay_set=essay.essay_set, actor=None)

    assert not ScoreRun.objects.exists()


def test_a_run_whose_solutions_do_not_count_any_more_fails_by_what_is_missing(world):
    run = order_run(essay_set=world, actor=None)
    MarkupRecord.objects.filter(essay__essay_set=world, source="algorithm").update(state="draft")
    work_off()

    run.refresh_from_db()
    assert (run.state, run.told_failure) == (
        "failed",
        "No solution of the set counts: there is nothing to rank.",
    )


def test_essays_nobody_has_marked_are_left_out_by_name(world):
    EssayFactory(essay_set=world, number="0009")

    run = done_run(world)

    assert (run.essays, run.left_out) == (3, [{"why": "no-expert", "what": ["0009"]}])


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "no essay that an expert has marked"),
        ({"access": EssaySet.Access.PRACTICE}, "Nothing is counted of practice"),
    ],
)
def test_what_cannot_be_scored_is_refused_by_name(fields, words):
    with pytest.raises(Refused, match=words):
        order_run(essay_set=EssaySetFactory(**fields), actor=None)


@pytest.mark.parametrize("weight", [1e308, inf])
def test_rules_that_average_nothing_are_refused_by_name(world, weight):
    endless = RuleSetFactory(name="Endless", w2=weight, w3=weight)

    with pytest.raises(Refused, match="Endless 1"):
        order_run(essay_set=world, actor=None, rules=endless)


def test_of_two_runs_of_a_set_at_once_one_is_refused(world):
    run = order_run(essay_set=world, actor=None)
    with pytest.raises(Conflict, match="Wait for it, or stop it"):
        order_run(essay_set=world, actor=None)

    stop_run(run_id=run.pk, actor=PersonFactory(full_name="Petrov"))

    work_off()
    run.refresh_from_db()
    assert (run.state, run.told_failure, run.parts.count()) == ("failed", "Stopped by Petrov.", 0)
    assert order_run(essay_set=world, actor=None).state == "computing"


def test_another_source_of_the_program_meanwhile_fails_the_run_by_name(world):
    run = order_run(essay_set=world, actor=None)
    ScoreRun.objects.update(code="another")

    work_off()

    run.refresh_from_db()
    assert (run.state, run.told_failure) == (
        "failed",
        "The program that scores was changed meanwhile.",
    )


def test_intervals_come_with_ten_essays_and_are_those_of_the_pure_board():
    essay_set = EssaySetFactory()
    people = [PersonFactory(role="participant") for _ in range(2)]
    for number in range(10):
        essay = EssayFactory(essay_set=essay_set)
        submitted(essay, HIT)
        submitted(essay, HIT, MISS)
        for person, marks in zip(people, ([HIT], [HIT] if number % 3 else [MISS]), strict=True):
            submitted(essay, *marks, author=person, source="algorithm")

    run = done_run(essay_set, seed=3)

    board, entries = board_of_run(run)
    assert (run.unsure, run.numpy != "") == ("", True)
    for row, entry in zip(board.rows, entries, strict=True):
        assert row.sureness.interval == (entry.low, entry.high)
        assert row.sureness.ranks == (entry.best, entry.worst)
    assert all(one.low > other.high or one.like for one, other in pairwise(entries))
