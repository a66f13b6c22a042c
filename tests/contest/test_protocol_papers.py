"""The page and the paper of a phase's protocol tell who said what, when and why, in words."""

from __future__ import annotations

import pytest
from django.utils import timezone, translation
from django.utils.formats import date_format

from contest.models import PhaseProtocol, PhaseVerdict
from tests.contest.phases import COURSE, applied, say
from tests.contest.running_world import announced, over, person, team_in
from tests.pages import page_of

pytestmark = pytest.mark.django_db

PEOPLE = {"judge": "Judith Judge", "commission": "Conrad Commission", "organiser": "Olga Organiser"}


@pytest.fixture
def protocol():
    """The qualification: three people said something."""
    contest = announced()
    team_in(contest)
    over(contest, "qualification")
    for kind, role in COURSE:
        actor = person(role, full_name=PEOPLE[role])
        say(contest, kind, "", actor=actor, reason=f"As {role} saw it")
    return PhaseProtocol.objects.get()


def told(language):
    """What stands of each verdict, in this language."""
    found = PhaseVerdict.objects.select_related("who").order_by("pk")
    with translation.override(language):
        return [
            (
                each.get_kind_display().capitalize(),
                each.who.full_name,
                str(each.who.get_role_display()),
                date_format(timezone.localtime(each.at), "SHORT_DATETIME_FORMAT"),
                each.reason,
            )
            for each in found
        ]


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("place", ["", "paper"])
def test_each_verdict_has_its_name_time_and_reason(protocol, log_in, language, place):
    address = "/contests/spring/protocols/qualification/"
    judge = log_in(person("judge"))
    judge.cookies["django_language"] = language

    page = page_of(judge.get(f"{address}{protocol.pk}/" if place else address))

    verdicts, words = told(language), page.one("main").text
    assert [[each in words for each in verdict] for verdict in verdicts] == [[True] * 5] * 3
    assert [each[4] for each in verdicts] == [f"As {role} saw it" for _kind, role in COURSE]
    assert page.one("html")["lang"] == language
    stranger = log_in(person("participant"))
    assert stranger.get(address).status_code == 403


@pytest.mark.parametrize(("language", "word"), [("en", "excluded"), ("ru", "отстранена")])
def test_the_paper_sets_apart_why_a_team_is_excluded(log_in, language, word):
    contest = announced()
    team_in(contest, "Lynx")
    over(contest, "finals")
    why = "Wrote by hand"
    contest.teams.update(excluded_at=timezone.now(), excluded_because=why)
    applied(contest).entries.update(state="excluded", rank=None, reason=why)
    say(contest, "checked", "judge", of="finals")
    number = PhaseProtocol.objects.get().pk

    judge = log_in(person("judge"))
    judge.cookies["django_language"] = language
    page = page_of(judge.get(f"/contests/spring/protocols/finals/{number}/"))

    row = [" ".join(each.text.split()) for each in page.find("article td")][:4]
    star = {"en": "61.23", "ru": "61,23"}[language]
    assert row == ["–", star, "3", f"{word}: Wrote by hand"]


def test_ranks_that_several_share_are_marked_on_paper_as_on_boards(log_in):
    contest = announced()
    teams = [team_in(contest, name) for name in ("Lynx", "Owl", "Hedgehog")]
    over(contest, "finals")
    run = applied(contest)
    for team, (rank, star) in zip(teams[1:], [(1, 61.234567), (3, 50)], strict=True):
        run.entries.create(
            participant=team.account, name="x", state="ranked", rank=rank, star=star, counted=3
        )
    say(contest, "checked", "judge", of="finals")
    protocol = PhaseProtocol.objects.get()

    page = page_of(log_in(person("judge")).get(f"/contests/spring/protocols/finals/{protocol.pk}/"))

    rows = [each.text.split()[:2] for each in page.find(".protocol tbody tr")][:3]
    assert rows == [["1=", "Lynx"], ["1=", "Owl"], ["3", "Hedgehog"]]
    assert "is_tied" not in protocol.content
