"""Predictions that teams upload in contests without live sessions: terms, counters, uploads."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from annotator.models import EssaySet
from contest.models.contests import Phase
from contest.models.parcels import Parcel
from contest.models.teams import Team
from schemes.adapters import SCHEMES
from schemes.adapters.words import in_language
from schemes.models import SchemeRun, StoredKey

REMARKED: Final = 20
"""So much that was odd in an upload is told; of the rest how much there is."""


class UploadTerms(models.Model):
    """By which key the uploads of a phase are scored, and how many there may be.

    ``essay_set``: the test set whose markups are uploaded, in a contest of essays without live
    sessions; it has no key, its score runs say what the markups are worth. ``digest``: SHA-256 of
    the key, by which a short one could be found; everybody reads ``public_digest``, that of
    ``salt`` and the key, and the salt once the phase is closed. ``seed`` and ``public_share`` say
    which items of the key are public (``contest.core.splits``). The key, its options, the seed, the
    share and the set stay as they are once something was uploaded.
    """

    phase = models.OneToOneField(
        Phase, models.PROTECT, related_name="upload_terms", verbose_name=_("phase")
    )
    key = models.ForeignKey(
        StoredKey, models.PROTECT, null=True, related_name="+", verbose_name=_("stored key")
    )
    essay_set = models.ForeignKey(
        EssaySet,
        models.PROTECT,
        null=True,
        related_name="upload_terms",
        verbose_name=_("essay set"),
    )
    digest = models.CharField(_("digest"), max_length=64, blank=True)
    salt = models.CharField(max_length=32, blank=True, editable=False)
    public_digest = models.CharField(max_length=64, blank=True, editable=False)
    options = models.JSONField(_("options"), default=dict)
    seed = models.BigIntegerField(default=0, editable=False)
    public_share = models.FloatField(_("public share"), default=0.5)
    per_day = models.PositiveSmallIntegerField(_("uploads a day"), default=5)
    in_all = models.PositiveSmallIntegerField(_("uploads in all"), default=100)
    set_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("who")
    )
    set_at = models.DateTimeField(_("time"), db_default=Now())

    class Meta:
        verbose_name = _("terms of uploads")
        verbose_name_plural = _("terms of uploads")
        constraints = [
            models.CheckConstraint(
                condition=Q(public_share__gt=0, public_share__lte=1), name="part_of_key_is_public"
            ),
            models.CheckConstraint(
                condition=Q(per_day__gte=1, in_all__gte=1), name="some_upload_is_allowed"
            ),
            models.CheckConstraint(
                condition=Q(key=None, essay_set__isnull=False)
                | Q(key__isnull=False, essay_set=None),
                name="uploads_are_of_a_key_or_of_a_set",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.phase_id}: {self.digest[:12]}"


class UploadCounter(models.Model):
    """How many uploads of a team count in a phase: on ``day`` of the contest's zone, and in all."""

    phase = models.ForeignKey(Phase, models.PROTECT, related_name="+")
    team = models.ForeignKey(Team, models.PROTECT, related_name="+")
    day = models.DateField(null=True)
    of_day = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("counter of uploads")
        verbose_name_plural = _("counters of uploads")
        constraints = [
            models.UniqueConstraint(
                fields=["phase", "team"], name="one_upload_counter_per_team_and_phase"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.phase_id} {self.team_id}: {self.total}"


class Upload(models.Model):
    """Predictions a team sent, and what they got: means over items, from 0 to 1.

    Of a contest of essays it is a ``parcel`` of markups, which are taken in and have no ``run``.

    What is refused or cancelled counts neither on its ``day`` nor in all.
    """

    class State(models.TextChoices):
        WAITING = "waiting", pgettext_lazy("upload", "under way")
        SCORED = "scored", pgettext_lazy("upload", "scored")
        TAKEN = "taken", pgettext_lazy("upload", "taken in")
        REFUSED = "refused", pgettext_lazy("upload", "refused")
        CANCELLED = "cancelled", pgettext_lazy("upload", "cancelled")

    COUNTED = (State.WAITING, State.SCORED, State.TAKEN)

    phase = models.ForeignKey(
        Phase, models.PROTECT, related_name="uploads", verbose_name=_("phase")
    )
    team = models.ForeignKey(Team, models.PROTECT, related_name="uploads", verbose_name=_("team"))
    sent_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("sent by")
    )
    run = models.OneToOneField(
        SchemeRun, models.PROTECT, null=True, related_name="upload", verbose_name=_("run")
    )
    parcel = models.OneToOneField(
        Parcel, models.SET_NULL, null=True, related_name="upload", verbose_name=_("archive")
    )
    name = models.CharField(_("file"), max_length=200)
    digest = models.CharField("SHA-256", max_length=64)
    size = models.PositiveIntegerField(_("size in bytes"))
    client_key = models.CharField(max_length=80, null=True, editable=False)  # noqa: DJ001 - null is no key
    client_digest = models.CharField(max_length=64, blank=True, editable=False)
    day = models.DateField(_("day"))
    state = models.CharField(_("state"), max_length=9, choices=State, default=State.WAITING)
    public = models.FloatField(_("public part"), null=True)
    final = models.FloatField(_("final part"), null=True)
    public_items = models.PositiveIntegerField(default=0)
    final_items = models.PositiveIntegerField(default=0)
    sent_at = models.DateTimeField(_("sent at"), db_default=Now())

    class Meta:
        verbose_name = _("upload")
        verbose_name_plural = _("uploads")
        ordering = ["-pk"]
        indexes = [models.Index(fields=["phase", "team", "-id"], name="uploads_of_a_team")]
        constraints = [
            models.UniqueConstraint(fields=["team", "client_key"], name="one_upload_per_key"),
            models.CheckConstraint(
                condition=Q(run=None) | Q(parcel=None), name="predictions_or_markups"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.team_id}: {self.name}"

    def refusals(self) -> list[str]:
        """Why nothing could be scored, in the reader's language; of one that is refused alone."""
        if self.state != self.State.REFUSED:
            return []
        if self.run is None:
            return [gettext("No file of the archive was taken: it says why of each.")]
        return [in_language(each) for each in self.run.problems]

    def remarks(self) -> list[str]:
        """What was odd in what was sent, as lines that did not count, in the reader's language: of
        one that is scored alone, the first of very many and how many more.

        Nothing where contests keep another input than stored keys stand in for: no veil covers it.
        """
        if self.state != self.State.SCORED or self.run is None:
            return []
        if SCHEMES[self.run.scheme].contest_key is not None:
            return []
        told = [in_language(each) for each in self.run.problems[:REMARKED]]
        if more := len(self.run.problems) - len(told):
            told.append(gettext("More problems of this file: {count}.").format(count=more))
        return told
