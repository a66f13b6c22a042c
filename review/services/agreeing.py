"""Where the experts of a set differ: ordered when it is asked for, computed by a job, kept."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations
from random import Random
from typing import Final

from django.db.models import F, QuerySet
from django.db.models.functions import Now

from annotator.models import EssaySet, MarkupRecord
from compare.core.matcher import match
from jobs.models import Job
from jobs.services.work import fenced, order
from review.core.agreement import Compared, Side, agreement, compared
from review.core.agreement_json import agreement_to_json, pair_to_json
from review.models import AgreementReport, ThirdCheck
from review.queries.agreement import checks_apart
from review.services.revisions import revision_of_checks
from web.core.batches import batched

BATCH: Final = 50
"""Essays whose markups are in memory at once."""
SEED: Final = 20
"""Of the resampling, so that the same checks always have the same intervals."""


def order_agreement(*, essay_set: EssaySet) -> Job | None:
    """Promise the figures of a set, unless they are kept for its present checks. Safe to repeat."""
    revision = revision_of_checks(essay_set)
    if AgreementReport.objects.filter(essay_set=essay_set, revision=revision).exists():
        return None
    return order(
        kind="review.compute_agreement",
        key=f"agreement:{essay_set.pk}:{revision}",
        args={"set_id": essay_set.pk},
        priority=Job.Priority.RUNS,
    )


def compute_agreement(*, set_id: int) -> None:
    """Compute the figures of a set and keep them in place of earlier ones. Safe to repeat."""
    essay_set = EssaySet.objects.filter(pk=set_id).first()
    if essay_set is None:
        return  # deleted meanwhile
    revision = revision_of_checks(essay_set)
    pairs = list(pairs_of(essay_set))
    sample = Random(SEED)  # noqa: S311 # nosec B311 - draws essays, keeps no secret
    found = agreement(pairs, random=sample)
    report = AgreementReport(
        essay_set=essay_set,
        revision=revision,
        figures=[agreement_to_json(each) for each in found],
        pairs=[pair_to_json(pair) for pair in pairs],
        computed_at=Now(),
    )
    with fenced():
        AgreementReport.objects.bulk_create(
            [report],
            update_conflicts=True,
            unique_fields=["essay_set"],
            update_fields=["revision", "figures", "pairs", "computed_at"],
        )


def pairs_of(essay_set: EssaySet) -> Iterator[Compared]:
    """Every two graded checks of an essay that were made apart from each other, by essays.

    A third check is none of these: its expert saw the two before.
    """
    essays = essay_set.essays.order_by("number", "pk").values_list("pk", flat=True)
    for numbers in batched(essays, BATCH):
        checks: dict[int, list[MarkupRecord]] = defaultdict(list)
        for record in _checks(numbers):
            checks[record.essay_id].append(record)
        decisions = _decisions(numbers)
        for essay in numbers:
            yield from _pairs(checks.get(essay, ()), decisions)


def _checks(essays: Iterable[int]) -> QuerySet[MarkupRecord]:
    """The first check of each essay, the second, then those beside the checks."""
    return (
        checks_apart()
        .filter(essay__in=essays)
        .select_related("essay", "criteria", "assignment")
        .prefetch_related("fragments")
        .order_by("essay", F("assignment__role").asc(nulls_last=True), "pk")
    )


def _decisions(essays: Iterable[int]) -> dict[frozenset[int], bool]:
    found = ThirdCheck.objects.filter(essay__in=essays, round=F("essay__round"))
    fields = found.values_list("first_id", "second_id", "needed")
    return {frozenset((first, second)): needed for first, second, needed in fields}


def _pairs(
    checks: Iterable[MarkupRecord], decisions: dict[frozenset[int], bool]
) -> Iterator[Compared]:
    values = [(record, record.to_core()) for record in checks]
    for (one, left), (other, right) in combinations(values, 2):
        if one.author_id == other.author_id:
            continue
        yield compared(
            match(left, right),
            (_side(one), _side(other)),
            essay=one.essay_id,
            subject=one.essay.core_subject,
            third=decisions.get(frozenset((one.pk, other.pk))),
        )


def _side(record: MarkupRecord) -> Side:
    return Side(record.pk, record.author_id, record.criteria.to_core())
