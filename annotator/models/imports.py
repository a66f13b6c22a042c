"""Imports: files that came in together, what they were foreseen to do and what became of them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotator.core.messages import sentence_of
from annotator.core.problems import from_json

LIKENESSES: Final = ("same-text", "copy-of-essay", "copy-with-other-text", "copy-of-none")
"""Remarks on an essay that resembles another one."""
LEAVABLE: Final = (*LIKENESSES, "name-without-number")
"""Remarks on an essay that may be none, or another one once more: it can be left out."""


class EssayImport(models.Model):
    """Files that came in together: looked at first, then carried out, perhaps undone.

    The counts are of files by their outcome, and of the accounts made; before it is carried out,
    of what is foreseen. ``thirds`` names the essays whose third check its markups would call.
    Under way, ``came`` of ``total`` essays are in; ``turn`` and ``lease_until`` belong to the
    process that is at it, and ``foreseen`` keeps what the preview said of every file. ``digest`` is
    of what was sent, by which a preview that is asked for twice is found. ``left_out`` are the
    numbers of essays that do not come in, nor their markups, for so it was chosen.
    """

    class State(models.TextChoices):
        PREVIEW = "preview", _("not carried out yet")
        EXPIRED = "expired", _("expired")
        DROPPED = "dropped", _("not imported")
        RUNNING = "running", _("under way")
        BROKEN = "broken", _("broken off")
        DONE = "done", _("carried out")
        UNDONE = "undone", _("undone")

    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        related_name="+",
        verbose_name=_("who"),
    )
    essay_set = models.ForeignKey(
        "annotator.EssaySet",
        models.SET_NULL,
        null=True,
        related_name="imports",
        verbose_name=_("essay set"),
    )
    set_name = models.CharField(_("name of the set"), max_length=80)
    subject = models.CharField(_("subject of files that name none"), max_length=16, blank=True)
    from_markups = models.BooleanField(_("essays from marked files"), default=False)
    state = models.CharField(_("state"), max_length=8, choices=State, default=State.PREVIEW)
    essays = models.PositiveIntegerField(_("new essays"), default=0)
    markups = models.PositiveIntegerField(_("markups"), default=0)
    known = models.PositiveIntegerField(_("known already"), default=0)
    refused = models.PositiveIntegerField(_("refused"), default=0)
    accounts = models.PositiveIntegerField(_("accounts"), default=0)
    thirds = models.JSONField(_("third checks called"), default=list)
    left_out = models.JSONField(default=list)
    foreseen = models.JSONField(default=dict)
    digest = models.CharField(max_length=64, default="")
    total = models.PositiveIntegerField(default=0)
    came = models.PositiveIntegerField(default=0)
    turn = models.PositiveIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)
    made_at = models.DateTimeField(_("made at"), db_default=Now())
    begun_at = models.DateTimeField(_("begun at"), null=True)
    done_at = models.DateTimeField(_("carried out at"), null=True)
    undone_at = models.DateTimeField(_("undone at"), null=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        related_name="+",
        verbose_name=_("undone by"),
    )

    class Meta:
        verbose_name = _("import")
        verbose_name_plural = _("imports")
        ordering = ["-pk"]
        indexes = [models.Index(fields=["state", "-id"], name="imports_by_state")]

    def __str__(self) -> str:
        return f"{self.pk}: {self.set_name}"

    @property
    def brings_anything(self) -> bool:
        return bool(self.essays or self.markups)


class ImportUpload(models.Model):
    """A file of an import that waits for its confirmation, as it was sent.

    One that was ``refused_for`` what it is keeps its reasons and no content.
    """

    batch = models.ForeignKey(EssayImport, models.CASCADE, related_name="uploads")
    name = models.CharField(max_length=255)
    content = models.BinaryField()
    refused_for = models.JSONField(default=list)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.batch_id}: {self.name}"


class ImportedFile(models.Model):
    """One file of an import: what became of it, why, and which rows it made.

    ``foreseen`` is the outcome of the preview where that was another one. ``replaced`` is the
    markup that this one took the place of; ``before`` keeps what an undoing must give back.
    ``refused_for`` and ``remarked`` are problems as ``core.problems.to_json`` writes them: their
    sentences are made for each reader. ``role`` is what an expert's markup becomes, ``number`` the
    essay's.
    """

    class Outcome(models.TextChoices):
        ESSAY = "essay", _("new essay")
        MARKUP = "markup", _("markup")
        KNOWN = "known", _("known already")
        REFUSED = "refused", _("refused")

    class Role(models.TextChoices):
        FIRST = "first", _("first check")
        SECOND = "second", _("second check")
        THIRD = "third", _("third check")
        FURTHER = "further", _("beside the checks")

    batch = models.ForeignKey(EssayImport, models.CASCADE, related_name="files")
    name = models.CharField(_("file"), max_length=255)
    outcome = models.CharField(_("outcome"), max_length=7, choices=Outcome)
    foreseen = models.CharField(max_length=7, choices=Outcome, blank=True)
    refused_for = models.JSONField(default=list)
    remarked = models.JSONField(default=list)
    number = models.CharField(max_length=60, blank=True)
    author = models.CharField(_("author"), max_length=150, blank=True)
    role = models.CharField(max_length=7, choices=Role, blank=True)
    makes_account = models.BooleanField(default=False)
    essay = models.ForeignKey("annotator.Essay", models.SET_NULL, null=True, related_name="+")
    markup = models.ForeignKey(
        "annotator.MarkupRecord", models.SET_NULL, null=True, related_name="+"
    )
    check_made = models.ForeignKey(
        "annotator.Assignment", models.SET_NULL, null=True, related_name="+"
    )
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    replaced = models.ForeignKey(
        "annotator.MarkupRecord", models.SET_NULL, null=True, related_name="+"
    )
    before = models.JSONField(default=dict)

    class Meta:
        verbose_name = _("imported file")
        verbose_name_plural = _("imported files")
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def reason(self) -> str:
        """Why the file was refused, in the reader's language."""
        return " ".join(self._sentences(self.refused_for))

    @property
    def remarks(self) -> list[str]:
        """What was odd in the file, in the reader's language."""
        return self._sentences(self.remarked)

    @property
    def is_left_out(self) -> bool:
        """Refused because somebody chose so."""
        return any(each["code"] == "left-out" for each in self.refused_for)

    @property
    def essay_number(self) -> str:
        """The number of its essay, which one that was left out tells as the reason."""
        told = (str(each["fields"]["essay"]) for each in self.refused_for if self.is_left_out)
        return self.number or next(told, "")

    @property
    def is_like_another(self) -> bool:
        """A new essay that may be another one once more."""
        return self._is_new_with(LIKENESSES)

    @property
    def may_stay_out(self) -> bool:
        """A new essay that resembles another one, or has no number: it can be left out."""
        return self._is_new_with(LEAVABLE)

    def _is_new_with(self, codes: Collection[str]) -> bool:
        is_new = self.outcome == self.Outcome.ESSAY
        return is_new and any(each["code"] in codes for each in self.remarked)

    @staticmethod
    def _sentences(problems: list[dict[str, Any]]) -> list[str]:
        return [sentence_of(from_json(each), gettext) for each in problems]
