from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotator.services.importing import Options, import_files
from tests.annotator.files import MARKED, named
from tests.factories import EssaySetFactory, PersonFactory

pytestmark = pytest.mark.django_db

MOST_STATEMENTS = 26
"""For an essay with three markups; most of them hand these in."""


@pytest.fixture
def essay_set():
    return EssaySetFactory()


def files(numbers):
    return [
        each
        for number in numbers
        for each in (
            named(f"{number:04}.txt"),
            *(named(f"{number:04}_exp{expert}.txt", MARKED) for expert in (1, 2, 3)),
        )
    ]


def asked(essay_set, numbers):
    """The statements of an import of so many essays, with three markups each."""
    with CaptureQueriesContext(connection) as context:
        import_files(files(numbers), Options(essay_set))
    return [each["sql"] for each in context]


def test_every_essay_costs_the_same_few_statements(essay_set):
    for number in (1, 2, 3):
        PersonFactory(username=f"exp{number}")
    asked(essay_set, [900])  # with their first submission in the set they get their aliases

    two, four, ten = (
        len(asked(essay_set, range(start, start + count)))
        for start, count in ((0, 2), (100, 4), (200, 10))
    )

    assert (ten - four) * 2 == (four - two) * 6
    assert (four - two) / 2 <= MOST_STATEMENTS


def test_accounts_are_looked_up_once_an_import(essay_set):
    by_name = [
        statement
        for statement in asked(essay_set, range(8))
        if 'FROM "accounts_user"' in statement and 'WHERE "accounts_user"."id"' not in statement
    ]

    assert len(by_name) == 1


def test_files_that_are_known_cost_a_few_statements_an_essay(essay_set):
    asked(essay_set, range(12))

    two, twelve = len(asked(essay_set, range(2))), len(asked(essay_set, range(12)))

    assert (twelve - two) / 10 <= 10
