"""How entries of a board moved over its runs: what the page, JSON and CSV tell, and to whom."""

from __future__ import annotations

import csv
import io
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scoring.models import PublishedRun, RunEntry, ScoreRun, StandingBoard
from tests.factories import EssaySetFactory, PersonFactory, RuleSetFactory
from tests.pages import page_of, texts_of
from tests.scoring.test_board_page import entry, run_of

pytestmark = pytest.mark.django_db


class World:
    """Three applied runs, the second of which never was public; the last is everybody's."""

    def __init__(self):
        self.essay_set = EssaySetFactory(access="final", published_at=timezone.now())
        self.first, self.hidden, self.last = runs = [
            run_of(self.essay_set, "applied", decided_at=timezone.now() - timedelta(days=ago))
            for ago in (3, 2, 1)
        ]
        people = {}
        places = {
            "Owl": ((2, 60.0), (1, 66.0), (1, 70.0)),
            "Lynx": ((1, 65.0), (2, 64.125), (2, 64.0)),
            "Wren": (None, (3, 50.0), (3, 55.0)),
            "Mole": ("annulled", (4, 40.0), (4, 41.0)),
        }
        for name, found in places.items():
            for run, place in zip(runs, found, strict=True):
                if place is not None:
                    apart = isinstance(place, str)
                    rank, star = (None, 12.0) if apart else place
                    state = place if apart else "ranked"
                    made = entry(run, name, rank=rank, star=star, state=state)
                    person = people.setdefault(name, made.participant)
                    RunEntry.objects.filter(pk=made.pk).update(participant=person)
        shown = {"public": self.last, "published_at": timezone.now()}
        StandingBoard.objects.create(essay_set=self.essay_set, applied=self.last, **shown)
        PublishedRun.objects.create(run=self.first)
        self.address = f"/boards/{self.essay_set.pk}/"


@pytest.fixture(scope="module")
def world(module_rows):  # noqa: ARG001 - the rows are the module's
    return World()


def rows_of(answer):
    rows = page_of(answer).find(".moves tbody tr")
    return {
        row.one("th").text: [each.text for each in [*row.find("td.num"), row.one("td.since")]]
        for row in rows
    }


def test_staff_read_rank_and_star_of_each_entry_over_all_applied_runs(world, log_in):
    answer = log_in(PersonFactory(role="judge")).get(world.address)

    assert rows_of(answer) == {
        "Owl": ["2 60.00", "1 66.00", "1 70.00", "the same rank, STAR +4.00"],
        "Lynx": ["1 65.00", "2 64.13", "2 64.00", "the same rank, STAR −0.13"],
        "Wren": ["–", "3 50.00", "3 55.00", "the same rank, STAR +5.00"],
        "Mole": ["annulled 12.00", "4 40.00", "4 41.00", "the same rank, STAR +1.00"],
    }


@pytest.mark.parametrize("role", [None, "participant", "expert"])
def test_everybody_reads_of_runs_that_were_public_alone(world, role, log_in):
    client = log_in(PersonFactory(role=role)) if role else Client()

    answer = client.get(world.address)

    assert rows_of(answer) == {
        "Owl": ["2 60.00", "1 70.00", "1 rank up, STAR +10.00"],
        "Lynx": ["1 65.00", "2 64.00", "1 rank down, STAR −1.00"],
        "Wren": ["–", "3 55.00", "was not on the board"],
        "Mole": ["annulled 12.00", "4 41.00", "was without a rank, STAR +29.00"],
    }
    (owl, *_others) = client.get(world.address + "json/").json()["rows"]
    assert [each["run"] for each in owl["history"]] == [world.first.pk, world.last.pk]
    for ending in ("", "json/", "csv/"):
        said = client.get(world.address + ending).content.decode()
        assert not any(figure in said for figure in ("66.0", "64.125", "64.13", "50.00", "40.0"))


def test_a_board_that_stands_still_tells_everybody_what_was_known_then(log_in):
    world = World()
    StandingBoard.objects.update(public=world.first, frozen_at=timezone.now())

    assert rows_of(Client().get(world.address)) == {}
    assert len(rows_of(log_in(PersonFactory(role="judge")).get(world.address))["Owl"]) == 4


def test_an_earlier_board_tells_nothing_of_later_runs(world, log_in):
    judge = log_in(PersonFactory(role="judge"))

    second, first = (
        rows_of(judge.get(f"{world.address}?run={run.pk}")) for run in (world.hidden, world.first)
    )

    assert second["Owl"] == ["2 60.00", "1 66.00", "1 rank up, STAR +6.00"]
    assert first == {}


def test_a_run_that_waits_stands_beside_those_that_were_applied_and_discarded_ones_nowhere(log_in):
    world = World()
    ScoreRun.objects.filter(pk=world.hidden.pk).update(state="discarded", proposal="discard")
    waiting = run_of(world.essay_set)
    made = entry(waiting, "Owl", rank=1, star=71.0)
    RunEntry.objects.filter(pk=made.pk).update(
        participant=RunEntry.objects.get(run=world.last, name="Owl").participant_id
    )
    judge = log_in(PersonFactory(role="judge"))

    found = rows_of(judge.get(f"{world.address}?run={waiting.pk}"))

    assert found == {"Owl": ["2 60.00", "1 70.00", "1 71.00", "the same rank, STAR +1.00"]}


def test_lines_are_drawn_on_one_scale_from_the_lowest_of_each(world):
    page = page_of(Client().get(world.address))

    assert [each["d"] for each in page.find(".moves path")] == [
        "M4.0 16.0L116.0 11.9",
        "M4.0 15.6L116.0 16.0",
        "M116.0 16.0",
        "M4.0 16.0L116.0 4.0",
    ]
    assert [each["cy"] for each in page.find(".moves circle")] == ["11.9", "16.0", "16.0", "4.0"]


def test_a_board_without_an_earlier_run_tells_no_history():
    world = World()
    ScoreRun.objects.exclude(pk=world.last.pk).update(state="ready")
    PublishedRun.objects.all().delete()

    answer = Client().get(world.address)
    row = Client().get(world.address + "json/").json()["rows"][0]

    assert (texts_of(answer, ".moved"), row["history"]) == ([], None)


def test_programs_and_spreadsheets_read_the_history(world):
    rows = Client().get(world.address + "json/").json()["rows"]
    first, last = world.first.pk, world.last.pk
    rules = {"rules": str(world.first.rules), "hardness": world.first.rules.hardness}
    assert [each["history"] for each in rows[2:]] == [
        [
            {"run": first, "rank": None, "STAR": None, "state": None, **rules},
            {"run": last, "rank": 3, "STAR": 55.0, "state": None, **rules},
        ],
        [
            {"run": first, "rank": None, "STAR": 12.0, "state": "annulled", **rules},
            {"run": last, "rank": 4, "STAR": 41.0, "state": None, **rules},
        ],
    ]

    text = Client().get(world.address + "csv/").content.decode().removeprefix("\ufeff")
    head, *table = csv.reader(io.StringIO(text))
    by = [rules["rules"], f"{rules['hardness']:.1f}"]
    assert head[-6:] == [
        *("rules", "H", f"rank ({first})", f"STAR ({first})", f"rules ({first})", f"H ({first})"),
    ]
    assert [each[-6:] for each in table] == [
        [*by, *place, *by] for place in (["2", "60.0"], ["1", "65.0"], ["", ""], ["", "12.0"])
    ]


def test_a_history_says_where_the_rules_changed(log_in):
    world = World()
    ScoreRun.objects.filter(pk=world.last.pk).update(rules=RuleSetFactory(hardness=0.5))
    named_alone = RuleSetFactory(hardness=world.first.rules.hardness)
    ScoreRun.objects.filter(pk=world.hidden.pk).update(rules=named_alone)

    page = log_in(PersonFactory(role="judge")).get(world.address)

    change = f"H {world.first.rules.hardness:g} → 0.5"
    assert rows_of(page)["Owl"][-1] == f"the same rank, STAR +4.00 (other rules: {change})"
    assert texts_of(page, ".moves thead .muted")[-1] == f"other rules: {change}"
    assert len(texts_of(page, ".moves thead .muted")) == 4
    told = f"From run {world.last.pk} on other rules hold ({change}): what stands before"
    assert told in texts_of(page, ".moved .help")[0]
    assert {each["d"] for each in page_of(page).find(".moves path.human")} == {"M88.0 0V20.0"}
    (owl, *_others) = Client().get(world.address + "json/").json()["rows"]
    assert [each["hardness"] for each in owl["history"]] == [world.first.rules.hardness, 0.5]


def test_a_history_names_weights_that_changed():
    world = World()
    rules = RuleSetFactory(hardness=world.first.rules.hardness, w2=0.5, w3=0.5)
    ScoreRun.objects.filter(pk=world.last.pk).update(rules=rules)

    assert (
        texts_of(Client().get(world.address), ".moves thead .muted")[-1] == "other rules: weights"
    )


def test_three_rows_and_runs_cost_what_one_does():
    def asked(names, runs):
        essay_set = EssaySetFactory()
        for ago in range(runs, -1, -1):
            at = timezone.now() - timedelta(days=ago)
            run = run_of(essay_set, "applied", decided_at=at)
            PublishedRun.objects.create(run=run)
            for rank in range(1, names + 1):
                entry(run, f"Team {rank}", star=70 - rank, rank=rank)
        shown = {"applied": run, "public": run, "published_at": timezone.now()}
        StandingBoard.objects.create(essay_set=essay_set, **shown)
        with CaptureQueriesContext(connection) as queries:
            answer = Client().get(f"/boards/{essay_set.pk}/")
        return len(rows_of(answer)), len(rows_of(answer)["Team 1"]), len(queries)

    one, three, many = asked(1, 1), asked(3, 3), asked(3, 8)

    assert (one[:2], three[:2], many[:2]) == ((1, 3), (3, 5), (3, 7))
    assert one[2] == three[2] == many[2] <= 15


def test_the_page_of_an_applied_run_leads_to_its_board(world, log_in):
    judge = log_in(PersonFactory(role="judge"))
    waiting = run_of(EssaySetFactory())

    def links(run):
        found = page_of(judge.get(f"/scores/runs/{run.pk}/")).find(".tools a")
        return [each["href"] for each in found if "/boards/" in each["href"]]

    assert links(world.hidden) == [f"{world.address}?run={world.hidden.pk}"]
    assert links(waiting) == []
