"""What came in together is assessed by one job: an essay of an import, answers of a session."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from django.db.models import Max, Q, QuerySet

from annotator.models import Essay, MarkupRecord
from annotator.queries.markups import submitted_markups
from annotator.services.assignment import hold
from jobs.models import Job
from jobs.services.work import Promise, fenced, order, order_all
from scoring.models import CriteriaRecord
from scoring.queries.waiting import OF_ANSWERS
from scoring.services.grading import announce, keep_points
from scoring.services.ordering import KINDS, order_figures
from scoring.services.pairs import keep_scores, scores_between, sheets_of
from scoring.signals import answers_assessed


def order_assessments(*, essay_ids: Iterable[int]) -> None:
    """Promise them in bulk. The key bears an essay's revision: its newest markup.

    So what comes in later is ordered anew, also when the earlier promise is kept already.
    """
    found = MarkupRecord.objects.filter(essay__in=essay_ids).order_by("essay")
    order_all(
        (
            Promise("scoring.assess_essay", f"essay:{essay}:{newest}", {"essay_id": essay})
            for essay, newest in found.values_list("essay").annotate(Max("pk"))
        ),
        priority=Job.Priority.BULK,
    )


def assess(*, essay_id: int) -> None:
    """Grade each markup once, match each pair once, announce it. Safe to repeat.

    What is reopened or withdrawn meanwhile gets nothing: its rows are looked at once more, and
    held, when the results are written.
    """
    essay = Essay.objects.select_related("essay_set__rules").get(pk=essay_id)
    values = {record: record.to_core() for record in submitted_markups(essay)}
    sheets = sheets_of(essay, values)
    scores = list(scores_between(essay, values, sheets))
    with fenced():
        hold(essay_id)
        counting = set(
            MarkupRecord.objects.select_for_update(no_key=True)
            .filter(essay=essay_id, state=MarkupRecord.State.SUBMITTED)
            .order_by("pk")
        )
        keep_points({record: sheet for record, sheet in sheets.items() if record in counting})
        keep_scores(each for each in scores if {each.assessed, each.reference} <= counting)
        announce(essay_id=essay_id)


def order_answers(*, author_id: int, origin: str, first: int, last: int) -> None:
    """Promise points and scores of an algorithm's markups, from one number to another."""
    order(
        kind=OF_ANSWERS,
        key=f"figures:{first}:{last}",
        args={"author_id": author_id, "origin": origin, "first": first, "last": last},
        priority=Job.Priority.RUNS,
    )


def assess_answers(*, author_id: int, origin: str, first: int, last: int) -> None:
    """Grade each answer, match it with its essay's experts, announce them. Safe to repeat.

    What does not stand as it was read when the results are written gets nothing: whoever submits
    it anew is promised its pairs.
    """
    ours = set(answers_of(author_id, origin, first, last))
    read = experts_and(ours)
    sheets, scores = {}, []
    for _essay, markups in groupby(read, lambda record: record.essay_id):
        values = {record: record.to_core() for record in markups}
        points = sheets_of(next(iter(values)).essay, values)
        for record in ours & values.keys():
            sheets[record] = points[record]
            scores += scores_between(record.essay, values, points, of=record)
    with fenced():
        standing = hold_standing(read)
        keep_points({record: sheet for record, sheet in sheets.items() if record in standing})
        keep_scores(each for each in scores if {each.assessed, each.reference} <= standing)
    with fenced():  # of two that end at once the later sees what both have written
        answers_assessed.send(sender=CriteriaRecord, author_id=author_id, origin=origin)


def answers_of(author_id: int, origin: str, first: int, last: int) -> QuerySet[MarkupRecord]:
    """The markups of an algorithm that count, from one number to another."""
    return MarkupRecord.objects.filter(
        author=author_id,
        origin=origin,
        source=MarkupRecord.Source.ALGORITHM,
        state=MarkupRecord.State.SUBMITTED,
        pk__range=(first, last),
    )


def experts_and(answers: Iterable[MarkupRecord]) -> list[MarkupRecord]:
    """Answers with the markups of experts of their essays, essay by essay, experts first."""
    own = Q(pk__in=[record.pk for record in answers])
    essays = [record.essay_id for record in answers]
    experts = Q(essay__in=essays, source=MarkupRecord.Source.EXPERT)
    found = MarkupRecord.objects.filter(own | experts, state=MarkupRecord.State.SUBMITTED)
    found = found.select_related("essay__essay_set__rules").prefetch_related("fragments")
    return list(found.order_by("essay", "-source", "pk"))


def hold_standing(read: Iterable[MarkupRecord]) -> set[MarkupRecord]:
    """Those of the markups that are submitted in the version that was read, held."""
    versions = {record.pk: record.version for record in read}
    held = MarkupRecord.objects.select_for_update(no_key=True).filter(pk__in=versions)
    found = held.filter(state=MarkupRecord.State.SUBMITTED).order_by("pk")
    return {record for record in found if record.version == versions[record.pk]}


def order_each_of_job(*, job_id: int) -> None:
    """Promise the figures of answers one by one where those of all were given up.

    So one that cannot be assessed keeps them from no other, and fails by its own name.
    """
    job = Job.objects.filter(pk=job_id, kind=OF_ANSWERS).first()
    for record in answers_of(**job.args) if job else ():
        order_figures(markup_id=record.pk)


def announce_answer(*, markup_id: int) -> None:
    """Tell of the figures of one answer of a session, there or given up.

    Nobody waits for those of what was sent freely.
    """
    record = MarkupRecord.objects.filter(pk=markup_id).first()
    if record is None or not record.origin or record.source != MarkupRecord.Source.ALGORITHM:
        return
    with fenced():
        answers_assessed.send(
            sender=CriteriaRecord, author_id=record.author_id, origin=record.origin
        )


def announce_answer_of_job(*, job_id: int) -> None:
    """The same of the answer a job was about."""
    job = Job.objects.filter(pk=job_id, kind__in=KINDS.values()).first()
    if job:
        announce_answer(**job.args)
