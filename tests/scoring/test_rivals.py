"""What participants read of each other in the tables of figures."""

from __future__ import annotations

import pytest
from django.utils import timezone

from annotator.models import EssaySet
from scoring.models import StandingBoard
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory, submitted
from tests.pages import texts_of
from tests.scoring.test_board_page import run_of
from tests.scoring.work import score
from tests.strategies import fragment

pytestmark = pytest.mark.django_db

HIT, MISS = fragment(0, 4), fragment(43, 48)
CLOSED = [{"access": "closed"}, {"access": "final", "published_at": timezone.now()}]

SENT = {"source": "algorithm"}
SHOWN = [{"access": "open"}, *({**fields, "shows_rivals": True} for fields in CLOSED)]


@pytest.fixture
def lynx():
    return PersonFactory(role="participant", username="login-lynx", full_name="The Lynx")


def scored_set(lynx, **fields):
    essay = EssayFactory(essay_set=EssaySetFactory(**fields))
    owl = PersonFactory(role="participant", username="login-owl", full_name="The Owl")
    ant = PersonFactory(role="participant", username="login-ant")
    marks = {owl: HIT, ant: HIT, lynx: MISS}
    score(
        submitted(essay, HIT),
        *(submitted(essay, mark, author=who, source="algorithm") for who, mark in marks.items()),
    )
    return essay.essay_set


def read(browser):
    """Names and heads of the page's table, and the names the API tells."""
    page, api = browser.get("/scores/"), browser.get("/api/scores/")
    said = page.content.decode().partition("<main")[2] + api.content.decode()
    (table,) = api.json()
    names = [line["participant"] for line in table["standings"]]
    places = [line["place"] for line in table["standings"]]
    return texts_of(page, "tbody th"), "Place" in texts_of(page, "thead th"), names, places, said


@pytest.mark.parametrize("fields", CLOSED, ids=["test", "finals"])
def test_of_a_closed_set_a_participant_sees_the_own_figures_only(log_in, lynx, fields):
    scored_set(lynx, **fields)

    rows, has_places, names, places, said = read(log_in(lynx))

    assert (rows, has_places, names, places) == (["The Lynx"], False, ["The Lynx"], [None])
    assert [word for word in ("Owl", "login-owl", "login-ant") if word in said] == []


@pytest.mark.parametrize("fields", SHOWN, ids=["training", "test", "finals"])
def test_rivals_are_shown_under_full_names_where_the_set_says_so(log_in, lynx, fields):
    scored_set(lynx, **fields)

    rows, has_places, names, _places, said = read(log_in(lynx))

    assert sorted(rows) == ["Participant without a name", "The Lynx", "The Owl"]
    assert has_places == (fields["access"] != "final")
    assert names == rows
    assert "login-" not in said


@pytest.mark.parametrize("counts", [False, True])
def test_sessions_of_others_stand_on_boards_alone_and_all_of_them_once_a_run_counts(
    log_in, lynx, counts
):
    essay_set = scored_set(lynx, access="open")
    essay = essay_set.essays.get()
    owl = PersonFactory(role="participant", full_name="The Heron")
    score(submitted(essay, HIT, **SENT, author=owl, origin="session-5"))
    if counts:
        StandingBoard.objects.create(essay_set=essay_set, applied=run_of(essay_set, "applied"))

    rows, has_places, names, places, said = read(log_in(lynx))

    free = ["Participant without a name", "The Owl", "The Lynx"]
    assert rows == names == (["The Lynx"] if counts else free)
    assert (has_places, {*places}, "Heron" in said) == (False, {None}, False)
    staff = read(log_in(PersonFactory(role="judge")))
    assert ("The Heron" in staff[-1], staff[1]) == (True, not counts)


def test_who_has_no_markup_in_a_closed_set_sees_nobody(log_in, lynx):
    essay_set = scored_set(lynx, access="final", published_at=timezone.now())
    page = log_in(PersonFactory(role="participant")).get("/scores/")

    assert texts_of(page, ".lead h2") == [essay_set.name]
    assert texts_of(page, ".empty b") == ["No markup of yours was scored"]


def test_an_expert_reads_no_logins(log_in, lynx):
    scored_set(lynx, access="open")

    assert "login-" not in read(log_in(PersonFactory()))[-1]


@pytest.mark.parametrize("fields", CLOSED, ids=["test", "finals"])
def test_staff_see_everybody(log_in, lynx, fields):
    scored_set(lynx, **fields)

    rows, has_places, names, *_ = read(log_in(PersonFactory(role="judge")))

    assert sorted(rows) == ["The Lynx", "The Owl", "login-ant"]
    assert sorted(names) == ["login-ant", "login-lynx", "login-owl"]
    assert has_places == (fields["access"] != "final")


def test_a_coordinator_lets_a_set_show_rivals(log_in, lynx):
    essay_set = scored_set(lynx, access="closed")
    coordinator = log_in(PersonFactory(role="coordinator"))
    body = {"name": essay_set.name, "access": "closed", "rules": essay_set.rules_id, "seen": 0}

    before = EssaySet.objects.get().shows_rivals
    coordinator.post(f"/sets/{essay_set.pk}/describe/", {**body, "shows_rivals": "on"})

    assert (before, EssaySet.objects.get().shows_rivals) == (False, True)
