"""What undoing an import, and the list of imports, cost."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext

from annotator.models.imports import EssayImport
from tests.annotator.files import MARKED, named
from tests.pages import texts_of

pytestmark = pytest.mark.django_db


def test_a_page_of_imports_costs_as_much_as_one(bring, log_in, coordinator):
    def cost():
        client = log_in(coordinator)
        with CaptureQueriesContext(connection) as asked:
            shown = client.get("/imports/")
        return len(asked), len(texts_of(shown, "table.imports tbody tr"))

    bring(named("0001.txt"))
    one, shown = cost()
    EssayImport.objects.bulk_create(
        EssayImport(set_name="x", state="done", begun_at=Now(), actor=coordinator)
        for _ in range(60)
    )

    assert (shown, cost()) == (1, (one, 50))


def test_undoing_many_essays_costs_little_more_than_undoing_few(bring, undo):
    def cost(first, count):
        numbers = range(first, first + count)
        batch = bring(
            *(named(f"{number:04}.txt") for number in numbers),
            *(named(f"{number:04}_exp1.txt", MARKED) for number in numbers),
        )
        with CaptureQueriesContext(connection) as asked:
            undo(batch)
        return len(asked)

    few, many = cost(0, 2), cost(100, 22)

    assert many - few <= 20
