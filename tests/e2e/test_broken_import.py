"""A process killed in the midst of an import leaves whole essays; the rest follows on a word."""

from __future__ import annotations

import signal
from datetime import timedelta
from io import BytesIO

import pytest
from django.db.models.functions import Now

from accounts.models import User
from annotator.models import MarkupRecord
from annotator.models.imports import EssayImport
from annotator.services.imports.importing import AT_ONCE, Options
from annotator.services.imports.staging import stage_import
from tests.annotator.files import MARKED, PLAIN, zipped
from tests.e2e.essays import people
from tests.e2e.visitor import Visitor, went_well
from tests.factories import EssaySetFactory, PersonFactory

pytestmark = pytest.mark.full

NUMBERS = [f"{number:04}" for number in range(1, 2 * AT_ONCE + 4)]
AUTHOR = "exp9001"


def test_an_import_whose_process_was_killed_goes_on_where_it_broke_off(stack, worker):  # noqa: ARG001 - ticks
    if not User.objects.filter(username=AUTHOR).exists():
        PersonFactory(username=AUTHOR)
    (coordinator,) = people(1, User.Role.COORDINATOR)
    essay_set = EssaySetFactory()
    members = [
        *((f"{number}.txt", PLAIN) for number in NUMBERS),
        *((f"{number}_{AUTHOR}.txt", MARKED) for number in NUMBERS),
    ]
    uploads = [("essays.zip", BytesIO(zipped(*members)))]
    batch = stage_import(uploads=uploads, options=Options(essay_set, actor=coordinator)).batch

    died = stack.python("-m", "tests.e2e.dying_import", batch.pk, NUMBERS[AT_ONCE + 5], check=False)

    assert died.returncode == -signal.SIGKILL, died.stderr
    batch.refresh_from_db()
    assert (batch.state, batch.came, batch.total) == ("running", AT_ONCE, len(NUMBERS))
    EssayImport.objects.filter(pk=batch.pk).update(lease_until=Now() - timedelta(seconds=1))
    came = {"essays": AT_ONCE, "markups": AT_ONCE}
    broken = EssayImport.objects.filter(pk=batch.pk, state="broken", **came)
    stack.until(broken.exists, "tick says that it was broken off")

    assert went_well(Visitor(stack, coordinator).post(f"/imports/{batch.pk}/go-on/"))

    batch.refresh_from_db()
    whole = (batch.state, batch.essays, batch.markups, batch.refused)
    assert whole == ("done", len(NUMBERS), len(NUMBERS), 0)
    markups = MarkupRecord.objects.filter(essay__essay_set=essay_set, state="submitted")
    numbers = markups.order_by("essay__number").values_list("essay__number", flat=True)
    assert list(numbers) == NUMBERS
    assert batch.uploads.count() == 0
