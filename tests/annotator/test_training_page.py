from __future__ import annotations

import pytest
from django.test import Client

from tests.contest.world import handed
from tests.factories import (
    AssignmentFactory,
    DraftFactory,
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
    submitted,
)
from tests.pages import page_of, texts_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def participant():
    return PersonFactory(role="participant")


@pytest.fixture
def open_set():
    return EssaySetFactory(access="open")


def test_essays_of_open_sets_are_listed_with_their_markups(log_in, participant):
    open_set = EssaySetFactory(access="open", name="Essays of May")
    essay = EssayFactory(essay_set=open_set, number="0001", theme="Sport")
    EssayFactory(number="closed")
    submitted(essay)
    submitted(essay)
    submitted(essay, source="algorithm")
    submitted(essay, source="algorithm", author=participant)
    DraftFactory(assignment=AssignmentFactory(essay=essay))

    response = log_in(participant).get("/training/")

    assert texts_of(response, "tbody tr") == ["0001 Essays of May Sport English 2 1"]


def test_without_open_sets_the_page_says_so(log_in, participant):
    EssayFactory()

    assert texts_of(log_in(participant).get("/training/"), ".empty b") == ["No training essays yet"]


def test_the_page_takes_the_same_queries_for_one_essay_and_for_five(
    log_in, participant, open_set, django_assert_num_queries
):
    client = log_in(participant)
    for count in (1, 4):
        for _ in range(count):
            submitted(EssayFactory(essay_set=open_set))
        client.get("/training/")
        with django_assert_num_queries(5):
            client.get("/training/")


def test_a_stranger_trains_nowhere(log_in):
    statuses = [
        log_in(PersonFactory(role=role)).get("/training/").status_code
        for role in ("expert", "judge", "administrator")
    ]

    assert statuses == [403, 403, 403]
    assert Client().get("/training/").headers["Location"] == "/login/?next=/training/"


def test_of_an_essay_whose_checks_are_hidden_it_is_not_told_how_many_there_are(log_in):
    participant, told = PersonFactory(role="participant"), {}
    for access in ("open", "closed", "final"):
        essay = EssayFactory(essay_set=EssaySetFactory(access=access), number=access)
        handed(essay, participant)
        for _ in range(3):
            submitted(essay)

    for row in page_of(log_in(participant).get("/training/")).find("tbody tr"):
        told[row.find("th a")[0].text] = row.find("td.a-left")[0].text

    assert told == {"open": "3", "closed": "–", "final": "–"}
