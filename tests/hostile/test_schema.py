from __future__ import annotations

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import status_code_conformance

from config.wsgi import application
from tests.hostile.dealing import Dealer
from tests.hostile.world import seed

pytestmark = [pytest.mark.full, pytest.mark.django_db]
CHECKS = [not_a_server_error, status_code_conformance]
DRAWN = settings(
    max_examples=25,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def test_the_api_answers_as_its_description_says():
    participant = seed(Dealer()).participant.headers
    api = schemathesis.openapi.from_wsgi("/api/schema/", application)
    asked = [operation.ok() for operation in api.get_all_operations()]

    for operation in asked:
        ask(operation, participant)

    assert len(asked) >= 9


def ask(operation, headers):
    @DRAWN
    @given(case=operation.as_strategy())
    def answers(case):
        case.call_and_validate(headers=headers, checks=CHECKS)

    answers()
