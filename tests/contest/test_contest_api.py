"""Contests for programs: the announced ones, their dates, parameters and boards, as described."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.contest.contests import board_of, contest_of, data_set, days, parameters, running
from tests.factories import PersonFactory, RuleSetFactory
from tests.test_api_described import check

pytestmark = pytest.mark.django_db
ADDRESS = "/api/contests/"


@pytest.fixture
def reader(log_in):
    """A participant of no contest."""
    return log_in(PersonFactory(role="participant"))


@pytest.fixture
def described(log_in):
    return log_in(PersonFactory(role="judge")).get("/api/schema/?format=json").json()


def test_a_program_lists_the_announced_contests_and_what_comes_next(reader, described):
    autumn = running(zone="Asia/Omsk")
    final = running("spring", final_at=days(-1))
    contest_of("quiet", announced=False)

    answer = reader.get(ADDRESS, headers={"accept-language": "en"})

    check(described, ADDRESS, "get", answer)
    first, second = answer.json()["results"]
    told = ("slug", "name", "scheme", "zone", "step", "is_waiting")
    assert [first[name] for name in told] == [
        *("autumn", "Contest autumn", "", "Asia/Omsk", "qualification", False),
    ]
    phase = autumn.phases.get(kind="qualification")
    ends = phase.ends_at.isoformat().replace("+00:00", "Z")
    assert (first["next"]["step"], first["next"]["begins"]) == ("qualification", False)
    assert utc(first["next"]["at"]) == utc(ends)
    assert (second["slug"], second["step"], second["next"]) == (final.slug, "results", None)


def utc(said):
    return datetime.fromisoformat(said)


def test_a_program_reads_schedule_parameters_and_boards_of_a_contest(reader, described):
    contest = running()
    rules = RuleSetFactory(hardness=0.5, w1=2)
    parameters(contest, 1)
    parameters(contest, 2, since=-3, rules=rules, session={"limit": 45}, star_to_qualify=60)
    board_of(data_set(contest, "final", name="Finals 1").essay_set, "Ant", "Bee")

    answer = reader.get(f"{ADDRESS}autumn/")

    check(described, "/api/contests/{slug}/", "get", answer)
    found = answer.json()
    assert [(each["step"], each["turn"]) for each in found["schedule"]] == [
        ("announced", "past"),
        ("applications", "past"),
        ("qualification", "now"),
        ("finals", "ahead"),
        ("marking", "ahead"),
        ("results", "ahead"),
    ]
    said = found["parameters"]
    assert (said["version"], said["hardness"], said["weights"][0], said["limit"]) == (2, 0.5, 2, 45)
    assert (said["interval"], said["share"], said["star_to_qualify"]) == (60, 0.05, 60)
    (board,) = found["boards"]
    assert (board["kind"], board["essay_set"]) == ("final", "Finals 1")
    stranger = Client()
    assert stranger.get(board["page"]).status_code == 200
    assert len(stranger.get(board["json"]).json()["rows"]) == 2


def test_a_contest_without_parameters_and_boards_is_told_as_it_is(reader, described):
    contest_of("bare", scheme="qac", live=False)

    answer = reader.get(f"{ADDRESS}bare/")

    check(described, "/api/contests/{slug}/", "get", answer)
    found = answer.json()
    assert (found["parameters"], found["boards"], found["scheme"]) == (None, [], "qac")


def test_what_is_withheld_and_what_is_not_announced_is_told_to_nobody(reader, log_in):
    contest = running()
    board_of(data_set(contest, "test").essay_set, "Ant")
    contest_of("quiet", announced=False)

    assert reader.get(f"{ADDRESS}autumn/").json()["boards"] == []
    for each in (reader, log_in(PersonFactory(role="organiser"))):
        assert each.get(f"{ADDRESS}quiet/").status_code == 404
        assert each.get(f"{ADDRESS}nowhere/").status_code == 404


def test_strangers_are_asked_for_a_key_and_nothing_is_written(reader):
    running()

    for address in (ADDRESS, f"{ADDRESS}autumn/"):
        assert Client().get(address).status_code == 401
        assert reader.post(address, {}).status_code == 405
    assert reader.get(f"{ADDRESS}?order=name").status_code == 400


def test_many_contests_versions_and_boards_cost_what_one_does(reader):
    contest = running()
    parameters(contest, 1)
    board_of(data_set(contest, "final").essay_set, "Ant")

    def queries(address):
        with CaptureQueriesContext(connection) as seen:
            assert reader.get(address).status_code == 200
        return len(seen)

    queries(ADDRESS)
    before = [queries(ADDRESS), queries(f"{ADDRESS}autumn/")]
    for each in range(8):
        running(f"c{each}")
        parameters(contest, each + 2)
        board_of(data_set(contest, "training").essay_set, "Ant")

    assert [queries(ADDRESS), queries(f"{ADDRESS}autumn/")] == before
