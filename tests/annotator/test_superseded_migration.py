from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.apps import apps
from django.db import connection
from django.db.migrations import RunPython
from django.db.migrations.loader import MigrationLoader

from accounts.models import AuditEntry
from annotator.models import MarkupRecord
from tests.factories import EssayFactory, submitted

pytestmark = pytest.mark.django_db

REPLACED = datetime(2026, 3, 2, 9, tzinfo=UTC)


@pytest.fixture
def operation():
    """The step of the migration that changes rows."""
    found = MigrationLoader(connection).disk_migrations.items()
    (migration,) = [each for (_app, name), each in found if name.endswith("_superseded_at")]
    (step,) = [each for each in migration.operations if isinstance(each, RunPython)]
    return step


def times():
    rows = MarkupRecord.objects.order_by("pk")
    return list(rows.values_list("submitted_at", "superseded_at"))


def test_the_audit_trail_tells_when_former_markups_were_submitted(operation):
    former, unknown, present = (submitted(EssayFactory(), source="algorithm") for _ in range(3))
    entry = AuditEntry.objects.create(
        action="markup.submitted",
        object_type="annotator.markuprecord",
        object_id=str(former.pk),
    )
    entry.refresh_from_db()
    MarkupRecord.objects.filter(pk__in=[former.pk, unknown.pk]).update(
        state="superseded", submitted_at=REPLACED
    )

    operation.code(apps, None)

    assert times() == [(entry.at, REPLACED), (None, REPLACED), (present.submitted_at, None)]
    operation.reverse_code(apps, None)
    assert [time for time, _end in times()] == [REPLACED, REPLACED, present.submitted_at]
