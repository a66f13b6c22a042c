"""Boards: what stands on them, who reads them, as a page, as files, among the tables."""

from __future__ import annotations

import csv
import io

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scoring.models import PublishedRun, RunEntry, ScoreRun, StandingBoard
from scoring.pages.boards import joined
from scoring.pages.charts import Axis, axis_over
from tests.factories import EssaySetFactory, PersonFactory
from tests.pages import page_of, texts_of

pytestmark = pytest.mark.django_db

PROPOSED = {"applied": "apply", "discarded": "discard"}
METRICS = [None, 80.0, 70.0, 60.0, 65.0, 50.0]


def run_of(essay_set, state="ready", **fields):
    """A finished run; of applied and discarded ones two people have said so."""
    if state in PROPOSED:
        people = PersonFactory(role="organiser"), PersonFactory(role="judge")
        fields |= {"proposal": PROPOSED[state], "proposed_by": people[0], "decided_by": people[1]}
    return ScoreRun.objects.create(
        essay_set=essay_set,
        rules=essay_set.rules,
        set_rules=essay_set.rules,
        code="x",
        state=state,
        essays=30,
        ster=77.6,
        finished_at=timezone.now(),
        **fields,
    )


def entry(run, name, *, star=None, rank=None, state="ranked", sure=None, **fields):
    person = PersonFactory(role="participant", username=f"login-{name}-{run.pk}", full_name=name)
    low, high, best, worst = sure or (None,) * 4
    return RunEntry.objects.create(
        run=run,
        participant=person,
        name=name,
        state=state,
        star=star,
        otar=None if star is None else star / 0.776,
        rank=rank,
        position=rank or 1 + RunEntry.objects.filter(run=run, rank=None).count(),
        metrics=METRICS,
        counted=30,
        low=low,
        high=high,
        best=best,
        worst=worst,
        **fields,
    )


class World:
    """An applied and published board: the owl first, lynx and hedgehog not to be told apart."""

    def __init__(self, published=True):
        self.essay_set = EssaySetFactory(access="final", published_at=timezone.now())
        self.former = run_of(self.essay_set, "discarded")
        self.run = run = run_of(self.essay_set, "applied")
        self.owl = entry(run, "Owl", star=72.91, rank=1, sure=(72.2, 73.6, 1, 1), like=[])
        self.lynx = entry(run, "Lynx", star=68.104, rank=2, sure=(67.0, 69.0, 2, 3))
        self.hedgehog = entry(
            run, "", star=68.1, rank=3, sure=(66.9, 69.1, 2, 3), origin="session-4"
        )
        RunEntry.objects.filter(pk=self.lynx.pk).update(like=[self.hedgehog.participant_id])
        RunEntry.objects.filter(pk=self.hedgehog.pk).update(like=[self.lynx.participant_id])
        entry(run, "Drozd", state="annulled", star=64.2, reason="37 / 600")
        entry(run, "Skopa", state="no-answers")
        entry(run, "Former", state="former", star=99)
        shown = {"public": run, "published_at": timezone.now()} if published else {}
        StandingBoard.objects.create(essay_set=self.essay_set, applied=run, **shown)
        self.address = f"/boards/{self.essay_set.pk}/"


@pytest.fixture(scope="module")
def world(module_rows):  # noqa: ARG001 - the rows are the module's
    return World()


def test_everybody_reads_a_published_board_without_a_login_and_no_logins_on_it(world):
    answer = Client().get(world.address)
    page = page_of(answer)

    assert texts_of(answer, ".ranks tbody th") == ["Owl", "Lynx", "Participant without a name"]
    assert texts_of(answer, ".ranks .rank") == ["1", "2", "3"]
    assert texts_of(answer, ".ranks td.star") == ["72.910", "68.104", "68.100"]
    assert texts_of(answer, ".ranks td.places") == ["1", "2–3", "2–3"]
    assert texts_of(answer, ".ranks td.like") == ["none", "3", "2"]
    assert texts_of(answer, ".ranks td.m") == ["80.0", "70.0", "60.0", "65.0", "50.0"] * 3
    assert "login-" not in answer.content.decode()
    assert not page.find(".ranks tbody a")
    words = " ".join(texts_of(answer, ".summing"))
    assert "People repeat each other to 77.60 (STER)" in words
    assert "1 of these 3 can be told apart from all others" in words


@pytest.mark.parametrize("kind", ["", "json/", "csv/"])
def test_a_board_is_looked_up_by_its_head_and_no_number_breaks_it(world, kind):
    assert Client().head(f"{world.address}{kind}").status_code == 200
    assert Client().get(f"/boards/{10**20}/{kind}").status_code == 404


def test_those_apart_stand_with_their_reasons(world):
    answer = Client().get(world.address)

    assert texts_of(answer, ".apart tbody th") == ["Drozd stands again since", "Skopa"]
    assert texts_of(answer, ".apart tbody td")[::3] == [
        "The solution is annulled: 37 of its 600 files were, more than the rules allow.",
        "No essay counts.",
    ]


def test_a_russian_reason_apart_is_russian_on_english_boards(world):
    entry(world.run, "Crow", state="excluded", reason="Разметку правил человек")

    for language, told in (("en", [("ru", "Разметку правил человек")]), ("ru", [])):
        page = page_of(Client(headers={"accept-language": language}).get(world.address))
        found = page.find(".apart td span[lang]")
        assert [(each["lang"], each.text) for each in found] == told


@pytest.mark.parametrize(
    ("value", "anchor"), [(70.1, "end"), (40, "middle"), (2, "start"), (90, "end")]
)
def test_the_word_at_the_human_line_is_not_cut_off(value, anchor):
    assert Axis(0, 80, 520, 20).anchor(value) == anchor


def test_every_row_is_drawn_on_one_axis_with_whiskers_and_the_human_line(world):
    page = page_of(Client().get(world.address))

    axis = axis_over([66.9, 77.6], 520)
    assert [each["cx"] for each in page.find(".ranks .dot")] == [
        axis.x(star) for star in (72.91, 68.104, 68.1)
    ]
    assert page.find(".ranks tbody .whisk")[0]["d"].startswith(f"M{axis.x(72.2)} 15H{axis.x(73.6)}")
    assert len(page.find(".ranks tbody .human")) == 3
    assert texts_of(Client().get(world.address), ".ranks title") == [
        f"Axis of STAR from {axis.low} to {axis.high}; people 77.60"
    ]


def test_a_board_that_is_not_published_is_the_staffs_alone(log_in):
    world = World(published=False)
    people = {role: PersonFactory(role=role) for role in ("judge", "participant", "expert")}

    found = {role: log_in(person).get(world.address).status_code for role, person in people.items()}

    assert found == {"judge": 200, "participant": 404, "expert": 404}
    for ending in ("", "json/", "csv/"):
        assert Client().get(world.address + ending).status_code == 404


def test_staff_read_earlier_boards_and_nobody_else_does(world, log_in):
    judge = log_in(PersonFactory(role="judge"))
    former = f"{world.address}?run={world.former.pk}"

    links = [each["href"] for each in page_of(judge.get(world.address)).find(".runs-list a")]
    assert links == [f"?run={world.run.pk}", f"?run={world.former.pk}"]
    assert texts_of(judge.get(former), ".empty b") == ["Nobody has a rank"]
    assert [Client().get(each).status_code for each in (former, f"{world.address}?run=x")] == [
        404
    ] * 2
    assert judge.get(f"/boards/{EssaySetFactory().pk}/?run={world.run.pk}").status_code == 404


def test_everybody_reads_the_boards_that_were_published_before_and_no_states_of_runs(world):
    PublishedRun.objects.create(run=world.former)

    page = page_of(Client().get(world.address))

    links = [each["href"] for each in page.find(".runs-list a")]
    assert links == [f"?run={world.run.pk}", f"?run={world.former.pk}"]
    assert texts_of(Client().get(f"{world.address}?run={world.former.pk}"), ".empty b") == [
        "Nobody has a rank"
    ]
    assert [each.text for each in page.find(".runs-list .muted")] == [str(world.run.rules)] * 2


def test_reports_are_reached_by_their_owners_and_staff(world, log_in):
    def links(person):
        return [each["href"] for each in page_of(log_in(person).get(world.address)).find("th a")]

    prefix = f"/scores/{world.essay_set.pk}/reports"
    own = f"{prefix}/{world.hedgehog.participant_id}/session-4/"
    assert links(world.hedgehog.participant) == [own]
    assert own in links(PersonFactory(role="commission"))


def test_a_board_is_told_to_programs(world):
    found = Client().get(world.address + "json/").json()

    assert (found["STER"], found["essays"], found["run"]) == (77.6, 30, world.run.pk)
    assert found["rows"][1] == {
        "rank": 2,
        "name": "Lynx",
        "STAR": 68.104,
        "OTAR": pytest.approx(68.104 / 0.776),
        "metrics": dict(zip(("M2", "M3", "M4", "M5", "M6"), METRICS[1:], strict=True)),
        "counted": 30,
        "since": None,
        "interval": [67.0, 69.0],
        "rank_interval": [2, 3],
        "like": [3],
        "history": None,
    }
    assert [each["reason"] for each in found["apart"]] == ["annulled", "no-answers"]


def test_a_board_opens_in_a_russian_spreadsheet(world):
    russian = Client(headers={"accept-language": "ru"})
    tools = page_of(russian.get(world.address)).find(".tools a")
    (link,) = [each["href"] for each in tools if each.text.strip() == "Excel"]

    text = russian.get(link).content.decode().removeprefix("\ufeff")

    head, *rows = csv.reader(io.StringIO(text), delimiter=";")
    found = [dict(zip(head, row, strict=True)) for row in rows]
    assert [each["STAR"] for each in found] == ["72,91", "68,104", "68,1", "64,2", ""]
    assert found[1]["M6"] == "50,0"
    assert "Excel" not in Client().get(world.address).content.decode()


def test_a_board_opens_in_a_spreadsheet(world):
    text = Client().get(world.address + "csv/").content.decode().removeprefix("\ufeff")
    head, *rows = csv.reader(io.StringIO(text))

    found = [dict(zip(head, row, strict=True)) for row in rows]
    assert [(each["rank"], each["name"], each["state"]) for each in found] == [
        ("1", "Owl", "ranked"),
        ("2", "Lynx", "ranked"),
        ("3", "Participant without a name", "ranked"),
        ("", "Drozd", "annulled"),
        ("", "Skopa", "no-answers"),
    ]
    assert (found[3]["STAR"], found[3]["counted"], found[1]["M6"]) == ("64.2", "30", "50.0")
    assert [each["why"] for each in found] == [
        *[""] * 3,
        "The solution is annulled: 37 of its 600 files were, more than the rules allow.",
        "No essay counts.",
    ]


def test_the_page_of_a_run_tells_ties_digits_and_annulments_as_the_board_does(log_in):
    essay_set = EssaySetFactory()
    run = run_of(essay_set, "applied")
    found = (("Ant", 70.004, 1), ("Bee", 70.004, 1), ("Cat", 70.001, 3))
    for position, (name, star, rank) in enumerate(found, 1):
        made = entry(run, name, star=star, rank=rank)
        RunEntry.objects.filter(pk=made.pk).update(position=position)
    entry(run, "Drozd", state="annulled", star=64.2, reason="37 / 600")
    browser = log_in(PersonFactory(role="judge"))

    shown = page_of(browser.get(f"/scores/runs/{run.pk}/")).find("[aria-labelledby=run-ranks] tr")
    board = browser.get(f"/boards/{essay_set.pk}/?run={run.pk}")

    rows = [[each.text.strip() for each in row.find("td")] for row in shown[1:]]
    assert [row[0] for row in rows] == [*texts_of(board, ".ranks .rank"), "–"]
    assert [row[1] for row in rows[:3]] == texts_of(board, ".ranks td.star")
    assert [row[4] for row in rows[:3]] == texts_of(board, ".ranks td[data-label=OTAR]")
    why = "The solution is annulled: 37 of its 600 files were, more than the rules allow."
    assert why in shown[4].text


def test_equal_scores_share_a_rank_and_why_nothing_is_sure_is_said():
    essay_set = EssaySetFactory()
    run = run_of(essay_set, "applied", unsure="few-essays")
    for name, rank in (("Ant", 1), ("Bee", 1), ("Cat", 3)):
        entry(run, name, star=70.0 - rank, rank=rank)
    board = {"applied": run, "public": run, "published_at": timezone.now()}
    StandingBoard.objects.create(essay_set=essay_set, **board)

    answer = Client().get(f"/boards/{essay_set.pk}/")

    assert texts_of(answer, ".ranks .rank") == ["1=", "1=", "3"]
    assert texts_of(answer, ".ranks td.places") == ["–"] * 3
    assert "How sure the ranks are is not told: fewer than 10 essays." in texts_of(answer, "p")[1]


def test_the_table_of_accuracy_is_the_board_once_a_run_counts(world, log_in):
    answer = log_in(world.lynx.participant).get("/scores/")

    assert texts_of(answer, ".ranks tbody th")[:2] == ["Owl", "Lynx"]
    assert world.address in [each["href"] for each in page_of(answer).find("main a.btn")]


@pytest.mark.parametrize("count", [3, 50])
def test_a_page_of_a_board_is_small_and_costs_the_same(django_assert_max_num_queries, count):
    essay_set = EssaySetFactory()
    run = run_of(essay_set, "applied")
    people = [entry(run, f"Team number {n}", star=70 - n / 9, rank=n) for n in range(1, count + 1)]
    everybody = [each.participant_id for each in people]
    RunEntry.objects.filter(run=run).update(low=60, high=72, best=1, worst=count, like=everybody)
    board = {"applied": run, "public": run, "published_at": timezone.now()}
    StandingBoard.objects.create(essay_set=essay_set, **board)

    with django_assert_max_num_queries(15):
        answer = Client().get(f"/boards/{essay_set.pk}/")

    assert len(texts_of(answer, ".ranks .rank")) == count
    assert len(answer.content) < 60 * 1024
    assert b"<script" not in answer.content.partition(b"<main")[2]


def test_a_board_that_stands_still_says_so_to_everybody():
    world = World()
    address = f"/boards/{world.essay_set.pk}/"
    words = "The public board stands still since"
    assert words not in texts_of(Client().get(address), "main")[0]

    StandingBoard.objects.update(frozen_at=timezone.now())

    assert words in texts_of(Client().get(address), "main")[0]


def test_a_page_far_into_a_board_costs_what_the_first_does_and_calls_nobody_the_best():
    essay_set = EssaySetFactory()
    run = run_of(essay_set, "applied")
    for n in range(1, 121):
        entry(run, f"Team {n}", star=90 - n / 2, rank=n)
    board = {"applied": run, "public": run, "published_at": timezone.now()}
    StandingBoard.objects.create(essay_set=essay_set, **board)

    found = []
    for number in (1, 3):
        with CaptureQueriesContext(connection) as queries:
            page = Client().get(f"/boards/{essay_set.pk}/?page={number}")
        passed_over = [each["sql"] for each in queries if "OFFSET" in each["sql"]]
        has_best = "the best entry" in texts_of(page, ".summing")[0]
        found.append((texts_of(page, ".ranks .rank")[0], len(queries), passed_over, has_best))

    assert found == [("1", found[0][1], [], True), ("101", found[0][1], [], False)]


def test_a_tie_across_two_pages_is_told_on_both():
    essay_set = EssaySetFactory()
    run = run_of(essay_set, "applied")
    ranks = [*range(1, 50), 50, 50, 52]
    people = []
    for position, rank in enumerate(ranks, 1):
        each = entry(run, f"Team {position}", star=90 - rank / 2, rank=rank)
        RunEntry.objects.filter(pk=each.pk).update(position=position)
        people.append(each.participant_id)
    like = {50: [people[50]], 51: [people[49]], 52: people[49:51]}
    for position, of in like.items():
        sure = {"low": 60, "high": 70, "best": 50, "worst": 52}
        RunEntry.objects.filter(run=run, position=position).update(like=of, **sure)
    board = {"applied": run, "public": run, "published_at": timezone.now()}
    StandingBoard.objects.create(essay_set=essay_set, **board)

    pages = [Client().get(f"/boards/{essay_set.pk}/?page={number}") for number in (1, 2)]

    assert [texts_of(page, ".ranks .rank")[-2:] for page in pages] == [["49", "50="], ["50=", "52"]]
    assert [texts_of(page, ".ranks td.like")[-2:] for page in pages] == [["–", "50"], ["50", "50"]]


@pytest.mark.parametrize(
    ("ranks", "words"), [([], ""), ([3], "3"), ([4, 3], "3, 4"), ([9, 3, 5, 4, 10], "3–5, 9, 10")]
)
def test_ranks_in_a_row_are_told_by_their_ends(ranks, words):
    assert joined(ranks) == words


@pytest.mark.parametrize(
    ("values", "ends"),
    [
        ([], (0, 100)),
        ([0.0, 0.0], (0, 100)),
        ([100.0], (0, 100)),
        ([70.0], (70, 71)),
        ([66.9, 77.6], (65, 80)),
        ([0.0, 100.0], (0, 100)),
    ],
)
def test_an_axis_has_round_ends_around_all_values(values, ends):
    axis = axis_over(values, 100)

    assert (axis.low, axis.high) == ends
    assert len(axis.ticks) <= 8
