"""Markups with their fragments and the log of their changes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.db.models import Count, Max, QuerySet

from annotator.models import Essay, FragmentRecord, MarkupRecord
from annotator.models.changes import MarkupChange, NotCarried
from web.prepared import Given, Prepared


def steps_of(record: MarkupRecord) -> QuerySet[MarkupChange]:
    """The log of a markup, the last step first."""
    return record.changes.order_by("-version")


def last_fixed(record: MarkupRecord) -> int:
    """The version at which the essay got its present text; 0 where it had no other one."""
    fixed = record.changes.filter(step=MarkupChange.Step.FIXED)
    return fixed.aggregate(last=Max("version"))["last"] or 0


def with_counts(drafts: QuerySet[MarkupRecord]) -> QuerySet[MarkupRecord]:
    """Drafts with the number of their ``marks``, in the order of the checks."""
    counted = drafts.select_related("author", "assignment").annotate(marks=Count("fragments"))
    return counted.order_by("assignment__role", "pk")


def not_carried(record: MarkupRecord) -> QuerySet[NotCarried]:
    """What the essay's new version had no place for, and its expert has not seen yet."""
    return record.not_carried.filter(dismissed_at=None)


def submitted_markups(essay: Essay) -> QuerySet[MarkupRecord]:
    """The markups of an essay that count, experts before algorithms."""
    return (
        essay.markups.filter(state=MarkupRecord.State.SUBMITTED)
        .select_related("author", "assignment", "essay")
        .prefetch_related("fragments")
        .order_by("-source", "pk")
    )


def know_sources(
    rows: Iterable[FragmentRecord], among: Iterable[FragmentRecord] = ()
) -> list[FragmentRecord]:
    """The rows, with what they were taken from: asked for at once, but for those ``among``."""
    source = FragmentRecord._meta.get_field("taken_from")
    found = list(rows)
    copies = [row for row in found if row.taken_from_id and not source.is_cached(row)]
    known = {row.pk: row for row in among}
    unknown = {row.taken_from_id for row in copies} - known.keys()
    if unknown:
        known |= FragmentRecord.objects.in_bulk(unknown)
    for row in copies:
        source.set_cached_value(row, known.get(row.taken_from_id))
    return found


_FRAGMENTS: Final = Prepared(lambda: FragmentRecord.objects.filter(markup=Given("markup")))


def fragments_of(record: MarkupRecord) -> list[FragmentRecord]:
    """The fragments of a markup in the order they were made."""
    rows = _FRAGMENTS(markup=record.pk)
    of_markup = FragmentRecord._meta.get_field("markup")
    for row in rows:
        of_markup.set_cached_value(row, record)
    return rows
