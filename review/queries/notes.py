"""Messages of experts: which wait for an answer, which were answered lately."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import QuerySet
from django.db.models.functions import Now

from accounts.models import User
from accounts.roles import MANAGERS
from review.models import Note


def notes_to_answer() -> QuerySet[Note]:
    """The messages nobody has answered, the longest waiting first."""
    found = Note.objects.filter(answered_at=None).order_by("pk")
    found = found.select_related("assignment__expert", "assignment__essay__essay_set")
    return found.defer("assignment__essay__text", "assignment__essay__task_text")


def answered_lately(expert: User, within: timedelta) -> QuerySet[Note]:
    """An expert's messages that were answered within this time, latest first."""
    found = Note.objects.filter(assignment__expert=expert, answered_at__gt=Now() - within)
    return found.select_related("assignment__essay").order_by("-answered_at", "-pk")


def people_to_answer() -> QuerySet[User]:
    """Those who answer messages and have an address."""
    found = User.objects.filter(role__in=MANAGERS, is_active=True).exclude(email="")
    return found.order_by("pk")
