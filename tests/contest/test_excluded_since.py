"""What a score run does not know: a team that was excluded or taken back after it was ordered."""

from __future__ import annotations

import csv
import io

import pytest
from django.test import Client
from django.utils import timezone

from contest.models import Team
from scoring.models import PublishedRun, RunEntry, RunVerdict, StandingBoard
from scoring.queries.annulments import entries_in_doubt
from scoring.services.run_acts import give_verdict
from tests.contest.running_world import announced
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory, submitted
from tests.pages import page_of, texts_of
from tests.scoring.reports import World as Reported
from tests.scoring.runs import rows_read
from tests.scoring.test_board_page import World, entry, run_of
from tests.scoring.work import score
from tests.strategies import fragment

pytestmark = pytest.mark.django_db

HIT = fragment(0, 4)


@pytest.fixture(scope="module")
def world(module_rows):  # noqa: ARG001 - the rows are the module's
    made = World()
    made.contest = announced()
    return made


def exclude(contest, account, why="Late papers"):
    return Team.objects.create(
        contest=contest,
        name=account.full_name,
        account=account,
        excluded_at=timezone.now(),
        excluded_because=why,
    )


def test_a_board_says_who_was_excluded_after_its_run(world):
    exclude(world.contest, world.owl.participant)

    public = Client().get(world.address)

    assert texts_of(public, ".notice span")[0] == (
        "Excluded since this score run was ordered: Owl. Here they stand as it counted them."
    )
    assert texts_of(public, ".ranks tbody th")[:2] == ["Owl excluded since", "Lynx"]
    assert texts_of(public, ".ranks .rank") == ["1", "2", "3"]
    told = Client().get(f"{world.address}json/").json()
    assert [each["since"] for each in told["rows"]] == ["excluded", None, None]
    lines = Client().get(f"{world.address}csv/").content.decode().removeprefix("\ufeff")
    table = csv.DictReader(io.StringIO(lines))
    assert [each["since"] for each in table] == ["excluded", "", "", "stands", ""]


def test_whoever_was_excluded_since_is_named_on_every_page_of_a_board(world):
    essay_set = EssaySetFactory(published_at=timezone.now())
    run = run_of(essay_set, "applied")
    made = [entry(run, f"Team {n}", star=90 - n / 2, rank=n) for n in range(1, 61)]
    apart = [entry(run, f"Late {n:02}", state="excluded", reason="x") for n in range(1, 61)]
    shown = {"public": run, "published_at": timezone.now()}
    StandingBoard.objects.create(essay_set=essay_set, applied=run, **shown)
    exclude(world.contest, made[57].participant)
    for each in apart[:-1]:
        exclude(world.contest, each.participant)

    told = [
        "Excluded since this score run was ordered: Team 58.",
        "Neither annulled nor excluded any more since this score run: Late 60.",
    ]
    for query in ("", "?page=2", "?apart=2"):
        answer = Client().get(f"/boards/{essay_set.pk}/{query}")
        assert texts_of(answer, ".notice span")[:2] == [
            f"{words} Here they stand as it counted them." for words in told
        ]


def test_a_board_reads_no_entries_of_those_who_are_still_excluded_but_those_it_shows(world):
    essay_set = EssaySetFactory(published_at=timezone.now())
    run = run_of(essay_set, "applied")
    entry(run, "Alone", star=90, rank=1)
    apart = [entry(run, f"Out {n:02}", state="excluded", reason="x") for n in range(1, 61)]
    shown = {"public": run, "published_at": timezone.now()}
    StandingBoard.objects.create(essay_set=essay_set, applied=run, **shown)
    for each in apart:
        exclude(world.contest, each.participant)
    address = f"/boards/{essay_set.pk}/"
    Client().get(address)

    read = [
        rows_read(RunEntry, lambda query=query: Client().get(f"{address}{query}"))
        for query in ("", "?apart=2")
    ]

    assert read == [1 + 50, 1 + 10]


def test_the_page_of_a_run_marks_who_was_excluded_after_it(world, log_in):
    exclude(world.contest, world.owl.participant)
    judge = log_in(PersonFactory(role="judge"))

    page = judge.get(f"/scores/runs/{world.run.pk}/")

    names = texts_of(page, "[aria-labelledby=run-ranks] tbody th")
    marked = [each.rsplit(" ", 2)[0] for each in names if each.endswith("excluded since")]
    again = [each.split()[0] for each in names if each.endswith("stands again since")]
    assert (marked, again) == (["Owl"], ["Drozd"])


def test_a_board_says_who_stands_again_since_its_run(world):
    apart = entry(world.run, "Heron", state="excluded", reason="Late papers")
    team = exclude(world.contest, apart.participant)
    before = texts_of(Client().get(world.address), ".apart tbody th")

    Team.objects.filter(pk=team.pk).update(excluded_at=None, excluded_because="")

    after = Client().get(world.address)
    assert ("Heron" in before, "Heron stands again since" in before) == (True, False)
    assert "Heron stands again since" in texts_of(after, ".apart tbody th")
    assert (
        "Neither annulled nor excluded any more since this score run: Drozd, Heron. "
        "Here they stand as it counted them."
    ) in texts_of(after, ".notice span")


def test_beside_a_board_the_figures_of_this_moment_have_no_ranks_and_call_things_by_their_names(
    world, log_in
):
    essay = EssayFactory(essay_set=world.essay_set)
    owl, lynx = world.owl.participant, world.lynx.participant
    score(
        submitted(essay, HIT),
        *(submitted(essay, HIT, author=who, source="algorithm") for who in (owl, lynx)),
    )
    exclude(world.contest, owl)
    browser = log_in(PersonFactory(role="judge"))

    page = browser.get("/scores/")

    live = page_of(page).one("details.moment")
    assert [each.text for each in live.find("thead th")] == [
        "Participant",
        "Essays",
        "STAR",
        "OTAR",
    ]
    assert [each.text for each in live.find("li")] == [f"{owl} – Excluded: Late papers"]
    at = "Computed from the markups there are now. Ranks are given by the board alone: score run"
    assert at in live.text
    assert "has a place" not in page_of(page).one("main").text
    assert [each["place"] for each in browser.get("/api/scores/").json()[0]["standings"]] == [None]


def test_a_report_says_that_its_solution_was_excluded_after_the_run_of_the_board(world, log_in):
    autumn, world = world.contest, Reported()
    run = run_of(world.essay_set, "applied")
    shown = {"applied": run, "public": run, "published_at": timezone.now()}
    StandingBoard.objects.create(essay_set=world.essay_set, **shown)
    own = entry(run, "Lynx", star=68.104, rank=1, origin="session-7")
    RunEntry.objects.filter(pk=own.pk).update(participant=world.lynx)
    world.compute("session-7")
    browser, address = log_in(world.lynx), world.address("session-7")
    before = browser.get(address), browser.get(world.address("session-7", "json/")).json()

    exclude(autumn, world.lynx)

    words = f"Set apart after score run {run.pk}, which counted it still. Excluded: Late papers"
    page, told = browser.get(address), browser.get(world.address("session-7", "json/")).json()
    assert words not in texts_of(before[0], ".notice span")
    assert words in texts_of(page, ".notice span")
    assert texts_of(page, ".figures dd")[1].startswith("1 of 1")
    assert before[1]["set_apart"] is None
    assert told["set_apart"] == {"state": "excluded", "words": words, "after_run": run.pk}
    lines = browser.get(world.address("session-7", "csv/")).content.decode()
    assert f"set_apart,,after_run,,{run.pk}" in lines


def test_on_a_board_everybody_is_brought_back_to_whoever_is_out_since_has_no_rank(world, log_in):
    contest, reported = world.contest, Reported()
    first, second = (run_of(reported.essay_set, "applied") for _ in range(2))
    own = entry(first, "Lynx", star=70.0, rank=1, origin="session-7")
    RunEntry.objects.filter(pk=own.pk).update(participant=reported.lynx)
    entry(first, "Wren", star=60.0, rank=2)
    for run in (first, second):
        PublishedRun.objects.create(run=run)
    shown = {"public": second, "published_at": timezone.now()}
    StandingBoard.objects.create(essay_set=reported.essay_set, applied=second, **shown)
    reported.compute("session-7")
    exclude(contest, reported.lynx)
    address = f"/boards/{reported.essay_set.pk}/"
    told = "Excluded since this score run was ordered: The Lynx."

    def seen():
        asked = f"?run={first.pk}"
        page = Client().get(address + asked)
        json = Client().get(f"{address}json/{asked}").json()
        lines = Client().get(f"{address}csv/{asked}").content.decode().removeprefix("\ufeff")
        table = [each["rank"] for each in csv.DictReader(io.StringIO(lines))]
        ranks = texts_of(page, ".ranks .rank"), [each["rank"] for each in json["rows"]], table
        return ranks, texts_of(page, ".notice span")[-1], "best entry" in texts_of(page, "main")[0]

    before = seen()
    judge = PersonFactory(role="judge")
    give_verdict(run=second, kind=RunVerdict.Kind.RETURNED, reason="Wrong", actor=judge)
    after = seen()

    assert before == (
        (["1", "2"], [1, 2], ["1", "2"]),
        f"{told} Here they stand as it counted them.",
        True,
    )
    words = "Here they have no rank any more; all others keep those it gave them."
    assert after == ((["–", "2"], [None, 2], ["", "2"]), f"{told} {words}", False)
    report = log_in(reported.lynx).get(reported.address("session-7", "json/")).json()
    assert (report["board"], report["no_rank"]["reason"]) == (None, "excluded")
    words = f"Set apart after score run {first.pk}, which counted it still. Excluded: Late papers"
    assert report["no_rank"]["words"] == words


def test_a_board_asks_nothing_of_those_who_were_excluded_before_its_run_and_are_still(world):
    essay_set = EssaySetFactory(published_at=timezone.now())
    run = run_of(essay_set, "applied")
    known = [entry(run, f"Early {n}", state="excluded", reason="x") for n in range(3)]
    teams = [exclude(world.contest, each.participant) for each in known]

    assert entries_in_doubt([run]) == []

    Team.objects.filter(pk=teams[1].pk).update(excluded_at=None, excluded_because="")
    assert [each.entry for each in entries_in_doubt([run])] == [known[1].pk]
    later = run_of(essay_set, "ready")
    again = RunEntry.objects.create(run=later, participant=known[2].participant, state="ranked")
    doubts = entries_in_doubt([run, later])
    assert [each.entry for each in doubts] == [known[1].pk, again.pk]
