"""What participants see of a contest's sets: the final one with its approved results (R 7.10)."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import AuditEntry
from annotator.models import EssaySet
from annotator.services.set_acts import describe_set, publish
from contest.models import Contest
from contest.services.contests import make_contest
from contest.services.data_sets import add_data_set
from tests.contest.running_world import DAY, VALUES, announced, over, person, prepared, team_in
from tests.contest.test_phase_protocols import COURSE, applied, say
from tests.factories import EssayFactory, EssaySetFactory, submitted
from tests.pages import page_of
from web.refusals import Refused

pytestmark = pytest.mark.django_db
SETS = {"training": "open", "test": "closed", "final": "final"}


@pytest.fixture
def contest():
    """The finals are over, their essays are marked, a score run counts."""
    made = announced(live=False)
    team_in(made, "Lynx")
    over(made, "finals")
    for essay in final_set(made).essays.all():
        submitted(essay)
    applied(made)
    return made


def final_set(contest):
    return EssaySet.objects.get(data_set__contest=contest, data_set__role="final")


def read_by(person, essay):
    """What somebody gets of an essay and of an expert's markup of it, by page and by API."""
    browser = Client()
    if person is not None:
        browser.force_login(person)
    markup = essay.markups.get()
    paths = (f"/essays/{essay.pk}/", f"/markups/{markup.pk}/", f"/api/essays/{essay.pk}/")
    return [browser.get(path).status_code for path in paths]


def test_the_approval_of_the_finals_opens_the_experts_markups_to_participants(contest):
    essay = final_set(contest).essays.first()
    readers = {
        "the team": contest.teams.get().account,
        "of no contest": person("participant"),
        "another expert": person("expert"),
        "nobody": None,
    }

    def seen():
        return {name: read_by(each, essay) for name, each in readers.items()}

    hidden = {"another expert": [404, 404, 404], "nobody": [302, 302, 401]}
    told = []
    for kind, role in COURSE:
        told.append(seen())
        say(contest, kind, role, of="finals")

    closed = {name: [404, 404, 404] for name in ("the team", "of no contest")}
    assert told == [closed | hidden] * 3
    assert seen() == {name: [200, 200, 200] for name in closed} | hidden
    opened = final_set(contest)
    assert opened.published_at <= timezone.now()
    entry = AuditEntry.objects.get(action="set.published")
    assert (entry.actor.role, entry.object_id) == ("organiser", str(opened.pk))
    news = contest.announcements.get(kind="results")
    assert "clause 7.10" in news.body_en
    assert "п. 7.10" in news.body_ru
    browser = Client()
    browser.force_login(readers["the team"])
    assert essay.number in page_of(browser.get("/training/")).one("main").text


def test_a_publication_that_was_to_come_later_comes_with_the_results(contest):
    EssaySet.objects.filter(pk=final_set(contest).pk).update(published_at=timezone.now() + 9 * DAY)

    for kind, role in COURSE:
        say(contest, kind, role, of="finals")

    assert final_set(contest).published_at <= timezone.now()


@pytest.mark.parametrize("at", [None, timezone.now() + DAY])
def test_no_other_act_opens_them_before(contest, log_in, at):
    held, coordinator = final_set(contest), person("coordinator")
    desk = log_in(coordinator)

    with pytest.raises(Refused, match=f"Clause 7.10 of the regulation: “{held}” is the final set"):
        publish(essay_set=held, at=at, seen=held.revision, actor=coordinator)
    page = page_of(desk.get(f"/sets/{held.pk}/"))

    assert final_set(contest).published_at is None
    assert "Publish…" not in page.text
    assert "once organisers approve the results of the finals (clause 7.10)" in page.text


@pytest.mark.parametrize(("role", "own"), SETS.items())
def test_the_access_of_its_sets_stays_until_the_results_are_final(contest, role, own):
    coordinator = person("coordinator")
    held = EssaySet.objects.get(data_set__contest=contest, data_set__role=role)
    EssaySet.objects.update(state=EssaySet.State.PREPARING)  # what was read becomes no final set
    others = [each for each in SETS.values() if each != own]

    def given(access):
        held.refresh_from_db()
        values = {"access": access}
        return describe_set(essay_set=held, seen=held.revision, actor=coordinator, values=values)

    for access in others:
        with pytest.raises(Refused, match=r"Clauses 2\.6 to 2\.8 .* belongs to the contest"):
            given(access)
    Contest.objects.update(final_at=timezone.now())

    assert [given(each) for each in others] == [True, True]


def test_a_set_that_is_published_is_no_final_set():
    contest = make_contest(values={**VALUES, "slug": "late"}, actor=person("organiser"))
    held = EssaySetFactory(access="final", published_at=timezone.now() + DAY)
    EssayFactory(essay_set=held)

    with pytest.raises(Refused, match=r"Clause 2\.8 .* is published, or will be"):
        add_data_set(contest=contest, role="final", essay_set=held, actor=contest.made_by)

    assert not contest.data_sets.exists()


def test_a_set_outside_contests_is_published_by_its_coordinator(log_in):
    held = EssaySetFactory(access="final")
    desk = log_in(person("coordinator"))

    shown = page_of(desk.get(f"/sets/{held.pk}/")).text
    desk.post(f"/sets/{held.pk}/publish/", {"seen": held.revision, "at": ""})

    assert "Publish…" in shown
    assert EssaySet.objects.get(pk=held.pk).published_at <= timezone.now()


def test_a_contest_that_is_not_announced_keeps_its_sets_too():
    contest = prepared()
    held = EssaySet.objects.get(data_set__contest=contest, data_set__role="test")

    with pytest.raises(Refused, match=r"Clauses 2\.6 to 2\.8"):
        describe_set(
            essay_set=held, seen=held.revision, actor=contest.made_by, values={"access": "open"}
        )
