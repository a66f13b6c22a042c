"""Score runs for programs: the list, one of them, its board, its results; for staff alone."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from scoring.models import RunEntry, ScoreRun
from scoring.services.run_files import run_as_csv, run_as_lines
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory, submitted
from tests.scoring.runs import done_run
from tests.scoring.test_board_page import run_of
from tests.strategies import fragment

pytestmark = pytest.mark.django_db

HIT = fragment(0, 4)
ENDINGS = ("", "{pk}/", "{pk}/entries/", "{pk}/results/")


@pytest.fixture(scope="module")
def run(module_rows):  # noqa: ARG001 - its rows are those of the module
    essay_set = EssaySetFactory(name="Told")
    essay = EssayFactory(essay_set=essay_set, number="0001")
    for _ in range(2):
        submitted(essay, HIT)
    EssayFactory(essay_set=essay_set, number="0002")
    lynx = PersonFactory(role="participant", username="lynx", full_name="The Lynx")
    submitted(essay, HIT, author=lynx, source="algorithm")
    return done_run(essay_set, seed=7)


@pytest.fixture
def judge(log_in):
    return log_in(PersonFactory(role="judge"))


def address(run, ending=""):
    return f"/api/scores/runs/{ending.format(pk=run.pk)}"


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_stranger_a_participant_and_an_expert_read_nothing(run, log_in, ending):
    people = [PersonFactory(role="participant"), PersonFactory()]
    found = [log_in(person).get(address(run, ending)).status_code for person in people]

    assert (Client().get(address(run, ending)).status_code, found) == (401, [403, 403])


def test_a_run_is_told_with_its_rules_and_what_was_left_out(run, judge):
    (line,) = judge.get(address(run)).json()["results"]
    told = judge.get(address(run, "{pk}/")).json()

    assert (line["id"], line["essay_set"], line["state"], line["seed"]) == (
        run.pk,
        "Told",
        "ready",
        7,
    )
    assert (line["parts_done"], line["parts_all"], line["pairs"], line["ster"]) == (1, 1, 4, 80.0)
    assert {name: told[name] for name in line} == line
    assert told["left_out"] == [{"why": "no-expert", "what": ["0002"]}]
    assert (told["ordered_by"], told["verdicts"], told["hardness"]) == (
        None,
        [],
        run.rules.hardness,
    )


def test_the_schema_says_what_of_a_run_may_be_nobody(judge):
    schemas = judge.get("/api/schema/?format=json").json()["components"]["schemas"]
    told = schemas["ScoreRunReport"]["properties"]

    asked = ["ordered_by", "proposed_by", "decided_by"]
    assert [told[name].get("nullable") for name in asked] == [True, True, True]


def test_a_board_is_told_entry_by_entry(run, judge):
    (entry,) = judge.get(address(run, "{pk}/entries/")).json()["results"]

    assert {name: entry[name] for name in ("rank", "participant", "origin", "state", "star")} == {
        "rank": 1,
        "participant": "lynx",
        "origin": "free",
        "state": "ranked",
        "star": 80.0,
    }


def test_an_entry_that_stands_apart_has_no_rank_and_the_description_says_so(run, judge):
    RunEntry.objects.filter(run=run).update(rank=None, state="excluded")

    (entry,) = judge.get(address(run, "{pk}/entries/")).json()["results"]

    described = judge.get("/api/schema/?format=json").json()["components"]["schemas"]
    told = described["RunEntryLine"]
    assert (entry["rank"], entry["state"]) == (None, "excluded")
    assert told["properties"]["rank"]["nullable"]
    assert "``rank`` is null where the entry stands apart" in " ".join(told["description"].split())


def test_results_are_the_files_of_the_run(run, judge):
    lines = judge.get(address(run, "{pk}/results/"))
    table = judge.get(address(run, "{pk}/results/?as=csv"))
    wrong = judge.get(address(run, "{pk}/results/?as=xml"))

    assert lines.getvalue().decode() == "".join(run_as_lines(run))
    assert json.loads("".join(run_as_lines(run)).splitlines()[1])["origin"] == "free"
    assert table.getvalue().decode() == "".join(run_as_csv(run))
    assert (wrong.status_code, [*wrong.json()["fields"]]) == (400, ["as"])


def test_of_a_run_that_is_not_finished_there_are_no_results_yet(judge):
    computing = run_of(EssaySetFactory(), "computing")

    found = [judge.get(address(computing, ending)).status_code for ending in ENDINGS]

    assert found == [200, 200, 404, 404]


@pytest.mark.parametrize("count", [1, 5])
def test_a_list_of_runs_costs_the_same_however_many_there_are(
    judge, django_assert_max_num_queries, count
):
    ScoreRun.objects.update(state="failed", failure="Stopped.")
    made = {run_of(EssaySetFactory(), "applied").pk for _ in range(count)}

    with django_assert_max_num_queries(7):
        listed = judge.get("/api/scores/runs/").json()["results"]
    assert {each["id"] for each in listed if each["state"] == "applied"} == made
