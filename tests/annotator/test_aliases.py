"""Participants know experts by aliases; nothing they get bears the name or login of one."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from django.test import Client
from django.urls import NoReverseMatch, reverse

from accounts.models import User
from annotator.models import MarkupRecord
from annotator.models.aliases import ExpertAlias
from annotator.services.markup import submit_markup
from tests.accounts.world import make_world
from tests.annotator.drafts import draft_of
from tests.examples import share
from tests.factories import (
    AssignmentFactory,
    DraftFactory,
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
    submitted,
)
from tests.pages import texts_of
from tests.test_access import ROWS

pytestmark = pytest.mark.django_db

CANARY = "Kanarienvogel"
FORBIDDEN = 403
MANNERS = ({}, {"hx_request": "true"})
THINGS = {row[2] for row in ROWS if row[1] == "GET" and row[4] == "200"}
"""Of which objects a participant sees anything, by the table."""
NAMING = {
    *("annotator:essay", "annotator:markup_json", "compare:comparison", "compare:several"),
    *("scoring:accuracy", "scoring:comparison_json", "api:api_markups", "api:api_markup"),
}
"""Routes that show a participant the names of experts, in a set that tells them."""
ALIAS, NAME = ("Expert 3", "exp3"), ("Anna Lebedeva", "exp106")


@pytest.fixture(scope="module")
def walked(module_rows):  # noqa: ARG001 - the rows are the module's
    """A world whose experts all bear the canary, and its participant."""
    participant = PersonFactory(role="participant")
    world = make_world(PersonFactory(), participant)
    for expert in User.objects.filter(role="expert"):
        login, name = f"{CANARY}{expert.pk}", f"{CANARY} {expert.pk}"
        User.objects.filter(pk=expert.pk).update(username=login, full_name=name)
    return world


def answers(world, language, routes=None):
    """What the participant gets at every address, or at those of some routes, with any object.

    What is open is asked for in both manners, anything else in one language by turns; in the fast
    tier half of the one and little of the other. Doors shut to participants are tried once.
    """
    client = Client(raise_request_exception=False, headers={"accept-language": language})
    client.force_login(world.participant)
    shut = set()
    for number, (route, thing, address) in enumerate(addresses(world.objects)):
        turn = number + (language == "ru")
        one = MANNERS[turn // 2 % 2 :][:1] if turn % 2 else ()
        for htmx in share(MANNERS, 2, turn) if thing in THINGS else share(one, 12, turn // 2):
            if route in shut or (routes and route not in routes):
                continue
            response = client.get(address, headers=htmx)
            if response.status_code == FORBIDDEN:
                shut.add(route)
            yield f"{route} {thing}", response.status_code, told(response)


def addresses(objects):
    """Every page of every object there is."""
    for route in dict.fromkeys(row[0] for row in ROWS if row[1] == "GET"):
        for thing, arguments in objects.items():
            if not route.startswith("admin:"):
                with suppress(NoReverseMatch):  # this object has no page of this kind
                    yield route, thing, reverse(route, kwargs=arguments)


def told(response):
    content = b"".join(response) if response.streaming else response.content
    return f"{response.headers} {response.cookies} {content.decode(errors='replace')}"


@pytest.mark.parametrize("language", ["en", "ru"])
def test_no_answer_to_a_participant_names_an_expert(walked, language):
    found = list(answers(walked, language))

    assert [name for name, _status, text in found if CANARY in text] == []
    shown = {name.split(" ")[0] for name, status, _text in found if status == 200}
    assert shown >= {
        *("annotator:essay", "annotator:markup", "annotator:markup_json", "annotator:markup_text"),
        *("annotator:markup_csv", "annotator:markup_m2"),
        *("compare:comparison", "compare:several", "scoring:accuracy", "scoring:comparison_csv"),
        *("api:api_markups", "api:api_markup", "api:api_essay_points", "api:api_comparison"),
    }


def test_the_walk_finds_names_where_they_are_shown(walked):
    world = walked
    markup = MarkupRecord.objects.get(pk=world.objects["training"]["pk"])
    markup.essay.essay_set.names_experts = True
    markup.essay.essay_set.save()

    found = {name for name, _status, text in answers(world, "en", NAMING) if CANARY in text}

    assert {each.split(" ")[0] for each in found} == NAMING


@pytest.fixture
def essay():
    return EssayFactory(essay_set=EssaySetFactory(access="open"), number="0050051")


def named(essay, number, login="exp106", role="first"):
    """A submitted markup of an expert who has this number in the set."""
    expert = PersonFactory(username=login, full_name="Anna Lebedeva")
    ExpertAlias.objects.create(essay_set=essay.essay_set, expert=expert, number=number)
    check = AssignmentFactory(essay=essay, expert=expert, role=role, state="submitted")
    return submitted(essay, assignment=check)


@pytest.mark.parametrize(
    ("role", "names_experts", "known"),
    [
        ("participant", False, ALIAS),
        ("participant", True, NAME),
        ("judge", False, NAME),
        ("coordinator", False, NAME),
    ],
)
def test_who_reads_a_name_and_who_an_alias(log_in, essay, role, names_experts, known):
    record, (name, login) = named(essay, 3), known
    essay.essay_set.names_experts = names_experts
    essay.essay_set.save()
    client = log_in(PersonFactory(role=role))

    page = client.get(f"/essays/{essay.pk}/")
    file = client.get(f"/markups/{record.pk}/json/")

    told = json.loads(file.content)
    assert texts_of(page, ".markup-list a")[:1] == [name]
    assert (told["meta"]["expert"], told["fileName"]) == (login, f"0050051_{login}.json")
    assert f'filename="0050051_{login}.json"' in file["Content-Disposition"]


def test_markups_stand_in_the_order_of_the_aliases(log_in, essay):
    first, second = named(essay, 7), named(essay, 2, "exp107", "second")
    client = log_in(PersonFactory(role="participant"))

    page = client.get(f"/compare/{first.pk}/{second.pk}/")

    options = texts_of(page, "select[name=left] option")
    assert options == ["Expert 2, second check", "Expert 7, first check"]


def test_an_expert_gets_an_alias_with_the_first_submission_and_keeps_it():
    record = draft_of("Some people think.")
    submit_markup(record=record, version=0)
    (alias,) = ExpertAlias.objects.all()
    other = EssayFactory(essay_set=record.essay.essay_set)
    check = AssignmentFactory(essay=other, expert=record.author, state="working")
    again = DraftFactory(assignment=check)

    submit_markup(record=again, version=0)

    assert (alias.essay_set, alias.expert) == (record.essay.essay_set, record.author)
    assert ExpertAlias.objects.values_list("number").get() == (alias.number,)


def test_an_algorithm_has_no_alias(log_in, essay):
    record = submitted(essay, source="algorithm", author=PersonFactory(role="participant"))

    page = log_in(record.author).get(f"/essays/{essay.pk}/")

    assert texts_of(page, ".markup-list a")[:1] == [f"algorithm {record.author}"]
