"""What is promised to markups and not done yet, or was given up."""

from __future__ import annotations

from typing import Final

from django.db.models import BigIntegerField, CharField, Exists, OuterRef, Q, QuerySet, Value
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Concat

from annotator.models import Essay, MarkupRecord
from jobs.models import Job

OF_ANSWERS: Final = "scoring.assess_answers"


def waiting_job_of(essay: Essay) -> Job | None:
    """The next job in line that is about this essay, if any waits.

    One of answers is about every essay that an answer of its chunk is to.
    """
    numbers = MarkupRecord.objects.filter(essay=essay).values_list("pk", flat=True)
    keys = [
        key
        for number in numbers
        for key in (f"grade:{number}", f"score:{number}", f"essay:{essay.pk}:{number}")
    ]
    about = Q(key__in=keys) | Q(pk__in=_of_answers_to(essay).values("pk"))
    waiting = Job.objects.filter(about, state=Job.State.QUEUED)
    return waiting.order_by("priority", "pk").first()


def given_up(word: str, markup: str) -> Exists:
    """Were the points (``grade``) or scores (``score``) of the markup in this column given up?"""
    key = Concat(Value(f"{word}:"), Cast(OuterRef(markup), CharField()))
    return Exists(Job.objects.filter(key=key, state=Job.State.FAILED))


def _of_answers_to(essay: Essay) -> QuerySet[Job]:
    """Jobs of answers of which one at least is to this essay."""
    meant = {
        each: Cast(KeyTextTransform(each, "args"), BigIntegerField())
        for each in ("author_id", "first", "last")
    }
    answers = MarkupRecord.objects.filter(
        essay=essay,
        source=MarkupRecord.Source.ALGORITHM,
        state=MarkupRecord.State.SUBMITTED,
        author_id=OuterRef("author_id"),
        origin=OuterRef("origin"),
        pk__gte=OuterRef("first"),
        pk__lte=OuterRef("last"),
    )
    jobs = Job.objects.filter(kind=OF_ANSWERS, state=Job.State.QUEUED)
    jobs = jobs.annotate(origin=KeyTextTransform("origin", "args"), **meant)
    return jobs.filter(Exists(answers))
