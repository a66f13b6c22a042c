"""The parameters of a contest, version by version, and who agreed to them (R 2.17)."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from annotator.models import RuleSet
from contest.models.contests import Contest, in_readers_language, language_told


class ParameterSet(models.Model):
    """A version of a contest's parameters; its values never change once it is proposed.

    ``rules``: weights, H, total for the third check (and what else a set is marked by).
    ``session``: what differs from the rules of a session, as ``contest.core.session_json`` names
    it: limit, interval, sends, share, window. ``star_to_qualify``: percent;
    ``annulled_to_qualify``: the greatest share of annulled files, 0 to 1. The first version is in
    force when the contest is announced; a later one once a judge and a member of the commission
    agreed (``in_force_at``).
    """

    contest = models.ForeignKey(
        Contest, models.PROTECT, related_name="parameter_sets", verbose_name=_("contest")
    )
    version = models.PositiveSmallIntegerField(_("version"), default=1, editable=False)
    rules = models.ForeignKey(RuleSet, models.PROTECT, related_name="+", verbose_name=_("rules"))
    session = models.JSONField(_("rules of sessions"), default=dict, blank=True)
    star_to_qualify = models.FloatField(_("STAR to be admitted, %"), default=0)
    annulled_to_qualify = models.FloatField(_("share of annulled files at most"), default=0.05)
    reason_ru = models.TextField(_("reason in Russian"), blank=True)
    reason_en = models.TextField(_("reason in English"), blank=True)
    proposed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        editable=False,
        related_name="+",
        verbose_name=_("proposed by"),
    )
    proposed_at = models.DateTimeField(_("proposed at"), db_default=Now())
    in_force_at = models.DateTimeField(_("in force since"), null=True, editable=False)
    rejected_at = models.DateTimeField(_("rejected at"), null=True, editable=False)

    class Meta:
        verbose_name = _("parameters of a contest")
        verbose_name_plural = _("parameters of contests")
        ordering = ["contest", "-version"]
        constraints = [
            models.UniqueConstraint(
                fields=["contest", "version"], name="one_parameter_set_per_version"
            ),
            models.UniqueConstraint(
                fields=["contest"],
                condition=Q(in_force_at=None, rejected_at=None),
                name="one_proposal_at_a_time",
            ),
            models.CheckConstraint(
                condition=Q(star_to_qualify__gte=0, star_to_qualify__lte=100)
                & Q(annulled_to_qualify__gte=0, annulled_to_qualify__lte=1),
                name="lines_of_the_qualification",
            ),
            models.CheckConstraint(
                condition=Q(in_force_at=None) | Q(rejected_at=None), name="in_force_or_rejected"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.contest_id} {self.version}"

    @property
    def reason(self) -> str:
        return in_readers_language(self.reason_ru, self.reason_en)

    @property
    def reason_language(self) -> str:
        return language_told(self.reason_ru, self.reason_en)


class Consent(models.Model):
    """What a judge or a member of the commission said to a proposal; a row never changes."""

    class Body(models.TextChoices):
        JUDGES = "judges", pgettext_lazy("consent", "judges")
        COMMISSION = "commission", pgettext_lazy("consent", "technical commission")

    parameters = models.ForeignKey(
        ParameterSet, models.PROTECT, related_name="consents", verbose_name=_("parameters")
    )
    body = models.CharField(_("body"), max_length=10, choices=Body)
    agrees = models.BooleanField(_("agrees"))
    reason = models.TextField(_("reason"), blank=True)
    who = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("who")
    )
    at = models.DateTimeField(_("time"), db_default=Now())

    class Meta:
        verbose_name = _("consent to parameters")
        verbose_name_plural = _("consents to parameters")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["parameters", "body"], name="one_consent_per_body"),
            models.CheckConstraint(
                condition=Q(agrees=True) | ~Q(reason=""), name="refused_consent_says_why"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.parameters_id}: {self.body}"
