from __future__ import annotations

import pytest

from annotator.models.imports import EssayImport
from annotator.services.imports.importing import Options, import_files
from tests.factories import EssaySetFactory, PersonFactory

HTMX = {"HX-Request": "true"}


def address(record, row=None, end=""):
    return f"/markups/{record.pk}/fragments/" + (f"{row.pk}/{end}" if row else "")


@pytest.fixture
def post(log_in):
    def send(record, *where, user=None, htmx=False, **fields):
        headers = HTMX if htmx else {}
        client = log_in(user or record.author)
        return client.post(address(record, *where), fields, headers=headers)

    return send


@pytest.fixture
def essay_set():
    return EssaySetFactory(name="Рабочая выборка")


@pytest.fixture
def coordinator():
    return PersonFactory(role="coordinator", username="kotova", full_name="Котова")


@pytest.fixture
def bring(essay_set, coordinator):
    """Import files; returns the import."""

    def import_them(*files):
        import_files(files, Options(essay_set, actor=coordinator))
        return EssayImport.objects.latest("pk")

    return import_them


@pytest.fixture
def ask(log_in, coordinator):
    def get(batch):
        return log_in(coordinator).get(f"/imports/{batch.pk}/undo/")

    return get


@pytest.fixture
def undo(log_in, coordinator):
    def post(batch):
        return log_in(coordinator).post(f"/imports/{batch.pk}/undo/", follow=True)

    return post
