from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from annotator.models import Essay, MarkupRecord, RuleSet
from scoring.core.counts import Counts
from scoring.core.criteria.sheet import CriteriaSheet
from scoring.core.metrics import Metrics, measure


class CriteriaRecord(models.Model):
    """The points a submitted markup gives its essay: the same markup always gives the same."""

    markup = models.OneToOneField(MarkupRecord, models.CASCADE, related_name="criteria")
    points = models.JSONField()
    total = models.PositiveSmallIntegerField()
    nomination = models.PositiveSmallIntegerField(null=True)
    graded_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"{self.markup_id}: {self.total}"

    def to_core(self) -> CriteriaSheet:
        return CriteriaSheet(self.points)


class ThirdCheck(models.Model):
    """The decision whether an essay needs a third expert, and why (Appendix 3, 3)."""

    essay = models.ForeignKey(Essay, models.CASCADE, related_name="third_checks")
    round = models.PositiveSmallIntegerField()
    first = models.ForeignKey(MarkupRecord, models.CASCADE, related_name="+")
    second = models.ForeignKey(MarkupRecord, models.CASCADE, related_name="+")
    needed = models.BooleanField(_("third check needed"))
    reasons = models.JSONField(default=list)
    decided_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["essay", "round"], name="one_decision_per_round"),
        ]

    def __str__(self) -> str:
        return f"{self.essay_id}: {self.needed}"


class PairScore(models.Model):
    """How exactly ``assessed`` repeats ``reference`` under one rule set.

    The counts are those of ``scoring.core.counts.Counts``; M2 to M6 follow from them. ``m1`` and
    ``accuracy`` are percent, not rounded, and empty where undefined.
    """

    assessed = models.ForeignKey(MarkupRecord, models.CASCADE, related_name="scores")
    reference = models.ForeignKey(MarkupRecord, models.CASCADE, related_name="scores_as_reference")
    rules = models.ForeignKey(RuleSet, models.PROTECT)
    n = models.PositiveIntegerField()
    m = models.PositiveIntegerField()
    found = models.PositiveIntegerField()
    equal_codes = models.PositiveIntegerField()
    equal_subcodes = models.PositiveIntegerField()
    localization = models.FloatField()
    equal_corrections = models.PositiveIntegerField()
    m1 = models.FloatField(null=True)
    accuracy = models.FloatField(null=True)
    scored_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["assessed", "reference", "rules"], name="one_score_per_pair_and_rules"
            ),
            models.CheckConstraint(
                condition=~Q(assessed=F("reference")), name="nobody_is_scored_against_himself"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.assessed_id} / {self.reference_id}: {self.accuracy}"

    def metrics(self) -> Metrics:
        """M1 to M7 of the pair."""
        counts = Counts(
            n=self.n,
            m=self.m,
            found=self.found,
            equal_codes=self.equal_codes,
            equal_subcodes=self.equal_subcodes,
            localization=self.localization,
            equal_corrections=self.equal_corrections,
        )
        return measure(counts, m1=self.m1)
