from __future__ import annotations

from io import BytesIO

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotator.services.imports.importing import AT_ONCE, MARKS, Options, import_files
from annotator.services.imports.staging import confirm_import, stage_import
from annotator.signals import markups_imported
from tests.annotator.files import MARKED, exchanged, named, selection
from tests.factories import EssaySetFactory, PersonFactory

pytestmark = pytest.mark.django_db

MOST_STATEMENTS = 27
"""For twenty essays with three markups each."""


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


def test_twenty_essays_cost_few_statements_however_many_there_are(essay_set):
    for number in (1, 2, 3):
        PersonFactory(username=f"exp{number}")
    asked(essay_set, [900])  # with their first submission in the set they get their aliases

    one, two, seven = (
        len(asked(essay_set, range(start, start + count * AT_ONCE)))
        for start, count in ((0, 1), (100, 2), (200, 7))
    )

    assert two - one <= MOST_STATEMENTS
    assert seven - two <= 5 * MOST_STATEMENTS


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


def test_to_confirm_an_import_asks_nothing_of_every_file(essay_set, django_assert_max_num_queries):
    options = Options(essay_set, actor=PersonFactory(role="coordinator"))
    uploads = [(each.name, BytesIO(each.data)) for each in files(range(AT_ONCE))]
    batch = stage_import(uploads=uploads, options=options).batch

    with django_assert_max_num_queries(4 * MOST_STATEMENTS):
        confirm_import(batch=batch, actor=options.actor)


def test_essays_of_very_many_marks_come_in_by_fewer_at_once(essay_set):
    marks = [selection(0, 4, id=number) for number in range(1, MARKS // 3 + 1)]
    many = [
        each
        for number in range(4)
        for each in (
            exchanged(f"{number}.json"),
            exchanged(f"{number}_exp1.json", selections=marks),
        )
    ]
    together = []

    def note(essay_ids, **_):
        together.append(len(essay_ids))

    markups_imported.connect(note)
    try:
        import_files(many, Options(essay_set))
    finally:
        markups_imported.disconnect(note)

    assert together == [3, 1]
