"""Every pair of an essay's markups, aligned and measured (Appendix 2, 4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from annotator.models import MarkupRecord, RuleSet
from annotator.queries import submitted_markups
from compare.core.matcher import match
from jobs.services.work import fenced
from scoring.core.counts import Counts, count
from scoring.core.criteria import grade as grade_by_rules
from scoring.core.criteria.sheet import K_MAX
from scoring.core.metrics import Weights, m1, measure, pairwise_accuracy
from scoring.models import PairScore

COUNTS = tuple(Counts.__dataclass_fields__)


def score_pairs_of(*, markup_id: int) -> None:
    """Score a submitted markup against every other one of its essay. Safe to repeat.

    Algorithms are assessed against experts, experts against each other in both directions.
    """
    record = MarkupRecord.objects.select_related("essay__essay_set__rules").get(pk=markup_id)
    rules = record.essay.essay_set.rules
    markups = list(submitted_markups(record.essay))
    scores = [
        score(assessed, reference, rules)
        for assessed, reference in _pairs(markups)
        if record.pk in (assessed.pk, reference.pk)
    ]
    with fenced():
        PairScore.objects.bulk_create(
            scores,
            update_conflicts=True,
            unique_fields=["assessed", "reference", "rules"],
            update_fields=[*COUNTS, "m1", "accuracy"],
        )


def score(assessed: MarkupRecord, reference: MarkupRecord, rules: RuleSet) -> PairScore:
    """The score of one ordered pair, not saved."""
    left, right = assessed.to_core(), reference.to_core()
    subject = assessed.essay.core_subject
    points = grade_by_rules(subject, left), grade_by_rules(subject, right)
    counts = count(match(left, right))
    metrics = measure(counts, m1=m1(points[0].total, points[1].total, K_MAX[subject]))
    return PairScore(
        assessed=assessed,
        reference=reference,
        rules=rules,
        **asdict(counts),
        m1=metrics.m1,
        accuracy=pairwise_accuracy(metrics, weights_of(rules)),
    )


def weights_of(rules: RuleSet) -> Weights:
    """w1 to w7 of a rule set."""
    return Weights(*(getattr(rules, f"w{number}") for number in range(1, 8)))


def _pairs(markups: list[MarkupRecord]) -> Iterator[tuple[MarkupRecord, MarkupRecord]]:
    """Assessed and reference: the reference is always an expert's."""
    experts = [each for each in markups if each.source == MarkupRecord.Source.EXPERT]
    return (
        (assessed, reference)
        for assessed in markups
        for reference in experts
        if assessed.pk != reference.pk
    )
