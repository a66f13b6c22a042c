"""What pages of contests say of states that look alike: final and open, excluded and standing."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotator.models import MarkupRecord
from contest.core.phase_course import results_due
from contest.core.schedule import Step, Turn
from contest.models import Contest
from contest.pages.lines import line_of
from contest.services.parameters import give_consent, propose_parameters
from review.services.due import work_calendar
from tests.contest.phases import applied
from tests.contest.running_world import DAY, announced, now, over, person, team_in, wanted
from tests.factories import AssignmentFactory, EssayFactory
from tests.pages import page_of
from tests.review.verdicts import settled_set

pytestmark = pytest.mark.django_db


def test_experts_are_done_once_the_results_are_final():
    contest = announced()
    over(contest, "finals")
    Contest.objects.update(final_at=now())

    line = line_of(Contest.objects.all(), "spring")

    turns = {each.stretch.step: each.turn for each in line.steps}
    assert (turns[Step.MARKING], turns[Step.RESULTS]) == (Turn.PAST, Turn.NOW)


def marked_finals(days_ago):
    """The finals ended so many days ago, and experts have checked all their essays."""
    contest = announced()
    over(contest, "qualification")
    Contest.objects.update(applications_from=now() - 2 * DAY, applications_until=now() - DAY)
    ends = now() - days_ago * DAY
    contest.phases.filter(kind="finals").update(starts_at=ends - DAY, ends_at=ends)
    contest.data_sets.filter(role="final").update(essay_set=settled_set())
    return contest, ends


def told_of(contest):
    line = line_of(Contest.objects.all(), contest.slug)
    return line, {each.stretch.step: each.turn for each in line.steps}


def test_experts_are_done_once_their_checks_are_settled_and_results_are_due_after_them():
    contest, ends = marked_finals(4)
    MarkupRecord.objects.update(submitted_at=ends + DAY)

    line, turns = told_of(contest)

    assert (turns[Step.MARKING], turns[Step.RESULTS]) == (Turn.PAST, Turn.NOW)
    assert (str(line.what), line.late_since) == ("Results are being drawn up", None)
    due = results_due(work_calendar(2020, 2030), ends + DAY, ZoneInfo(contest.zone)).at
    assert (line.change.step, line.change.at) == (Step.RESULTS, due)


def test_experts_who_are_not_done_after_fifteen_working_days_are_told_as_late(client):
    contest, _ends = marked_finals(60)
    essay = contest.data_sets.get(role="final").essay_set.essays.first()
    AssignmentFactory(essay=essay, role="third")

    line, turns = told_of(contest)

    assert (turns[Step.MARKING], str(line.what)) == (Turn.NOW, "Experts mark")
    assert line.late_since < now()
    for address in ("/contests/", "/contests/spring/"):
        assert "late: it was due" in client.get(address).content.decode()


def test_results_that_nobody_has_approved_in_time_are_told_as_late():
    contest, ends = marked_finals(60)
    MarkupRecord.objects.update(submitted_at=ends + DAY)

    line, _turns = told_of(contest)

    assert (str(line.what), line.late_since < now()) == ("Results are being drawn up", True)


def test_a_list_of_contests_asks_of_checks_once_however_many_are_marked(client):
    counts = []
    for slug in ("spring", "summer", "winter"):
        over(announced(slug), "finals")
        with CaptureQueriesContext(connection) as asked:
            client.get("/contests/")
        counts.append(len(asked))

    assert counts[1:] == counts[:1] * 2


def test_the_finals_wait_for_judges_once_a_run_counts_and_all_checks_are_in(log_in):
    contest = announced()
    over(contest, "finals")
    team_in(contest, "Lynx")
    browser, line = log_in(person("judge")), "Results of the finals of “The contest”"
    waiting = [line in browser.get("/verdicts/").content.decode()]
    run = applied(contest)
    check = AssignmentFactory(essay=EssayFactory(essay_set=run.essay_set), role="third")
    waiting.append(line in browser.get("/verdicts/").content.decode())
    type(check).objects.update(state="submitted")

    waiting.append(line in browser.get("/verdicts/").content.decode())

    assert waiting == [False, False, True]


def test_nobody_is_asked_to_log_in_where_all_is_over(client):
    announced()
    Contest.objects.update(final_at=now())

    assert "Log in" not in page_of(client.get("/contests/spring/")).one("aside.now").text


def test_an_unknown_figure_is_not_called_a_failure(client):
    team = team_in(announced(), admitted=False)
    client.force_login(team.account)

    page = page_of(client.get("/contests/spring/team/"))

    unknown = [each.text for each in page.find("main .told .badge")]
    assert unknown.count("not known yet") == 2


def test_scoring_systems_are_chosen_by_their_names(client):
    client.force_login(person("organiser"))

    page = page_of(client.get("/contests/new/"))

    offered = [each.text for each in page.find("select[name=scheme] option")]
    assert "coscore" not in offered
    assert "CoScore" in " ".join(offered)


def test_a_consent_and_who_gave_it_stand_apart(client):
    contest = announced()
    asked = wanted(limit=90)
    made = propose_parameters(contest=contest, wanted=asked, actor=contest.made_by)
    judge = person("judge", full_name="Vera")
    give_consent(parameters=made, agrees=True, reason="", actor=judge)
    client.force_login(judge)

    page = page_of(client.get("/contests/spring/parameters/"))

    assert "agree (Vera, " in page.one("main").text
