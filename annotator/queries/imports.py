"""Imports and what came of their files."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import Case, Count, Q, QuerySet, Value, When

from annotator.models import Assignment, MarkupRecord
from annotator.models.imports import EssayImport, ImportedFile
from annotator.queries.third_checks import FIRST_TWO


def import_that_replaced(record: MarkupRecord) -> EssayImport | None:
    """The import that brought another markup in the place of this one, if one did."""
    found = EssayImport.objects.exclude(begun_at=None).exclude(state=EssayImport.State.UNDONE)
    return found.filter(files__replaced=record).order_by("-pk").first()


REMARKED: Final = "remarked"
"""Stands beside the outcomes of files: those that were remarked on, whatever became of them."""


def files_of(batch: EssayImport, outcome: str) -> QuerySet[ImportedFile]:
    """The files of an import, those of one outcome, or those ``REMARKED`` on; what surprised and
    was refused is first.
    """
    refused = When(outcome=ImportedFile.Outcome.REFUSED, then=Value(0))
    surprising = When(~Q(foreseen=""), then=Value(0))
    files = batch.files.filter(outcome=outcome) if outcome else batch.files.all()
    if outcome == REMARKED:
        files = files_remarked_on(batch)
    return files.order_by(Case(surprising, default=Value(1)), Case(refused, default=1), "name")


def files_remarked_on(batch: EssayImport) -> QuerySet[ImportedFile]:
    """Files of which not everything came in as it was written, or something is to be minded."""
    return batch.files.exclude(remarked=[])


def essays_like_others(batch: EssayImport) -> list[str]:
    """The numbers of the new essays of an import that may be others once more."""
    rows = batch.files.filter(outcome=ImportedFile.Outcome.ESSAY).exclude(remarked=[])
    return [row.number for row in rows.order_by("pk") if row.is_like_another]


def authors_of(batch: EssayImport) -> QuerySet[ImportedFile, dict[str, Any]]:
    """Whose markups an import brings, how many, and whether an account is made for them."""
    brought = batch.files.filter(outcome=ImportedFile.Outcome.MARKUP)
    made = Count("pk", filter=Q(makes_account=True))
    return brought.values("author").annotate(markups=Count("pk"), made=made).order_by("author")


def outcomes_of(batch: EssayImport) -> list[tuple[str, str, int]]:
    """Every outcome of a file, its name, and how many files of an import had it."""
    counted = batch.files.order_by().values_list("outcome").annotate(Count("pk"))
    counts = dict(counted)
    return [(each.value, str(each.label), counts.get(each, 0)) for each in ImportedFile.Outcome]


def third_checks_called_by(batch: EssayImport) -> QuerySet[Assignment]:
    """Third checks that were given since an import, of essays it brought one of the two of."""
    brought = MarkupRecord.objects.filter(
        pk__in=batch.files.order_by().values("markup"), assignment__role__in=FIRST_TWO
    )
    came_along = batch.files.exclude(check_made=None).order_by().values("check_made")
    return (
        Assignment.objects.filter(essay__in=brought.values("essay"), role=Assignment.Role.THIRD)
        .filter(created_at__gte=batch.begun_at)
        .exclude(pk__in=came_along)
    )


def surprising_in(batch: EssayImport) -> QuerySet[ImportedFile]:
    """The files of an import that came out otherwise than its preview said."""
    return batch.files.exclude(foreseen="")
