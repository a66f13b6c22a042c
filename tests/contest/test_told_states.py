"""What pages of contests say of states that look alike: final and open, excluded and standing."""

from __future__ import annotations

import pytest

from contest.core.schedule import Step, Turn
from contest.models import Contest
from contest.pages.lines import line_of
from contest.services.parameters import give_consent, propose_parameters
from tests.contest.running_world import announced, now, over, person, team_in, wanted
from tests.pages import page_of

pytestmark = pytest.mark.django_db


def test_experts_are_done_once_the_results_are_final():
    contest = announced()
    over(contest, "finals")
    Contest.objects.update(final_at=now())

    line = line_of(Contest.objects.all(), "spring")

    turns = {each.stretch.step: each.turn for each in line.steps}
    assert (turns[Step.MARKING], turns[Step.RESULTS]) == (Turn.PAST, Turn.NOW)


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
