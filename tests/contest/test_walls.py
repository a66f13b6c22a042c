"""Every route there is, walked by participants whom nothing of a team concerns: those of another
contest, those who left, those who were never there.
"""

from __future__ import annotations

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from contest.models import Contest, Team
from tests.accounts.world import SECRET, make_world
from tests.contest.team_world import a_contest, a_person, a_team, add
from tests.factories import PersonFactory
from tests.test_access import ROWS

pytestmark = pytest.mark.django_db

STRANGER = -2
"""The column of a participant who is a stranger to everything."""
THEIRS = [f"{SECRET}{name}".encode() for name in (" team", "-team", ".zip")]
"""The team, its account, its archive."""
OWN = {"contest:own_teams"}
"""Leads to whatever team one is in."""


@pytest.fixture(scope="module")
def world(module_rows):  # noqa: ARG001 - rows of the module
    people = PersonFactory(), PersonFactory(role="participant", username=f"{SECRET}-team")
    return make_world(*people)


@pytest.fixture(scope="module")
def visitors(world):
    team = Team.objects.get(account=world.participant)
    elsewhere = a_team(a_contest("elsewhere"), "Elsewhere")
    beside = a_team(Contest.objects.get(slug=SECRET.lower()), "Beside")
    left = a_person("Left")
    add(team, left, left_at=timezone.now())
    return {
        "of another contest": elsewhere.memberships.get().person,
        "of another team": beside.memberships.get().person,
        "who left": left,
        "the account of another team": elsewhere.account,
    }


WHO = ["of another contest", "of another team", "who left", "the account of another team"]
OF_CONTEST = {
    *("contest:cabinet", "contest:invite_member", "contest:leave_team"),
    *("contest:uploads", "contest:send_upload", "api:api_uploads"),
}
"""Who is in another team of the same contest has one's own there."""


@pytest.mark.parametrize("who", WHO)
def test_nothing_of_a_team_is_reached_from_outside(who, world, visitors):
    browser = Client(raise_request_exception=False)
    browser.force_login(visitors[who])
    skipped = OWN | (OF_CONTEST if who == "of another team" else set())
    wrong = []
    for route, method, thing, *cells in ROWS:
        said = cells[STRANGER]
        is_safe = method == "GET" or said in ("403", "404")
        if not is_safe or route in skipped or route.startswith("admin:"):
            continue
        options = {"content_type": "application/json"} if route.startswith("api:") else {}
        body = world.bodies.get(route, {}) if method == "POST" else {}
        address = reverse(route, kwargs=world.objects[thing])
        with transaction.atomic():
            answer = getattr(browser, method.lower())(address, body, **options)
            transaction.set_rollback(True)
        content = answer.content.replace(address.encode(), b"")
        is_told = SECRET.encode() in content
        is_open = answer.status_code == 200 and said == "200"
        if str(answer.status_code) != said or (is_told and not is_open):
            wrong.append((route, method, thing, said, answer.status_code))

    assert wrong == []


@pytest.mark.parametrize("who", WHO)
def test_no_page_that_is_open_to_a_stranger_tells_of_the_team(who, world, visitors):
    browser = Client(raise_request_exception=False)
    browser.force_login(visitors[who])
    told = {}
    for route, method, thing, *cells in ROWS:
        if method == "GET" and cells[STRANGER] == "200":
            answer = browser.get(reverse(route, kwargs=world.objects[thing]))
            found = [name.decode() for name in THEIRS if name in answer.content]
            told |= {route: found} if found else {}

    # whoever has the letter reads whose it is
    assert told == {"contest:invitation": [f"{SECRET} team"]}


@pytest.mark.parametrize("role", ["organiser", "judge", "commission", "administrator"])
def test_rows_of_a_contest_are_not_reached_by_the_address_of_another_one(role, world):
    other = a_contest(f"beside-{role}")
    browser = Client(raise_request_exception=False)
    browser.force_login(PersonFactory(role=role))
    walked, wrong = set(), []
    for route, method, thing, *_cells in ROWS:
        named = dict(world.objects[thing] or {})
        if not route.startswith("contest:") or not {"slug", "pk"} <= named.keys():
            continue  # phases and versions of parameters are named alike in every contest
        body = world.bodies.get(route, {}) if method == "POST" else {}
        address = reverse(route, kwargs={**named, "slug": other.slug})
        with transaction.atomic():
            answer = getattr(browser, method.lower())(address, body)
            transaction.set_rollback(True)
        walked.add(route)
        is_told = SECRET.encode() in answer.content.replace(address.encode(), b"")
        if answer.status_code not in (403, 404) or is_told:
            wrong.append((route, method, thing, answer.status_code))

    assert wrong == []
    assert {"contest:team", "contest:annul", "contest:phase_paper"} <= walked
