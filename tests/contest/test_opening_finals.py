"""From when on a final is opened, and what becomes of a session that is ended before its start."""

from __future__ import annotations

import json

import pytest
from django.db import IntegrityError, transaction
from django.test import Client as Browser

from accounts.services.tokens import issue_token
from contest.core.moments import at, moment_of
from contest.models import DataSet, ExchangeSession
from contest.pages.logs import log_of
from contest.pages.standing import standing_of
from contest.queries.sessions import finals_planned
from contest.queries.solutions import field_of_set
from contest.services.sessions.ending import abort, stop
from contest.services.sessions.finals import cancel_final
from contest.services.sessions.opening import AHEAD, open_session
from contest.services.sessions.refusals import SessionRefused
from contest.services.sessions.settling import settle_due
from jobs.models import Job
from razbor.commands.session import judged_log
from tests.contest.team_world import a_contest
from tests.contest.world import SECOND, Client, Door, Mode, final_at, marked_set, team, wish

pytestmark = pytest.mark.django_db

START = 1_800_000_000 * SECOND


@pytest.fixture
def person():
    return team()


@pytest.fixture
def final(person):
    return final_at(START, person, essays=4)


def opened(person, after, **fields):
    """A session of the final, opened so many seconds after its start."""
    return Client(person, mode=Mode.FINAL, moment=START + after * SECOND, **fields)


def refusal(person, after):
    with pytest.raises(SessionRefused) as caught:
        opened(person, after)
    return caught.value


def test_a_final_is_not_opened_a_day_early_and_keeps_nobody_from_other_sessions(person, final):
    found = refusal(person, -86_400)

    assert (found.code, found.status) == ("too-early", 409)
    assert str(found) == (
        f"“{final}” starts at 15 Jan 2027, 11:00 (MSK). "
        "Its session can be opened from 15 Jan 2027, 10:50 (MSK) on: come back then."
    )
    marked_set(2)
    assert Client(person).is_new


def test_the_number_of_a_final_of_other_teams_is_as_good_as_none(person):
    stranger, of_nobody = team(), final_at(START + SECOND, team())
    final = final_at(START, person)
    contest = a_contest()
    DataSet.objects.create(contest=contest, role="final", essay_set=final.essay_set)

    def code(number):
        with pytest.raises(SessionRefused) as caught:
            Client(stranger, mode=Mode.FINAL, moment=START, final=number)
        return caught.value.code

    assert code(of_nobody.pk) == "not-admitted"
    assert code(final.pk) == code(9999) == "no-final"


@pytest.mark.usefixtures("final")
def test_ten_minutes_before_the_start_it_is_opened_and_waits(person):
    early = -AHEAD // SECOND

    assert refusal(person, early - 1).code == "too-early"
    assert opened(person, early).row.state == "waiting"


@pytest.mark.usefixtures("final")
def test_what_is_ended_before_the_start_is_opened_again_under_another_number(person, tmp_path):
    first = opened(person, -300)
    ended = abort(session_id=first.session.pk, moment=first.moment(10))
    second = opened(person, -200)

    assert (ended.state, ended.withdrawn) == ("aborted", True)
    assert standing_of(ended, first.moment(10))["withdrawn"] is True
    assert second.session.pk != first.session.pk
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log_of(first.row, first.moment(1000))), encoding="utf-8")
    judged = judged_log(str(path))["session"]
    assert (judged["state"], second.row.state) == ("aborted", "waiting")
    assert finals_planned().get().opened == 1


@pytest.mark.parametrize("kind", ["final", "rehearsal"])
def test_a_session_of_a_rehearsal_says_so_to_programs_and_in_its_log(person, final, kind):
    final.kind = kind
    final.save()
    session = opened(person, 0).row
    moment, key = moment_of(session.opened_at), issue_token(user=person, name="program")
    program = Browser(headers={"Authorization": f"Token {key}"})

    listed = program.get("/api/exchange/sessions/").json()["results"]

    told = [listed[0], standing_of(session, moment), log_of(session, moment)]
    assert [each["rehearsal"] for each in told] == [kind == "rehearsal"] * 3


def opened_by_key(person, after, number=None):
    wished = {"participant": person, "wish": wish(Mode.FINAL, final=number), "door": Door.REST}
    return open_session(**wished, moment=START + after * SECOND, key="the final")


@pytest.mark.usefixtures("final")
def test_the_key_of_a_withdrawn_session_opens_the_final_again(person):
    first, _is_new = opened_by_key(person, -300)
    abort(session_id=first.pk, moment=START - 200 * SECOND)

    second, is_new = opened_by_key(person, -100)

    assert (second.pk != first.pk, is_new, second.state) == (True, True, "waiting")
    assert opened_by_key(person, -50) == (second, False)


def test_the_key_of_one_final_opens_no_other_and_none_that_took_its_place(person, final):
    other = final_at(START + 100 * SECOND, person)
    session, _is_new = opened_by_key(person, 0)
    assert opened_by_key(person, 1, final.pk) == (session, False)

    with pytest.raises(SessionRefused) as of_another:
        opened_by_key(person, 2, other.pk)
    cancel_final(final=final, reason="A cut", actor=None, moment=START + 3 * SECOND)
    with pytest.raises(SessionRefused) as of_the_next:
        opened_by_key(person, 4)

    assert (of_another.value.code, of_the_next.value.code) == ("used-otherwise", "used-otherwise")
    assert opened_by_key(person, 5, final.pk)[0] == session


def test_the_key_of_a_run_that_is_over_is_refused_once_the_next_can_be_opened(person):
    first = final_at(START - 3600 * SECOND, person)
    final_at(START, person)
    session, _is_new = opened_by_key(person, -3600)
    settle_due(moment=START - 1800 * SECOND)
    assert opened_by_key(person, -1800) == (session, False)

    with pytest.raises(SessionRefused) as caught:
        opened_by_key(person, -60)

    assert caught.value.code == "used-otherwise"
    assert opened_by_key(person, -60, first.pk) == (session, False)
    assert opened(person, -60).is_new
    settle_due(moment=START + 3600 * SECOND)
    assert opened_by_key(person, 3600) == (session, False)


@pytest.mark.usefixtures("final")
def test_after_the_start_it_is_opened_within_the_window_though_one_was_withdrawn(person):
    first = opened(person, -300)
    abort(session_id=first.session.pk, moment=START - 1)

    assert opened(person, 120).row.state == "open"


@pytest.mark.usefixtures("final")
def test_at_its_start_a_final_has_begun_and_is_forfeited_by_ending_it(person):
    client = opened(person, -300)
    ended = abort(session_id=client.session.pk, moment=START)

    assert (ended.withdrawn, refusal(person, 1).code) == (False, "ended")


@pytest.mark.usefixtures("final")
def test_what_organisers_stop_is_not_withdrawn(person):
    client = opened(person, -300)
    stop(session_id=client.session.pk, reason="x", actor=None, moment=client.moment(1))

    assert (client.row.withdrawn, refusal(person, 0).code) == (False, "ended")


def test_a_withdrawn_session_is_no_solution_and_brings_no_markups(person, final):
    first = opened(person, -300)
    abort(session_id=first.session.pk, moment=first.moment(1))
    second = opened(person, -200)
    settle_due(moment=START + 1000 * SECOND)

    field = field_of_set(final.essay_set_id)
    assert [each.origin for each in field.solutions] == [second.session.origin]
    assert not Job.objects.filter(kind="contest.keep_answers").exists()


@pytest.mark.usefixtures("final")
def test_another_session_is_never_withdrawn_and_one_a_final_stands(person):
    marked_set(2)
    training = Client(person)
    assert not abort(session_id=training.session.pk, moment=training.moment(1)).withdrawn
    sessions = ExchangeSession.objects.filter(pk=training.session.pk)
    with pytest.raises(IntegrityError), transaction.atomic():
        sessions.update(withdrawn=True)
    client = opened(person, -10)
    twin = ExchangeSession.objects.get(pk=client.session.pk)
    twin.pk, twin.state, twin.closed_at = None, "finished", at(START)
    with pytest.raises(IntegrityError), transaction.atomic():
        twin.save(force_insert=True)


def test_a_final_that_may_be_opened_at_any_time_is_not_once_nothing_can_come_of_it(person):
    final = final_at(START, person, essays=4, window=None)

    assert refusal(person, 4 * 60 + 1).code == "too-late"
    assert not ExchangeSession.objects.exists()
    client = opened(person, 4 * 60 - 1)
    assert (client.session.final, client.next(0).slot.position) == (final, 4)
