"""What plans of checks need to know of experts, and what is kept of a plan."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from annotator.models import Assignment, Essay


class ExpertLimit(models.Model):
    """How many checks an expert may have open at once; without a row there is no limit."""

    expert = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="check_limit",
        verbose_name=_("expert"),
    )
    checks = models.PositiveSmallIntegerField(_("open checks at most"))

    class Meta:
        verbose_name = _("limit of an expert")
        verbose_name_plural = _("limits of experts")

    def __str__(self) -> str:
        return f"{self.expert_id}: {self.checks}"


class ExpertConflict(models.Model):
    """Two experts who never check one essay; ``one`` has the smaller number."""

    one = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("expert")
    )
    other = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("expert")
    )

    class Meta:
        verbose_name = _("conflict of two experts")
        verbose_name_plural = _("conflicts of experts")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["one", "other"], name="one_conflict_per_pair"),
            models.CheckConstraint(condition=Q(one__lt=F("other")), name="conflict_is_of_two"),
        ]

    def __str__(self) -> str:
        return f"{self.one_id} / {self.other_id}"


class Pin(models.Model):
    """An expert who is to have one of the first two checks of an essay, whatever the rule says."""

    essay = models.ForeignKey(Essay, models.CASCADE, related_name="pins", verbose_name=_("essay"))
    expert = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("expert")
    )

    class Meta:
        verbose_name = _("pinned check")
        verbose_name_plural = _("pinned checks")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["essay", "expert"], name="one_pin_per_expert"),
        ]

    def __str__(self) -> str:
        return f"{self.essay_id}: {self.expert_id}"


class Plan(models.Model):
    """Checks given in bulk: a preview until it is confirmed, then what was given by it.

    ``options``: the filter and the rules it was made by. ``outcome``: what it would do, with
    ``digest``; ``changes``: what became otherwise since somebody looked at it.
    """

    class State(models.TextChoices):
        PREVIEW = "preview", _("preview")
        DONE = "done", _("carried out")
        WITHDRAWN = "withdrawn", pgettext_lazy("state of a plan", "withdrawn")

    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("who")
    )
    state = models.CharField(_("state"), max_length=9, choices=State, default=State.PREVIEW)
    options = models.JSONField(_("filter and rules"), default=dict)
    outcome = models.JSONField(default=dict, editable=False)
    digest = models.CharField(max_length=64, editable=False)
    changes = models.JSONField(default=list, editable=False)
    given = models.PositiveIntegerField(_("checks given"), default=0)
    taken = models.PositiveIntegerField(_("checks taken away"), default=0)
    unfilled = models.PositiveIntegerField(_("checks for nobody"), default=0)
    made_at = models.DateTimeField(_("made at"), db_default=Now())
    done_at = models.DateTimeField(_("carried out at"), null=True, blank=True)
    withdrawn_at = models.DateTimeField(_("withdrawn at"), null=True, blank=True)

    class Meta:
        verbose_name = _("plan of checks")
        verbose_name_plural = _("plans of checks")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["actor"], condition=Q(state="preview"), name="one_preview_per_person"
            ),
            models.CheckConstraint(
                condition=Q(state="preview") | Q(done_at__isnull=False),
                name="done_plan_has_its_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pk} {self.state}"

    @property
    def wanted(self) -> int:
        """How many checks it was to give."""
        return self.given + self.unfilled


class PlannedCheck(models.Model):
    """A check that was given by a plan."""

    plan = models.ForeignKey(
        Plan, models.CASCADE, related_name="checks", verbose_name=_("plan of checks")
    )
    assignment = models.OneToOneField(
        Assignment, models.CASCADE, related_name="planned", verbose_name=_("assignment")
    )
    is_pinned = models.BooleanField(_("pinned"), default=False)

    class Meta:
        verbose_name = _("planned check")
        verbose_name_plural = _("planned checks")

    def __str__(self) -> str:
        return f"{self.plan_id}: {self.assignment_id}"
