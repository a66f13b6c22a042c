"""Stored points computed anew after a rule has changed: first shown, then written in chunks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet

from accounts.services.audit import audit
from annotator.models import MarkupRecord
from scoring.core import criteria
from scoring.models import CriteriaRecord
from scoring.services.grading import grade
from scoring.services.pairs import score_pairs_of
from scoring.signals import points_regraded

CHUNK: Final = 100
"""Markups of one transaction: nobody waits long for a row of theirs."""


@dataclass(frozen=True, slots=True)
class Change:
    """A markup whose stored points are not those of the rules any more."""

    markup: MarkupRecord
    before: Mapping[str, int]
    after: Mapping[str, int]
    totals: tuple[int, int]

    @property
    def points(self) -> dict[str, tuple[int | None, int]]:
        """The criteria that change: points before and after."""
        return {
            name: (self.before.get(name), points)
            for name, points in self.after.items()
            if self.before.get(name) != points
        }


def outdated_points(graded: QuerySet[CriteriaRecord]) -> Iterator[Change]:
    """Of ``graded_markups`` those whose points the rules would not give."""
    for stored in graded.iterator(chunk_size=CHUNK):
        markup = stored.markup
        sheet = criteria.grade(markup.essay.core_subject, markup.to_core())
        if (stored.points, stored.total, stored.nomination) != (
            dict(sheet.points),
            sheet.total,
            sheet.nomination,
        ):
            yield Change(markup, stored.points, sheet.points, (stored.total, sheet.total))


def regrade(*, markup_ids: Sequence[int], chunk: int = CHUNK) -> int:
    """Write the points of these markups anew, a chunk a transaction; returns how many changed.

    Safe to repeat, and to stop anywhere. Decisions on third checks stay as they are.
    """
    starts = range(0, len(markup_ids), chunk)
    return sum(_regrade_chunk(markup_ids[start : start + chunk]) for start in starts)


@transaction.atomic
def _regrade_chunk(markup_ids: Sequence[int]) -> int:
    rows = MarkupRecord.objects.select_for_update(of=("self",), no_key=True)
    found = rows.filter(pk__in=markup_ids, state=MarkupRecord.State.SUBMITTED).order_by("pk")
    return sum(_regrade_one(record) for record in list(found))


def _regrade_one(record: MarkupRecord) -> bool:
    before = _points_of(record)
    if before is None:
        return False  # it waits for its first grading, or was reopened in between
    grade(markup_id=record.pk)
    after = _points_of(record)
    if after == before:
        return False
    score_pairs_of(markup_id=record.pk)
    about = {"essay": record.essay_id, "before": before, "after": after}
    audit(actor=None, action="markup.regraded", target=record, **about)
    points_regraded.send(sender=CriteriaRecord, markup_id=record.pk)
    return True


def _points_of(record: MarkupRecord) -> dict[str, Any] | None:
    stored = CriteriaRecord.objects.filter(markup=record)
    return stored.values("points", "total", "nomination").first()
