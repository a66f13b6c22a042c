"""What is decided of an essay's checks: a third one, its rulings, the final grade."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from annotator.models import Essay, FragmentRecord, MarkupRecord
from annotator.models.rules import FINAL_RULES


class ThirdCheck(models.Model):
    """The decision whether an essay needs a third expert, and why (Appendix 3, 3)."""

    essay = models.ForeignKey(
        Essay, models.CASCADE, related_name="third_checks", verbose_name=_("essay")
    )
    round = models.PositiveSmallIntegerField(_("round of checks"))
    first = models.ForeignKey(
        MarkupRecord, models.CASCADE, related_name="+", verbose_name=_("first markup")
    )
    second = models.ForeignKey(
        MarkupRecord, models.CASCADE, related_name="+", verbose_name=_("second markup")
    )
    needed = models.BooleanField(_("third check needed"))
    reasons = models.JSONField(_("reasons"), default=list)
    decided_at = models.DateTimeField(_("decided at"), db_default=Now())
    tried_at = models.DateTimeField(_("last tried to assign at"), null=True)

    class Meta:
        db_table = "scoring_thirdcheck"
        verbose_name = _("decision on a third check")
        verbose_name_plural = _("decisions on third checks")
        indexes = [
            models.Index(fields=["essay"], condition=models.Q(needed=True), name="thirds_needed")
        ]
        constraints = [
            models.UniqueConstraint(fields=["essay", "round"], name="one_decision_per_round"),
        ]

    def __str__(self) -> str:
        return f"{self.essay_id}: {self.needed}"


class Ruling(models.Model):
    """What a third expert says of a fragment of an earlier check: that ``neither`` of its pair is
    taken, or why it was decided so, or both. A reason alone decides nothing.

    What became of the fragment follows from the two markups (``review.core.settling``).
    """

    markup = models.ForeignKey(
        MarkupRecord, models.CASCADE, related_name="rulings", verbose_name=_("third markup")
    )
    fragment = models.ForeignKey(
        FragmentRecord, models.CASCADE, related_name="rulings", verbose_name=_("earlier fragment")
    )
    neither = models.BooleanField(_("neither is taken"), default=False)
    reason = models.CharField(_("reason"), max_length=500, blank=True)

    class Meta:
        db_table = "scoring_ruling"
        verbose_name = _("ruling of a third expert")
        verbose_name_plural = _("rulings of third experts")
        constraints = [
            models.UniqueConstraint(fields=["markup", "fragment"], name="one_ruling_per_fragment"),
        ]

    def __str__(self) -> str:
        return f"{self.markup_id} / {self.fragment_id}"


class FinalGrade(models.Model):
    """The final grade of an essay's round of checks, as it was settled.

    What it says never changes (a trigger watches): where a check is reopened or its points are
    other ones it is void, with the time and the reason, and another takes its place. ``points``
    by criterion where the rule is applied to each. ``sheets``: the points of the checks it was
    made from, by check; ``counted``: those of them that entered.
    """

    class Void(models.TextChoices):
        REOPENED = "reopened", _("a check was reopened")
        REGRADED = "regraded", _("points were graded anew")
        CHANGED = "changed", _("other checks or points count")

    essay = models.ForeignKey(
        Essay, models.CASCADE, related_name="final_grades", verbose_name=_("essay")
    )
    round = models.PositiveSmallIntegerField(_("round of checks"))
    first = models.ForeignKey(
        MarkupRecord, models.CASCADE, related_name="+", verbose_name=_("first markup")
    )
    second = models.ForeignKey(
        MarkupRecord, models.CASCADE, related_name="+", verbose_name=_("second markup")
    )
    third = models.ForeignKey(
        MarkupRecord, models.CASCADE, null=True, related_name="+", verbose_name=_("third markup")
    )
    rule = models.CharField(_("rule"), max_length=24, choices=FINAL_RULES)
    total = models.PositiveSmallIntegerField(_("final grade"))
    points = models.JSONField(_("points"), null=True)
    sheets = models.JSONField(_("points of the checks"))
    counted = models.JSONField(_("checks that counted"))
    settled_at = models.DateTimeField(_("settled at"), db_default=Now())
    voided_at = models.DateTimeField(_("void since"), null=True)
    voided_because = models.CharField(_("void because"), max_length=8, choices=Void, blank=True)
    reason = models.TextField(_("reason"), blank=True)

    class Meta:
        verbose_name = _("final grade")
        verbose_name_plural = _("final grades")
        ordering = ["essay", "round", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["essay", "round"],
                condition=models.Q(voided_at=None),
                name="one_final_grade_per_round",
            ),
            models.CheckConstraint(
                condition=models.Q(voided_at=None, voided_because="")
                | (models.Q(voided_at__isnull=False) & ~models.Q(voided_because="")),
                name="void_grade_says_why",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.essay_id}: {self.total}"
