"""Organisers annul solutions and exclude teams; boards set them apart (R 9.5, 10.1, 11.6)."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import User
from contest.core.moments import at
from contest.models import Annulment, Contest, ExchangeSession, Team
from contest.queries.solutions import field_of_set
from contest.services.annulling import (
    annul_solution,
    exclude_team,
    lift_annulment,
    take_team_back,
)
from contest.services.sessions.clock import moment_now
from contest.services.sessions.finals import Planned, plan_final
from contest.services.sessions.settling import settle_due
from scoring.core.entries import Annulment as Told
from scoring.core.entries import EntryState, set_apart
from scoring.models import RunEntry
from scoring.pages.set_apart import why_apart
from scoring.queries.annulments import annulments_among
from scoring.queries.tables import star_table
from tests.contest.running_world import announced, person
from tests.contest.test_answers import do_answers
from tests.contest.world import SECOND, Client, Mode
from tests.factories import submitted
from tests.pages import page_of
from tests.strategies import fragment
from web.refusals import Conflict, Refused

pytestmark = pytest.mark.django_db
WHY = {"reason": "Marked by hand", "protocol": "No. 5"}


@pytest.fixture(scope="module")
def finals(module_rows):  # noqa: ARG001 - rows of the module
    """Three teams in a final of a contest; the last one is silent for a file of three."""
    contest = announced()
    teams = [_team(contest, name) for name in ("Lynx", "Owl", "Hedgehog")]
    held = contest.data_sets.get(role="final").essay_set
    start = moment_now() - 600 * SECOND
    plan_final(
        planned=Planned("Finals", held, at(start)),
        admitted=[each.account for each in teams],
        actor=None,
    )
    for team, answered in zip(teams, (3, 3, 2), strict=True):
        client = Client(team.account, mode=Mode.FINAL, moment=start)
        for number in range(answered):
            client.send(client.next(60 * number + 1).slot, 60 * number + 5)
    settle_due()
    for essay in held.essays.all():
        for _expert in range(2):
            submitted(essay, fragment(0, 4, "А.грамм"))
    do_answers()
    return contest


def _team(contest, name):
    account = person("participant", full_name=name)
    return Team.objects.create(contest=contest, name=name, account=account)


@pytest.fixture
def contest(finals, db):  # noqa: ARG001 - a savepoint of its own
    return Contest.objects.get(pk=finals.pk)


def session_of(name):
    return ExchangeSession.objects.get(participant__team__name=name)


def annul(contest, name="Lynx", **said):
    return annul_solution(
        contest=contest, solution=session_of(name), actor=person("organiser"), **{**WHY, **said}
    )


def states(contest):
    held = contest.data_sets.get(role="final").essay_set
    solutions = field_of_set(held.pk).solutions
    asked = {held.pk: {(each.participant, each.origin) for each in solutions}}
    found = annulments_among(asked)[held.pk]
    return {each.participant: (each.state, each.reason) for each in set_apart(solutions, found)}


def test_an_annulled_solution_stands_apart_with_its_reason_and_moves_nobody(contest):
    held = contest.data_sets.get(role="final").essay_set
    before = {line.origin: line for line in star_table(held).standings}
    lynx, owl = session_of("Lynx"), session_of("Owl")

    annul(contest)

    assert states(contest)[lynx.participant_id] == (EntryState.ANNULLED, "Marked by hand")
    table = star_table(held)
    assert [(line.origin, line.star) for line in table.standings] == [
        (owl.origin, before[owl.origin].star)
    ]
    assert {each.origin: each.annulment for each in table.apart} == {
        lynx.origin: Told(0, 3, "Marked by hand"),
        session_of("Hedgehog").origin: Told(1, 3),
    }


def test_what_is_annulled_is_taken_back_as_long_as_nothing_is_final(contest):
    annul(contest)
    session, actor = session_of("Lynx"), person("organiser")
    with pytest.raises(Conflict, match="annulled already"):
        annul(contest)
    with pytest.raises(Refused, match="Say why"):
        lift_annulment(contest=contest, solution=session, reason=" ", actor=actor)

    lift_annulment(contest=contest, solution=session, reason="A mistake", actor=actor)

    assert states(contest)[session.participant_id] == (EntryState.RANKED, "")
    with pytest.raises(Conflict, match="not annulled any more"):
        lift_annulment(contest=contest, solution=session, reason="Again", actor=actor)
    annul(contest)
    Contest.objects.filter(pk=contest.pk).update(final_at=timezone.now())
    with pytest.raises(Refused, match="are final"):
        lift_annulment(contest=contest, solution=session, reason="Late", actor=actor)
    assert session.annulments.filter(lifted_at=None).count() == 1


def test_the_rule_of_five_percent_is_never_taken_back(contest):
    session, actor = session_of("Hedgehog"), person("organiser")

    with pytest.raises(Refused, match=r"Clause 10\.1"):
        lift_annulment(contest=contest, solution=session, reason="Please", actor=actor)
    with pytest.raises(Refused, match=r"Clause 7\.7"):
        annul(contest, "Hedgehog")

    assert states(contest)[session.participant_id] == (EntryState.ANNULLED, "1 / 3")


@pytest.mark.parametrize(
    ("said", "words"), [({"reason": " "}, "Say why"), ({"protocol": ""}, r"Clauses 9\.5 and 11\.6")]
)
def test_nothing_is_decided_without_reason_and_protocol(contest, said, words):
    team, actor = contest.teams.get(name="Owl"), person("organiser")
    with pytest.raises(Refused, match=words):
        annul(contest, **said)
    with pytest.raises(Refused, match=words):
        exclude_team(contest=contest, team=team, actor=actor, **{**WHY, **said})

    assert Annulment.objects.count() == 0


def test_the_database_keeps_one_annulment_and_its_words(contest):
    made = annul(contest)

    with pytest.raises(IntegrityError), transaction.atomic():
        Annulment.objects.create(session=made.session, who=made.who, **WHY)


def test_an_excluded_team_stands_apart_and_comes_back(contest):
    team, actor = contest.teams.get(name="Owl"), person("organiser")
    held = contest.data_sets.get(role="final").essay_set

    exclude_team(contest=contest, team=team, actor=actor, **WHY)

    assert states(contest)[team.account_id] == (EntryState.EXCLUDED, "Marked by hand")
    assert {each.participant.full_name for each in star_table(held).apart} == {"Owl", "Hedgehog"}
    with pytest.raises(Conflict, match="excluded already"):
        exclude_team(contest=contest, team=team, actor=actor, **WHY)
    take_team_back(contest=contest, team=team, reason="A mistake", actor=actor)
    assert states(contest)[team.account_id] == (EntryState.RANKED, "")
    with pytest.raises(Conflict, match="not excluded any more"):
        take_team_back(contest=contest, team=team, reason="Again", actor=actor)


@pytest.mark.parametrize(
    ("state", "reason", "words"),
    [
        (
            "annulled",
            "1 / 3",
            "The solution is annulled: 1 of its 3 files were, more than the rules allow.",
        ),
        ("annulled", "By hand", "The organisers annulled the solution: By hand"),
        ("excluded", "By hand", "Excluded: By hand"),
    ],
)
def test_a_board_says_who_set_a_solution_apart(state, reason, words):
    assert why_apart(RunEntry(state=state, reason=reason)) == words


@pytest.mark.usefixtures("contest")
def test_the_question_comes_first_and_the_participant_reads_why(log_in):
    browser, session = log_in(person("organiser")), session_of("Lynx")
    address = f"/contests/spring/manage/solutions/{session.pk}/annul/"

    asked = browser.get(address)
    done = browser.post(address, WHY)
    again = browser.get(address).content.decode()
    own = log_in(session.participant).get(f"/exchange/{session.pk}/").content.decode()
    late = browser.post(address, WHY)

    assert (late.status_code, "annulled already" in late.content.decode()) == (409, True)
    assert "Annul the solution?" in asked.content.decode()
    assert (done.status_code, "Let the solution stand again?" in again) == (302, True)
    assert "Marked by hand (protocol No. 5)" in own
    listed = browser.get("/contests/spring/manage/solutions/").content.decode()
    assert "annulled: Marked by hand (protocol No. 5)" in listed
    assert browser.post(address.replace("annul", "restore"), {"reason": "x"}).status_code == 302


def test_a_solution_set_apart_is_not_said_to_stand_on_its_page_until_it_is_taken_back(
    contest, log_in
):
    actor, browser, session = person("organiser"), log_in(person("judge")), session_of("Lynx")
    team, said = contest.teams.get(name="Lynx"), []

    def note():
        page = page_of(browser.get(f"/exchange/{session.pk}/")).one("main").text
        said.append("Solution: stands." in page)

    note()
    annul(contest)
    note()
    lift_annulment(contest=contest, solution=session, reason="A mistake", actor=actor)
    note()
    exclude_team(contest=contest, team=team, actor=actor, **WHY)
    note()
    take_team_back(contest=contest, team=team, reason="A mistake", actor=actor)
    note()

    assert said == [True, False, True, False, True]


@pytest.mark.parametrize("act", ["solution", "team"])
def test_what_is_wrong_in_taking_back_stands_on_its_question_with_what_was_typed(
    contest, log_in, act
):
    browser, session = log_in(person("organiser")), session_of("Lynx")
    team = contest.teams.get(name="Lynx")
    annul(contest)
    exclude_team(contest=contest, team=team, actor=person("organiser"), **WHY)
    manage = "/contests/spring/manage/"
    address = {
        "solution": f"{manage}solutions/{session.pk}/restore/",
        "team": f"{manage}teams/{team.pk}/take-back/",
    }[act]

    empty = browser.post(address, {"reason": " "})
    long = browser.post(address, {"reason": "x" * 2001})
    done = browser.post(address, {"reason": "A mistake"})
    late = browser.post(address, {"reason": "A mistake"})

    told = page_of(empty).one(f'form[action="{address}"]')
    assert (empty.status_code, "Say why: the team reads it." in told.text) == (422, True)
    told = page_of(long).one(f'form[action="{address}"]')
    assert "at most 2000 characters (it has 2001)" in told.text
    assert told.one("textarea").text == "x" * 2001
    assert (done.status_code, late.status_code) == (302, 409)
    assert page_of(late).one("main").find(".row-tools a")[0]["href"] == f"{manage}solutions/"


def test_a_team_is_excluded_after_a_question(contest, log_in):
    browser, team = log_in(person("organiser")), contest.teams.get(name="Owl")
    address = f"/contests/spring/manage/teams/{team.pk}/exclude/"

    asked = browser.get(address).content.decode()
    refused = browser.post(address, {"reason": "Marked by hand"})
    done = browser.post(address, WHY)

    assert ("Exclude the team?" in asked, refused.status_code, done.status_code) == (
        *(True, 422),
        302,
    )
    member = team.memberships.create(contest=contest, person=person("participant")).person
    own = log_in(member).get("/contests/spring/team/").content.decode()
    assert "The team is excluded from the contest: Marked by hand" in " ".join(own.split())
    back = browser.post(address.replace("exclude", "take-back"), {"reason": "A mistake"})
    assert back.status_code == 302
    own = page_of(log_in(member).get("/contests/spring/team/")).text
    assert "The organisers took the exclusion of the team back: A mistake" in own


@pytest.mark.parametrize(
    ("language", "waiting", "told"),
    [
        ("en", "waits for the judges", "excluded: Marked by hand (protocol No. 5)"),
        ("ru", "ждёт судей", "отстранена: Marked by hand (протокол No. 5)"),
    ],
)
def test_in_its_cabinet_an_excluded_team_waits_for_nobody(contest, log_in, language, waiting, told):
    team, organiser = contest.teams.get(name="Owl"), person("organiser")
    member = team.memberships.create(contest=contest, person=person("participant")).person
    browser, head = log_in(member), {"accept-language": language}

    def admission():
        page = page_of(browser.get("/contests/spring/team/", headers=head))
        return page.one("[aria-labelledby=h-said] header .muted").text

    before = admission()
    exclude_team(contest=contest, team=team, actor=organiser, **WHY)
    excluded = admission()
    take_team_back(contest=contest, team=team, actor=organiser, reason="A mistake")

    assert (before, excluded, admission()) == (waiting, told, waiting)


def test_the_account_of_an_excluded_team_opens_with_the_team_alone(contest, log_in):
    team, actor = contest.teams.get(name="Owl"), person("organiser")
    exclude_team(contest=contest, team=team, actor=actor, **WHY)
    browser, address = log_in(actor), f"/people/{team.account_id}/activity/"

    refused = browser.post(address, {"active": "1"})
    closed = User.objects.get(pk=team.account_id).is_active
    take_team_back(contest=contest, team=team, reason="A mistake", actor=actor)

    assert (refused.status_code, closed) == (422, False)
    assert (
        "Clause 11.6 of the regulation: the team “Owl” is excluded from the contest “The contest” "
        "(Marked by hand), its account stays closed. Organisers take the exclusion back under "
        "“Solutions” of the contest."
    ) in page_of(refused).text
    assert User.objects.get(pk=team.account_id).is_active
    assert browser.post(address, {}).status_code == 302  # closed by hand, opened by hand
    assert browser.post(address, {"active": "1"}).status_code == 302


def test_strangers_and_other_contests_decide_nothing(contest, log_in):
    session, team = session_of("Lynx"), contest.teams.get(name="Lynx")
    other = announced("autumn")
    organiser, judge = log_in(person("organiser")), log_in(person("judge"))
    pages = [
        *(f"solutions/{session.pk}/annul/", f"solutions/{session.pk}/restore/"),
        *(f"teams/{team.pk}/exclude/", f"teams/{team.pk}/take-back/"),
    ]

    for page in pages:
        assert organiser.post(f"/contests/{other.slug}/manage/{page}", WHY).status_code == 404
        assert judge.post(f"/contests/spring/manage/{page}", WHY).status_code == 403
    seen = log_in(team.account).get("/contests/spring/manage/solutions/")

    assert (seen.status_code, Annulment.objects.count()) == (403, 0)
    assert judge.get("/contests/spring/manage/solutions/").status_code == 200
