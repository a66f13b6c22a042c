"""Whose essays a qualification is given: those of its own contest, never those of a final."""

from __future__ import annotations

import pytest

from accounts.services.tokens import issue_token
from annotator.models import EssaySet
from contest.models import DataSet, ExchangeSession, Team
from contest.services.data_sets import add_data_set
from contest.services.sessions.refusals import SessionRefused
from tests.contest.data_world import contest_of, in_days, phase_of
from tests.contest.world import Client, Pool, marked_set, team
from tests.factories import PersonFactory
from web.refusals import Refused

pytestmark = pytest.mark.django_db


def set_in(contest, role, essays=10, access="closed"):
    held = marked_set(essays, access=access)
    DataSet.objects.create(contest=contest, role=role, essay_set=held)
    return held


def team_in(contest, name="Lynx"):
    return Team.objects.create(contest=contest, name=name, account=team())


def given_to(person, **fields):
    """The sets of the essays a session got."""
    session = Client(person, **fields).session
    return set(EssaySet.objects.filter(essays__session_files__session=session))


def order(client, person, name, kind="test"):
    body = {"mode": "algorithmic", "set": kind, "files": 10, "essay_set": name}
    key = issue_token(user=person, name="program")
    return client.post(
        "/api/exchange/sessions/",
        body,
        content_type="application/json",
        headers={"authorization": f"Token {key}"},
    )


def test_a_final_set_that_two_experts_have_marked_is_in_no_pool(client):
    contest = contest_of()
    lynx, held = team_in(contest), set_in(contest, "final")

    for access, pool in (("closed", Pool.TEST), ("open", Pool.TRAINING)):
        EssaySet.objects.update(access=access)
        for named in ({}, {"essay_set": held}):
            with pytest.raises(SessionRefused, match="essays"):
                Client(lynx.account, pool=pool, **named)

    assert order(client, lynx.account, held.name).status_code == 400
    assert not ExchangeSession.objects.exists()


def test_the_test_set_of_another_contest_is_given_to_nobody_else(client):
    own, other = contest_of(), contest_of()
    lynx, owl = team_in(own), team_in(other)
    mine, theirs = set_in(own, "test"), set_in(other, "test")

    for person in (lynx.account, team()):
        with pytest.raises(SessionRefused):
            Client(person, pool=Pool.TEST, essay_set=theirs)
        answer, unknown = (order(client, person, name) for name in (theirs.name, "nothing"))
        assert (answer.status_code, unknown.status_code) == (400, 400)
        assert answer.content.replace(theirs.name.encode(), b"nothing") == unknown.content

    assert given_to(lynx.account, pool=Pool.TEST) == {mine}
    assert given_to(owl.account, pool=Pool.TEST, essay_set=theirs) == {theirs}
    assert order(client, team_in(own, "Hare").account, mine.name).status_code == 201


def test_training_essays_of_announced_contests_are_for_everybody_and_of_others_for_nobody():
    told, quiet = contest_of(), contest_of(announced_at=None)
    held = set_in(told, "training", access="open")
    set_in(quiet, "training", access="open")

    assert given_to(team()) == {held}
    assert given_to(team(), mode=ExchangeSession.Mode.TECHNICAL) == {held}


def test_sets_of_no_contest_are_for_everybody():
    held = marked_set(10, access="closed")

    assert given_to(team_in(contest_of()).account, pool=Pool.TEST) == {held}


def test_the_test_set_of_a_contest_is_not_mixed_with_sets_of_no_contest():
    contest = contest_of()
    lynx, owl = team_in(contest), team_in(contest, "Owl")
    free, own = marked_set(10, access="closed"), set_in(contest, "test")

    assert given_to(lynx.account, pool=Pool.TEST) == {own}
    assert given_to(owl.account, pool=Pool.TEST, essay_set=free) == {free}
    assert given_to(team(), pool=Pool.TEST) == {free}


@pytest.mark.parametrize(("starts", "ends"), [(1, 9), (-9, -1)])
def test_test_essays_of_a_contest_are_given_while_its_qualification_is_on_alone(
    client, starts, ends
):
    contest = contest_of()
    lynx, held = team_in(contest), set_in(contest, "test")
    phase = phase_of(contest, "qualification", starts, ends)
    free = marked_set(10, access="closed")

    for named in ({}, {"essay_set": held}):
        with pytest.raises(
            SessionRefused, match=r"Clause 2\.7 .*“Contest” are given while"
        ) as told:
            Client(lynx.account, pool=Pool.TEST, **named)
        assert told.value.code == "out-of-phase"
    answer = order(client, lynx.account, held.name)
    assert (answer.status_code, answer.json()["code"]) == (409, "out-of-phase")
    assert not ExchangeSession.objects.exists()
    assert given_to(lynx.account, pool=Pool.TEST, essay_set=free) == {free}
    phase.starts_at, phase.ends_at = in_days(-1), in_days(1)
    phase.save()
    assert given_to(team_in(contest, "Owl").account, pool=Pool.TEST) == {held}


def test_a_set_that_is_being_prepared_is_an_unknown_name(client):
    held = marked_set(10, access="closed", state="preparing")

    answer, unknown = (order(client, team(), name) for name in (held.name, "nothing"))

    assert (answer.status_code, unknown.status_code) == (400, 400)
    assert answer.content.replace(held.name.encode(), b"nothing") == unknown.content


def test_a_set_whose_essays_somebody_had_before_becomes_no_test_set():
    held, fresh = (marked_set(2, "closed") for _ in range(2))
    client = Client(pool=Pool.TEST, essay_set=held)
    wanted = {"contest": contest_of(), "actor": PersonFactory(role="organiser")}

    add_data_set(**wanted, role=DataSet.Role.TEST, essay_set=fresh)
    file = client.next(0).slot
    with pytest.raises(Refused, match=rf"Clause 2\.7 .* essay {file.name} of the set “{held}”"):
        add_data_set(**wanted, role=DataSet.Role.TEST, essay_set=held)

    assert [each.essay_set for each in DataSet.objects.all()] == [fresh]
