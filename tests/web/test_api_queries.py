"""Values of the query that cannot be meant are refused by name."""

from __future__ import annotations

import pytest

from tests.factories import EssayFactory, EssaySetFactory, PersonFactory
from tests.schemes.inputs import scored

pytestmark = pytest.mark.django_db


@pytest.fixture
def person():
    return PersonFactory(role="participant")


@pytest.fixture
def get(log_in, person):
    return log_in(person).get


def answered(response):
    return (response.status_code, response.json().get("fields"))


FROM_ONE = ["Give a whole number from 1 on."]
FROM_NOUGHT = ["Give a whole number from 0 on."]


@pytest.mark.parametrize("path", ["essays/", "schemes/keys/", "schemes/use/runs/"])
@pytest.mark.parametrize(
    ("query", "fields"),
    [
        ("limit=abc", {"limit": FROM_ONE}),
        ("limit=", {"limit": FROM_ONE}),
        ("limit=0", {"limit": FROM_ONE}),
        ("limit=1.5", {"limit": FROM_ONE}),
        ("limit=%D9%A3", {"limit": FROM_ONE}),
        ("offset=x", {"offset": FROM_NOUGHT}),
        ("offset=-1", {"offset": FROM_NOUGHT}),
    ],
)
def test_a_place_in_a_list_is_a_whole_number(get, path, query, fields):
    assert answered(get(f"/api/{path}?{query}")) == (400, fields)


@pytest.mark.parametrize("query", [f"limit={2**64}", f"offset=1&limit={'9' * 5000}", "offset=0"])
def test_a_page_is_as_long_as_it_may_be(get, query):
    EssayFactory.create_batch(2, essay_set=EssaySetFactory(access="open"))

    assert get(f"/api/essays/?{query}").status_code == 200


def test_an_unknown_subject_is_refused(get):
    told = "Give one of these: eng, eng-free, rus, rus-free, lit, social, hist."

    assert answered(get("/api/essays/?subject=xx")) == (400, {"subject": [told]})


def test_a_parameter_given_twice_is_refused(get):
    told = ["This is given twice. Send it once."]

    refused = get("/api/essays/?limit=1&limit=2&subject=eng&subject=rus&offset=0")

    assert answered(refused) == (400, {"limit": told, "subject": told})


def test_filters_of_items_are_checked(get, person):
    items = f"/api/schemes/runs/{scored(person, 'use').uuid}/items/"
    told = "Give one of these: right, partly, wrong, unanswered."

    assert answered(get(f"{items}?verdict=xyz")) == (400, {"verdict": [told]})
    assert answered(get(f"{items}?q={'x' * 201}"))[1].keys() == {"q"}
    assert answered(get(f"{items}?verdict=&group=1")) == (200, None)


def test_the_description_knows_its_languages(get):
    refused = get("/api/schema/?lang=xx")

    assert answered(refused) == (400, {"lang": ["Give one of these: ru, en."]})
    assert get("/api/schema/?lang=ru").status_code == 200


def test_the_description_knows_its_forms(get):
    assert get("/api/schema/?format=xyz").status_code == 404
