"""The rules an essay set is marked, scored and graded by."""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from annotator.core.final_rule import FinalRule, final_rules
from annotator.core.values import Subject
from web.validators import clean_name

FINAL_RULES: Final = [
    ("mean-third/total", _("mean of two, rounded up; a third check is final; on the total")),
    ("mean-third/criteria", _("mean of two, rounded up; a third check is final; by criterion")),
    ("nearest-two/total", _("mean of the two nearest, rounded up; on the total")),
    ("nearest-two/criteria", _("mean of the two nearest, rounded up; by criterion")),
    ("median/total", _("median of three, mean of two rounded up; on the total")),
    ("median/criteria", _("median of three, mean of two rounded up; by criterion")),
]
"""Every rule of final grades, and its name in words (``annotator.core.final_rule``)."""


def known_final_rules(kept: Any) -> None:
    """Refuse what is no table of final rules."""
    try:
        final_rules(kept)
    except ValueError as error:
        raise ValidationError(_("This is no rule of final grades.")) from error


class RuleSet(models.Model):
    """The parameters of a contest (regulation, 2.17), frozen: a change is a new version.

    ``w1``..``w7`` weigh the metrics, ``hardness`` is H of STAR (Appendix 1). ``final_grades`` says
    by which policy each subject's final grades are made, ``{"eng": "mean-third/total"}``; of a
    subject that is left out it is not stated, and there are none.
    """

    class ThirdTotal(models.TextChoices):
        AUTO = "auto", _("K1–K5 when known, else K3 + K4")
        NOMINATION = "nomination", _("K3 + K4")
        ALL = "all", _("all criteria")

    name = models.CharField(_("name"), max_length=80, validators=[clean_name])
    version = models.PositiveSmallIntegerField(_("version"), default=1)
    w1 = models.FloatField(default=0)
    w2 = models.FloatField(default=1)
    w3 = models.FloatField(default=1)
    w4 = models.FloatField(default=1)
    w5 = models.FloatField(default=1)
    w6 = models.FloatField(default=1)
    w7 = models.FloatField(default=0)
    hardness = models.FloatField(_("hardness H"), default=1)
    third_total = models.CharField(
        _("total for the third check"), max_length=10, choices=ThirdTotal, default=ThirdTotal.AUTO
    )
    nomination_only = models.BooleanField(_("only the nomination's codes"), default=False)
    allow_crossing = models.BooleanField(_("fragments may cross"), default=False)
    blind_first = models.BooleanField(_("the third expert marks blindly first"), default=False)
    days_to_mark = models.PositiveSmallIntegerField(_("days to mark an essay"), default=7)
    final_grades = models.JSONField(
        _("final grades"), null=True, blank=True, validators=[known_final_rules]
    )
    created_at = models.DateTimeField(_("made at"), db_default=Now())

    class Meta:
        verbose_name = _("rule set")
        verbose_name_plural = _("rule sets")
        ordering = ["name", "-version"]
        constraints = [
            models.UniqueConstraint(fields=["name", "version"], name="one_rule_set_per_version"),
            models.CheckConstraint(
                condition=Q(w1__gte=0, w2__gte=0, w3__gte=0, w4__gte=0, w5__gte=0, w6__gte=0),
                name="weights_are_not_negative",
            ),
            models.CheckConstraint(
                condition=Q(
                    w1__gt=0, w2__gt=0, w3__gt=0, w4__gt=0, w5__gt=0, w6__gt=0, _connector=Q.OR
                ),
                name="some_weight_counts",
                violation_error_message=_("At least one of the weights of M1 to M6 must not be 0."),
            ),
            models.CheckConstraint(condition=Q(w7=0), name="m7_is_not_used"),
            models.CheckConstraint(
                condition=Q(hardness__gte=0, hardness__lte=1), name="hardness_is_a_share"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.version}"

    def final_rule(self, subject: Subject) -> FinalRule | None:
        """How a subject's final grades are made; ``None`` where it is not stated."""
        return final_rules(self.final_grades).get(subject)

    def final_rules_in_words(self) -> str:
        """How final grades are made, a rule with its subjects; not stated where it is not."""
        named, words = dict(settings.SUBJECTS), dict(FINAL_RULES)
        found: dict[str, list[str]] = {}
        for subject, rule in final_rules(self.final_grades).items():
            found.setdefault(rule.code, []).append(str(named[subject]))
        if [len(subjects) for subjects in found.values()] == [len(named)]:
            (code,) = found
            return str(words[code])
        said = [f"{', '.join(subjects)}: {words[code]}" for code, subjects in found.items()]
        return "; ".join(said) or str(_("not stated"))
