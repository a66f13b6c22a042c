"""Boards of a contest: by the names of teams, and of a test set only where the contest shows it."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from contest.models import Contest
from scoring.models import PublishedRun, RunEntry, RunVerdict, StandingBoard
from scoring.services.run_acts import give_verdict
from tests.contest.contests import board_of, data_set, running, team_of
from tests.factories import PersonFactory
from tests.pages import page_of

pytestmark = pytest.mark.django_db

BOARD = "/contests/autumn/board/"
STAFF = ("coordinator", "organiser", "judge", "commission", "administrator")


@pytest.fixture
def autumn():
    return running()


def names_on(answer):
    return [each.text for each in page_of(answer).find(".ranks tbody th")]


def names_for(client, address=BOARD):
    answer = client.get(address)
    return names_on(answer) if answer.status_code == 200 else answer.status_code


@pytest.mark.parametrize("role", [None, *User.Role.values])
def test_a_board_names_teams_never_logins(autumn, role, log_in):
    team = team_of(autumn, "Lynx")
    User.objects.filter(pk=team.account_id).update(full_name="", username="secret-login")
    run = board_of(data_set(autumn, "final").essay_set, "x", "")
    RunEntry.objects.filter(run=run, rank=1).update(participant=team.account_id)
    client = log_in(PersonFactory(role=role)) if role else Client()

    answer = client.get(BOARD, headers={"accept-language": "en"})

    assert names_on(answer) == ["Lynx", "Participant without a name"]
    assert "login-" not in answer.content.decode().replace("/login/", "")


@pytest.mark.parametrize("role", [None, *User.Role.values])
def test_so_does_a_board_by_its_own_address_and_so_do_its_files(autumn, role, log_in):
    team = team_of(autumn, "Lynx")
    User.objects.filter(pk=team.account_id).update(full_name="Ivan", username="secret-login")
    held = data_set(autumn, "final").essay_set
    run = board_of(held, "Owl", "x")
    RunEntry.objects.filter(run=run, rank=2).update(participant=team.account_id)
    client = log_in(PersonFactory(role=role)) if role else Client()
    address = f"/boards/{held.pk}/"

    rows = client.get(f"{address}json/").json()["rows"]
    table = client.get(f"{address}csv/").content.decode()

    assert [names_for(client, address), [each["name"] for each in rows]] == [["Owl", "Lynx"]] * 2
    assert [each.split(",")[1] for each in table.splitlines()] == ["name", "Owl", "Lynx"]


@pytest.mark.parametrize("shows", [False, True])
def test_the_board_of_a_test_set_is_shown_where_the_contest_says_so(autumn, shows, log_in):
    Contest.objects.update(shows_test_board=shows)
    made = data_set(autumn, "test")
    board_of(made.essay_set, "Lynx")
    inside = [log_in(PersonFactory(role=each)) for each in STAFF]
    outside = [Client(), *(log_in(PersonFactory(role=each)) for each in ("participant", "expert"))]

    def found(client):
        json = client.get(f"/boards/{made.essay_set_id}/json/").status_code
        return names_for(client), names_for(client, f"/boards/{made.essay_set_id}/"), json

    assert [found(each) for each in inside] == [(["Lynx"], ["Lynx"], 200)] * 5
    of_others = (["Lynx"], ["Lynx"], 200) if shows else ([], 404, 404)
    assert [found(each) for each in outside] == [of_others] * 3
    assert shows or "Lynx" not in outside[1].get("/scores/").content.decode()


def test_a_contest_without_a_board_says_so(autumn):
    page = page_of(Client(headers={"accept-language": "en"}).get(BOARD))

    assert "No board is published yet" in page.text
    assert autumn.data_sets.count() == 0


def test_each_set_has_its_board_finals_first(autumn):
    Contest.objects.update(shows_test_board=True)
    final, test = data_set(autumn, "final"), data_set(autumn, "test")
    board_of(final.essay_set, "Of finals")
    board_of(test.essay_set, "Of tests")
    client = Client()

    assert names_for(client) == ["Of finals"]
    assert names_for(client, f"{BOARD}?set={test.pk}") == ["Of tests"]
    assert page_of(client.get("/contests/autumn/")).find('aside a[href="/contests/autumn/board/"]')


def test_the_board_of_another_contest_is_not_read_through_this_one(autumn):
    other = data_set(running("winter"), "final")
    board_of(other.essay_set, "Winter")
    board_of(data_set(autumn, "final").essay_set, "Autumn")

    assert names_for(Client(), f"{BOARD}?set={other.pk}") == 404
    assert names_for(Client(), f"{BOARD}?set=x") == 404


def test_the_front_page_shows_the_first_ranks_of_the_latest_board(autumn):
    teams = [f"Team {number}" for number in range(1, 10)]
    board_of(data_set(autumn, "final").essay_set, *teams)

    page = page_of(Client(headers={"accept-language": "en"}).get("/"))

    assert [each.text for each in page.find(".mini tbody th")] == teams[:6]
    assert "All 9 teams" in page.text
    assert "can be told apart" in page.one(".summing").text


def test_a_hundred_ranks_cost_what_one_does(autumn):
    def asked(slug):
        with CaptureQueriesContext(connection) as found:
            assert Client().get(f"/contests/{slug}/board/").status_code == 200
        return len(found)

    board_of(data_set(autumn, "final").essay_set, "Lynx")
    board_of(data_set(running("winter"), "final").essay_set, *map(str, range(100)))

    assert asked("autumn") == asked("winter")


@pytest.mark.parametrize("shows", [False, True])
def test_who_publishes_the_board_of_a_test_set_is_told_who_will_read_it(autumn, shows, log_in):
    Contest.objects.update(shows_test_board=shows)
    run = board_of(data_set(autumn, "test").essay_set, "Lynx")
    StandingBoard.objects.update(applied=run, public=None, published_at=None)
    for kind in ("checked", "verified"):
        run.verdicts.create(kind=kind, who=PersonFactory(role="judge"))
    organiser = log_in(PersonFactory(role="organiser"))
    address = f"/scores/runs/{run.pk}/"
    withheld = (
        f"Only judges, the commission, organisers and coordinators read this board: in the contest "
        f"“{autumn}” the setting “participants see the board of the qualification” is off."
    )

    def told():
        page = page_of(organiser.get(f"{address}publish/")).one("main form")
        return page.find("p")[-1].text, "Everybody" in page.text

    asked = told()
    StandingBoard.objects.update(public=run, published_at=timezone.now())
    after = page_of(organiser.get(address)).one("section[aria-labelledby=run-public]").text

    assert (asked[0] == withheld, asked[1]) == (not shows, shows)
    assert (withheld in after, "Everybody sees this run" in after) == (not shows, shows)


def test_a_board_of_a_contest_that_was_returned_says_since_when_there_is_none(autumn):
    run = board_of(data_set(autumn, "final").essay_set, "Lynx")
    PublishedRun.objects.create(run=run)
    judge = PersonFactory(role="judge")
    give_verdict(run=run, kind=RunVerdict.Kind.RETURNED, reason="Wrong", actor=judge)
    english = Client(headers={"accept-language": "en"})

    page = page_of(english.get(BOARD))

    assert names_on(english.get(BOARD)) == []
    assert f"was that of score run {run.pk} until" in page.one(".empty").text
    assert page_of(english.get("/contests/autumn/")).find(f"a[href={BOARD}]")
