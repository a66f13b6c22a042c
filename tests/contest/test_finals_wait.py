"""Results of finals stand among what waits for judges once nothing of them is missing (R 8.1)."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from contest.models import ExchangeSession, Final, Team
from contest.pages.waiting import waiting_for
from contest.services.uploads.uploading import Sent, send_upload
from scoring.models import ScoreRun
from tests.contest.data_world import phase_of, qac, terms_of
from tests.contest.phases import applied, checked_by_two, waits_for_judges
from tests.contest.running_world import DAY, announced, now, over, person, team_in
from tests.contest.team_world import a_session
from tests.contest.test_contest_finals import run as planned
from tests.contest.test_solutions import closed
from tests.factories import RuleSetFactory
from tests.schemes.inputs import QAC_RESPONSES, do_all

pytestmark = pytest.mark.django_db


@pytest.fixture
def contest():
    return held()


def held(slug="spring"):
    """Its finals were held, and nothing of their results is missing."""
    made = announced(slug)
    team = team_in(made, "Lynx")
    final = planned(made, count=3, name=f"Finals of {slug}")
    Final.objects.update(starts_at=now() - 2 * DAY)
    over(made, "finals")
    checked_by_two(final.essay_set)
    session = a_session(team, size=3, mode="final", final=final)
    applied(made).entries.update(origin=session.origin)
    return made


def begun(_contest):
    """A minute is left to open a session of the final."""
    Final.objects.update(starts_at=now())


def ended_later(contest):
    """A session of the final has ended since, which the run has not."""
    final = Final.objects.get()
    other = team_in(contest, "Owl")
    session = closed(other.account, final.essay_set.essays.all(), mode="final", final=final)
    ExchangeSession.objects.filter(pk=session.pk).update(closed_at=now() + DAY)


def counted_by_others(_contest):
    """The run goes by another H than the parameters."""
    ScoreRun.objects.update(rules=RuleSetFactory(hardness=0.5))


@pytest.mark.parametrize("missing", [begun, ended_later, counted_by_others])
def test_finals_wait_for_judges_only_where_these_could_check_them(contest, missing):
    before = waits_for_judges(contest)

    missing(contest)

    assert (before, waits_for_judges(contest)) == (True, False)


def test_the_page_costs_the_same_however_many_finals_are_over(django_assert_num_queries):
    judge = person("judge")
    held("one")
    with CaptureQueriesContext(connection) as asked:
        waiting_for(judge)
    for number in range(2, 11):
        held(f"number-{number}")

    with django_assert_num_queries(len(asked)):
        ten = waiting_for(judge)

    addresses = [each.address for each in ten.lines]
    finals = [f"/contests/{slug}/protocols/finals/" for slug in ("one", "number-10")]
    assert [each in addresses for each in finals] == [True, True]


def test_finals_of_a_scheme_wait_for_judges_once_their_uploads_are_read():
    contest = qac()
    terms_of(phase_of(contest, "finals", -3, 5))
    account = person("participant")
    Team.objects.create(
        contest=contest, name="Lynx", account=account, admitted_at=contest.announced_at
    )
    sent = Sent("answers.txt", QAC_RESPONSES.encode())
    send_upload(contest=contest, user=account, sent=sent)
    over(contest, "finals")
    before = waits_for_judges(contest)

    do_all()

    assert (before, waits_for_judges(contest)) == (False, True)
