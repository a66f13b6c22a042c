"""What must be true after several people did the same at once; ``well`` says for whom it went so.

The tests of the product and those of its naive twins ask the same questions.
"""

from __future__ import annotations

from accounts.models import AuditEntry
from annotator.models import Assignment, MarkupRecord


def check_one_change(record, well):
    """One version is taken once: nothing lost, nothing doubled, no second winner."""
    assert well.count(True) == 1
    assert record.fragments.count() == 1
    assert MarkupRecord.objects.get(pk=record.pk).version == record.version + 1


def check_one_fragment(record, well):
    """The same fragment sent again is the same fragment, and no fault."""
    assert well.count(True) == len(well)
    assert record.fragments.count() == 1
    assert MarkupRecord.objects.get(pk=record.pk).version == record.version + 1


def check_all_saved(record, acknowledged):
    """The log is what was acknowledged: nothing lost, nothing doubled, in the order it was sent."""
    made = record.changes.order_by("version").values_list("version", "uid")
    assert list(made) == list(enumerate(acknowledged, start=1))
    assert MarkupRecord.objects.get(pk=record.pk).version == len(acknowledged)


def check_one_submission(record):
    said = AuditEntry.objects.filter(action="markup.submitted", object_id=str(record.pk))
    assert said.count() == 1


def check_one_markup(essay, well):
    """The same key sent again is the same markup, and no fault."""
    assert well.count(True) == len(well)
    assert essay.markups.count() == 1


def check_one_holder(essay, role):
    holders = essay.assignments.filter(role=role, state__in=Assignment.ACTIVE)
    assert holders.count() == 1


def check_one_claim(well):
    assert well.count(True) == 1
