"""Final grades: those that count, and those that do no more."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Exists, F, OuterRef, Prefetch, Q, QuerySet

from annotator.models import Essay, EssaySet, MarkupRecord
from annotator.models.imports import EssayImport
from annotator.queries.essays import LATEST
from review.models import FinalGrade
from review.queries.desk import with_states


def unvoided_grades() -> QuerySet[FinalGrade]:
    """Final grades that nothing has voided."""
    return FinalGrade.objects.filter(voided_at=None)


def standing_grades() -> QuerySet[FinalGrade]:
    """The final grades of the present rounds whose checks are all submitted: those that count."""
    counts = MarkupRecord.State.SUBMITTED
    return unvoided_grades().filter(
        Q(third=None) | Q(third__state=counts),
        round=F("essay__round"),
        first__state=counts,
        second__state=counts,
    )


def grades_of(essays: Iterable[Essay]) -> dict[int, FinalGrade]:
    """The final grades of these essays that count, by essay; one query."""
    found = standing_grades().filter(essay__in=[each.pk for each in essays])
    return {each.essay_id: each for each in found}


def grades_resting_on(batch: EssayImport) -> QuerySet[FinalGrade]:
    """The final grades that count and go where an import is undone: of its essays, its markups."""
    essays, markups = (
        batch.files.order_by().values("essay"),
        batch.files.order_by().values("markup"),
    )
    rests = Q(first__in=markups) | Q(second__in=markups) | Q(third__in=markups)
    return standing_grades().filter(Q(essay__in=essays) | rests)


def voided_grades(essay: Essay) -> QuerySet[FinalGrade]:
    """The final grades of an essay's present round that count no more, in their order."""
    return essay.final_grades.filter(round=essay.round, voided_at__isnull=False).order_by("pk")


def grades_for_pupils() -> QuerySet[FinalGrade]:
    """The grades that count, with all that stands on a pupil's page."""
    return (
        standing_grades()
        .filter(essay__closed_at=None)
        .select_related("essay", "first", "second", "third")
        .prefetch_related("first__fragments", "second__fragments", "third__fragments")
        .order_by("pk")
    )


def essays_of_grades(essay_set: EssaySet) -> QuerySet[Essay]:
    """The essays of a set that may have a grade: the latest versions, without their texts."""
    return Essay.objects.filter(LATEST, essay_set=essay_set).defer("text", "task_text")


def essays_without_page(essay_set: EssaySet, *, up_to: int) -> QuerySet[Essay]:
    """The essays of a set that have none of the ``grades_for_pupils`` up to this one, by number,
    each with its ``standing`` on the desk.
    """
    had = standing_grades().filter(essay=OuterRef("pk"), pk__lte=up_to)
    found = with_states(essays_of_grades(essay_set)).filter(~Exists(had))
    return found.order_by("number", "pk")


def with_standing_grades(essays: QuerySet[Essay]) -> QuerySet[Essay]:
    """The same essays, each with a list ``standing`` of its final grade that counts, or none."""
    return essays.prefetch_related(Prefetch("final_grades", standing_grades(), to_attr="standing"))
