"""Teams and parameters of contests that another scoring system scores: nothing of essays."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from contest.models import Contest, ParameterSet, Team
from contest.queries.readiness import conclusion_of
from contest.services.parameters import propose_parameters
from contest.services.teams.verdicts import Said, say_of_team, seen_of
from contest.services.uploads.uploading import Sent, send_upload
from tests.contest.data_world import contest_of, taking_uploads
from tests.contest.running_world import DAY, now, person, wanted
from tests.contest.team_world import a_team
from tests.pages import page_of
from tests.schemes.inputs import QAC_RESPONSES, do_all
from web.refusals import Refused

pytestmark = pytest.mark.django_db
QAC = "“QAC: question answering in Japanese”"


@pytest.fixture
def contest():
    return taking_uploads()


def scored(contest, name):
    made = a_team(contest, name)
    sent = Sent("answers.txt", QAC_RESPONSES.encode())
    send_upload(contest=contest, user=made.account, sent=sent)
    do_all()
    return made


def test_a_team_with_a_scored_upload_is_concluded_ready_and_admitted(contest):
    lynx, owl = scored(contest, "Lynx"), a_team(contest, "Owl")

    found = conclusion_of(lynx)
    last = None
    course = (("checked", "judge"), ("verified", "commission"), ("admitted", "organiser"))
    for kind, role in course:
        said = Said(kind, seen_of(found, last and last.pk))
        last = say_of_team(team=lynx, said=said, actor=person(role))

    assert [each.name.value for each in found.conditions] == ["form", "scored"]
    assert (found.is_ready, Team.objects.get(pk=lynx.pk).admitted_at is not None) == (True, True)
    assert (conclusion_of(owl).is_ready, conclusion_of(owl).is_negative) == (False, False)


def test_the_page_of_a_team_tells_its_scored_uploads_and_no_star(contest, log_in):
    lynx = scored(contest, "Lynx")
    address = f"/contests/{contest.slug}/teams/{lynx.pk}/"

    told = page_of(log_in(person("judge")).get(address)).one("main").text

    assert "Uploads of the qualification that got a score (clause 6.3) 1, at least 1 met" in told
    assert "STAR" not in told
    assert log_in(person("participant")).get(address).status_code == 403


def test_a_page_of_teams_costs_the_same_however_many(
    contest, log_in, django_assert_max_num_queries
):
    for number in range(20):
        a_team(contest, f"Team {number}")
    browser = log_in(person("judge"))

    with django_assert_max_num_queries(20):
        answer = browser.get(f"/contests/{contest.slug}/teams/")

    assert answer.status_code == 200


def test_parameters_of_essays_are_refused_by_name_and_not_asked_for(contest, log_in):
    organiser = person("organiser")
    with pytest.raises(Refused) as refused:
        propose_parameters(contest=contest, wanted=wanted(), actor=organiser)
    browser, address = log_in(organiser), f"/contests/{contest.slug}/parameters/"

    page = page_of(browser.get(address)).one("main")

    assert "weights, H, STAR and limits of sessions are no parameters of it" in str(refused.value)
    assert QAC in str(refused.value)
    assert (QAC in page.text, page.find("form")) == (True, [])
    assert not ParameterSet.objects.exists()


def test_no_page_of_it_leads_to_what_only_contests_of_essays_have(contest, log_in):
    organiser, slug = log_in(person("organiser")), contest.slug
    Contest.objects.update(applications_from=now() - DAY, applications_until=now() + DAY)
    run = page_of(organiser.get(f"/contests/{slug}/manage/solutions/"))
    public = page_of(organiser.get(f"/contests/{slug}/"))
    foot = page_of(Client().get(f"/contests/{slug}/")).one("footer")
    asked = page_of(Client().get(f"/contests/{slug}/apply/")).one("main form")

    assert [each.text for each in run.one(".page-head").find(".btn")] == [
        "The contest",
        "Solutions",
    ]
    assert [each.text for each in public.find(".ways a") if each.text == "Parameters"] == []
    assert [each.text for each in foot.find("a")] == [
        *("Home", "Contests", "How to take part", "Data and uploads")
    ]
    assert "arkups" not in foot.text + asked.text


def test_contests_of_essays_lead_there(log_in):
    contest = contest_of(announced_at=timezone.now())
    run = page_of(log_in(person("judge")).get(f"/contests/{contest.slug}/manage/solutions/"))
    foot = page_of(Client().get(f"/contests/{contest.slug}/")).one("footer")

    assert [each.text for each in run.one(".page-head").find(".btn")] == [
        *("The contest", "Parameters", "Finals", "Solutions")
    ]
    assert "Markups of the finals are published under CC BY 4.0 (clause 7.13)." in foot.text
    assert "Rules of markups" in [each.text for each in foot.find("a")]
