"""Who goes back to before practice is told which sets are in the way; without any it works."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from annotator.models import EssaySet, MarkupRecord
from tests.annotator.practising import practice_essay, tried
from tests.e2e.database import connected
from tests.factories import PersonFactory
from tests.services import copy_of

pytestmark = pytest.mark.full

BEFORE = ("annotator", "0022_aliases_of_submitted")


@pytest.fixture
def database(postgres_tables, django_db_blocker):
    with copy_of(postgres_tables) as address, django_db_blocker.unblock(), connected(address):
        yield


def has_practice():
    return ("annotator", "0023_practice") in MigrationRecorder(connection).applied_migrations()


@pytest.mark.usefixtures("database")
def test_going_back_names_the_practice_sets_and_does_without_them():
    EssaySet.objects.all().delete()
    expert = PersonFactory()
    essay = practice_essay(by=expert)
    tried(essay, expert)  # what was one author's twice could not be kept by the older constraint
    EssaySet.objects.filter(pk=essay.essay_set_id).update(name="Practice of May")

    with pytest.raises(ValueError, match=r"sets are for practice: Practice of May\. Before"):
        call_command("migrate", *BEFORE, verbosity=0)

    assert has_practice()
    call_command("migrate", verbosity=0)
    kept = MarkupRecord.objects.order_by("source").values_list("source", "author")
    assert list(kept) == [("key", expert.pk), ("practice", expert.pk)]

    MarkupRecord.objects.all().delete()
    essay.delete()
    EssaySet.objects.update(access="open")
    call_command("migrate", *BEFORE, verbosity=0)
    assert not has_practice()
    call_command("migrate", verbosity=0)
    assert has_practice()
