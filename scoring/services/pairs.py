"""Every pair of an essay's markups, aligned and measured (Appendix 2, 4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from itertools import combinations

from annotator.core.values import Markup
from annotator.models import Essay, MarkupRecord, RuleSet
from annotator.queries.markups import submitted_markups
from compare.core.comparison import Comparison
from compare.core.matcher import match
from jobs.services.work import fenced
from scoring.core.counts import Counts
from scoring.core.criteria import grade
from scoring.core.criteria.sheet import CriteriaSheet
from scoring.core.metrics import Weights
from scoring.core.pairs import measure_pair
from scoring.models import PairScore

COUNTS = tuple(Counts.__dataclass_fields__)


def score_pairs_of(*, markup_id: int) -> None:
    """Score a submitted markup against every other one of its essay. Safe to repeat.

    Algorithms are assessed against experts, experts against each other in both directions.
    """
    record = MarkupRecord.objects.select_related("essay__essay_set__rules").get(pk=markup_id)
    values = {each: each.to_core() for each in submitted_markups(record.essay)}
    scores = list(scores_between(record.essay, values, sheets_of(record.essay, values), of=record))
    with fenced():
        keep_scores(scores)


def sheets_of(
    essay: Essay, values: Mapping[MarkupRecord, Markup]
) -> dict[MarkupRecord, CriteriaSheet]:
    """The points of each markup, computed anew."""
    return {record: grade(essay.core_subject, markup) for record, markup in values.items()}


def scores_between(
    essay: Essay,
    values: Mapping[MarkupRecord, Markup],
    sheets: Mapping[MarkupRecord, CriteriaSheet],
    *,
    of: MarkupRecord | None = None,
) -> Iterator[PairScore]:
    """The scores of all ordered pairs, not saved; with ``of`` only of those it stands in.

    The reference is always an expert's. Two markups are matched once, for both directions.
    """
    rules = essay.essay_set.rules
    for one, other in combinations(values, 2):
        if not (_is_expert(one) or _is_expert(other)) or (of and of not in (one, other)):
            continue
        comparison = match(values[one], values[other])
        if _is_expert(other):
            yield _score(essay, (one, other), comparison, sheets, rules)
        if _is_expert(one):
            yield _score(essay, (other, one), comparison.mirrored(), sheets, rules)


def keep_scores(scores: Iterable[PairScore]) -> None:
    """Write scores in place of earlier ones of the same pairs and rules."""
    PairScore.objects.bulk_create(
        scores,
        update_conflicts=True,
        unique_fields=["assessed", "reference", "rules"],
        update_fields=[*COUNTS, "m1", "accuracy"],
    )


def weights_of(rules: RuleSet) -> Weights:
    """w1 to w7 of a rule set."""
    return Weights(*(getattr(rules, f"w{number}") for number in range(1, 8)))


def _score(
    essay: Essay,
    pair: tuple[MarkupRecord, MarkupRecord],
    comparison: Comparison,
    sheets: Mapping[MarkupRecord, CriteriaSheet],
    rules: RuleSet,
) -> PairScore:
    assessed, reference = pair
    measured = measure_pair(
        comparison,
        (sheets[assessed], sheets[reference]),
        subject=essay.core_subject,
        weights=weights_of(rules),
    )
    return PairScore(
        assessed=assessed,
        reference=reference,
        rules=rules,
        **asdict(measured.counts),
        m1=measured.metrics.m1,
        accuracy=measured.accuracy,
    )


def _is_expert(record: MarkupRecord) -> bool:
    return record.source == MarkupRecord.Source.EXPERT
