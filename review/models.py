from __future__ import annotations

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from annotator.models import Essay, FragmentRecord, MarkupRecord


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
