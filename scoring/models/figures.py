"""Points of markups, and how exactly one markup repeats another."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from annotator.models import MarkupRecord, RuleSet
from scoring.core.counts import Counts
from scoring.core.criteria.sheet import CriteriaSheet
from scoring.core.metrics import Metrics, measure


class CriteriaRecord(models.Model):
    """The points a submitted markup gives its essay: the same markup always gives the same."""

    markup = models.OneToOneField(
        MarkupRecord, models.CASCADE, related_name="criteria", verbose_name=_("markup")
    )
    points = models.JSONField(_("points"))
    total = models.PositiveSmallIntegerField(_("total"))
    nomination = models.PositiveSmallIntegerField(_("K3 + K4"), null=True)
    graded_at = models.DateTimeField(_("graded at"), db_default=Now())

    class Meta:
        verbose_name = _("points of a markup")
        verbose_name_plural = _("points of markups")

    def __str__(self) -> str:
        return f"{self.markup_id}: {self.total}"

    def to_core(self) -> CriteriaSheet:
        return CriteriaSheet(self.points)


class PairFigures(models.Model):
    """What one pair of markups measures.

    The counts are those of ``scoring.core.counts.Counts``; M2 to M6 follow from them. ``m1`` and
    ``accuracy`` are percent, not rounded, and empty where undefined.
    """

    n = models.PositiveIntegerField()
    m = models.PositiveIntegerField()
    found = models.PositiveIntegerField(_("pairs found"))
    equal_codes = models.PositiveIntegerField(_("equal codes"))
    equal_subcodes = models.PositiveIntegerField(_("equal subcodes"))
    localization = models.FloatField(_("exactness of borders"))
    equal_corrections = models.PositiveIntegerField(_("equal corrections"))
    m1 = models.FloatField(null=True)
    accuracy = models.FloatField(_("pairwise accuracy"), null=True)

    class Meta:
        abstract = True

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


class PairScore(PairFigures):
    """How exactly ``assessed`` repeats ``reference`` under one rule set."""

    assessed = models.ForeignKey(
        MarkupRecord, models.CASCADE, related_name="scores", verbose_name=_("assessed markup")
    )
    reference = models.ForeignKey(
        MarkupRecord,
        models.CASCADE,
        related_name="scores_as_reference",
        verbose_name=_("reference markup"),
    )
    # one of few: an index by it alone would lead to all pairs there are, of each markup anew
    rules = models.ForeignKey(RuleSet, models.PROTECT, db_index=False, verbose_name=_("rules"))
    scored_at = models.DateTimeField(_("scored at"), db_default=Now())

    class Meta:
        verbose_name = _("score of a pair")
        verbose_name_plural = _("scores of pairs")
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
