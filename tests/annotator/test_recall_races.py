"""Whoever recalls, makes final and settles at one moment: exactly one of it happens."""

from __future__ import annotations

import pytest

from accounts.models import AuditEntry
from annotator.models import MarkupRecord
from annotator.services.recalling import make_final, recall, settle
from annotator.services.refusals import MarkupConflict
from tests.annotator.test_recall import handed_in, later, seen
from tests.e2e.database import connected, together
from tests.services import copy_of

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def server(postgres_tables, django_db_blocker):
    """A PostgreSQL with our tables: there a row is really held."""
    with copy_of(postgres_tables) as address, django_db_blocker.unblock(), connected(address):
        yield


@pytest.fixture
def _a_minute(settings):
    settings.RECALL_SECONDS = 60


@pytest.mark.usefixtures("server", "_a_minute")
def test_of_a_recall_and_its_end_at_one_moment_exactly_one_happens():
    for turn in range(8):
        record = handed_in()
        later(record, seconds=60, milliseconds=-4 * turn)
        copies = [MarkupRecord.objects.get(pk=record.pk) for _ in range(2)]

        outcomes = together(
            lambda own=copies[0]: recall(record=own),
            lambda pk=record.pk: settle(markup_id=pk),
            lambda own=copies[1]: make_final(record=own),
        )

        told = AuditEntry.objects.filter(action__startswith="markup.", object_id=str(record.pk))
        ends = list(told.values_list("action", flat=True))
        assert len(ends) == 1
        is_recalled = ends == ["markup.recalled"]
        assert seen(record)[0] == ("draft" if is_recalled else "submitted")
        late = [type(outcome) for outcome in outcomes if isinstance(outcome, Exception)]
        assert late == [MarkupConflict]  # who came second was told so
