"""Messages of experts to the coordinators about a check, and what is answered."""

from __future__ import annotations

import uuid
from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from annotator.models import Assignment

LONGEST: Final = 2000
"""Signs a message and its answer may have."""


class Note(models.Model):
    """What the expert of a check writes to the coordinators; one of them answers, which closes it.

    ``key`` is the form's: pressed twice it is one message.
    """

    assignment = models.ForeignKey(
        Assignment, models.CASCADE, related_name="notes", verbose_name=_("assignment")
    )
    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    words = models.TextField(_("message"), max_length=LONGEST)
    written_at = models.DateTimeField(_("written at"), db_default=Now())
    answer = models.TextField(_("answer"), max_length=LONGEST, blank=True)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        related_name="+",
        verbose_name=_("answered by"),
    )
    answered_at = models.DateTimeField(_("answered at"), null=True, blank=True)

    class Meta:
        verbose_name = _("message of an expert")
        verbose_name_plural = _("messages of experts")
        indexes = [
            models.Index(fields=["id"], condition=Q(answered_at=None), name="notes_to_answer"),
        ]
        constraints = [
            models.CheckConstraint(condition=~Q(words=""), name="note_says_something"),
            models.CheckConstraint(
                condition=Q(answer="", answered_by=None, answered_at=None)
                | (~Q(answer="") & Q(answered_by__isnull=False, answered_at__isnull=False)),
                name="answer_has_its_time_and_author",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.assignment_id}: {self.words[:40]}"
