"""Organisers annul a session after its phase is approved: its places stay (R 8.2.5, 9.5)."""

from __future__ import annotations

import pytest
from django.db.models.functions import Now

from contest.models import ExchangeSession
from tests.contest import markup_world
from tests.contest.running_world import announced, person, team_in
from tests.contest.team_world import a_session
from tests.pages import page_of

pytestmark = pytest.mark.django_db
WHY = {"reason": "Marked by hand", "protocol": "No. 5"}
STAYS = (
    "The results of the phase are approved: places on its board stay as the protocol has them "
    "(clause 8.2.5 of the regulation)."
)
STAY_ALL_THE_SAME = "the places the approved protocol has stay. The team reads why."


@pytest.fixture
def contest():
    return announced()


def session_in(contest, role):
    """A session of the one team over an essay of a set of its contest."""
    team = contest.teams.first() or team_in(contest)
    session = a_session(team, size=1, pool=ExchangeSession.Pool.TEST)
    essay = contest.data_sets.get(role=role).essay_set.essays.get()
    session.files.create(position=1, name=essay.number, essay=essay)
    return session


def asked_of(session, browser):
    return words_of(browser.get(f"/contests/spring/manage/solutions/{session.pk}/annul/"))


def words_of(page):
    return [each.text for each in page_of(page).find("main .panel p")]


def test_who_annuls_a_session_of_an_approved_phase_reads_that_its_places_stay(contest, log_in):
    browser = log_in(person("organiser"))
    tried, trained = (session_in(contest, role) for role in ("test", "training"))
    before = [asked_of(each, browser) for each in (tried, trained)]

    contest.phases.filter(kind="qualification").update(closed_at=Now())

    assert "stand apart on the boards, without a rank" in before[0][0]
    assert asked_of(trained, browser) == before[1]
    assert asked_of(tried, browser) == [
        STAYS,
        (
            f"The board tells that session {tried.pk} of the team “Lynx” was annulled since; the "
            "team reads why. It is taken back as long as the results of the contest are not final."
        ),
    ]


@pytest.mark.usefixtures("contest")
def test_whoever_looks_for_a_solution_to_annul_reads_so_before(log_in):
    page = page_of(log_in(person("organiser")).get("/contests/spring/manage/solutions/"))

    told = "Once the results of a phase are approved its places stay, and it is told beside them."
    assert told in page.one("main .page-head p").text


def test_who_takes_such_an_annulment_back_reads_the_same(contest, log_in):
    browser, session = log_in(person("organiser")), session_in(contest, "test")
    session.annulments.create(who=person("organiser"), **WHY)
    before = asked_of(session, browser)

    contest.phases.filter(kind="qualification").update(closed_at=Now())

    told = f"Session {session.pk} of the team “Lynx” "
    assert (before, asked_of(session, browser)) == (
        [f"{told}counts again. The team reads why."],
        [f"{told}is annulled no more; {STAY_ALL_THE_SAME}"],
    )


def test_of_uploaded_markups_of_an_approved_phase_the_same_is_read(log_in):
    contest = markup_world.markups_contest()
    team = markup_world.team_of(contest)
    upload = markup_world.sent_by(team, markup_world.zipped(contest, "А.грамм", "А.лекс"))
    markup_world.work_off()
    address = f"/contests/{contest.slug}/manage/uploads/{upload.pk}/annul/"
    browser = log_in(person("organiser"))
    contest.phases.update(closed_at=Now())

    before = words_of(browser.get(address))
    browser.post(address, WHY)
    after = words_of(browser.get(address))

    assert before == [
        STAYS,
        (
            "With “markups.zip” all markups that the team “Lynx” uploaded in this phase are "
            "annulled, and the board tells that they were since; the team reads why. It is taken "
            "back as long as the results of the contest are not final."
        ),
    ]
    told = "The upload “markups.zip” of the team “Lynx” is annulled no more; "
    assert after == [f"{told}{STAY_ALL_THE_SAME}"]
