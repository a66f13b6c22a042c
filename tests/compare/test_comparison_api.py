from __future__ import annotations

import json
from dataclasses import asdict

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compare.core.matcher import match
from tests.examples import examples
from tests.factories import EssayFactory, PersonFactory, submitted
from tests.strategies import fragment, markups, texts

pytestmark = pytest.mark.django_db


@pytest.fixture
def ask(log_in):
    client = log_in(PersonFactory(role="judge"))

    def comparison(left, right):
        return client.get(f"/api/comparisons/{left.pk}/{right.pk}/")

    return comparison


@settings(max_examples=examples(30), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_the_comparison_is_that_of_the_core(ask, data):
    text = data.draw(texts())
    left, right = data.draw(markups(text=text)), data.draw(markups(text=text))
    essay = EssayFactory(text=text)
    comparison = match(left, right)

    answer = ask(submitted(essay, *left.fragments), submitted(essay, *right.fragments)).json()

    assert answer == {
        "loss": comparison.loss,
        "pairs": [
            {
                "left": pair.left,
                "right": pair.right,
                "loss": pair.loss.total,
                "parts": asdict(pair.loss),
            }
            for pair in comparison.pairs
        ],
        "only_left": list(comparison.only_left),
        "only_right": list(comparison.only_right),
    }


def test_a_pair_names_its_loss_and_its_parts(ask):
    essay = EssayFactory()
    left = submitted(essay, fragment(0, 4), fragment(12, 17))
    right = submitted(essay, fragment(12, 17, "А.лекс"))

    assert json.loads(ask(left, right).content) == {
        "loss": 2.0,
        "pairs": [
            {
                "left": 1,
                "right": 0,
                "loss": 1.0,
                "parts": {"jaccard": 0.0, "apart": False, "begin": False, "code": True},
            }
        ],
        "only_left": [0],
        "only_right": [],
    }


def test_markups_of_different_essays_are_not_compared(ask):
    response = ask(submitted(EssayFactory()), submitted(EssayFactory()))

    assert (response.status_code, response.json()) == (
        404,
        {"code": "not_found", "message": "These are markups of different essays."},
    )


def test_what_is_not_there_is_not_compared(ask):
    record = submitted(EssayFactory())
    record.pk += 1

    assert ask(record, record).status_code == 404


def test_a_stranger_gets_no_comparison(log_in):
    essay = EssayFactory()
    address = f"/api/comparisons/{submitted(essay).pk}/{submitted(essay).pk}/"

    statuses = [
        log_in(PersonFactory(role=role)).get(address).status_code
        for role in ("expert", "participant")
    ]

    assert statuses == [404, 404]
    assert Client().get(address).status_code == 401
