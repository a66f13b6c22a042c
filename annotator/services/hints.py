"""Hints are put away, each once and for all browsers of an account."""

from __future__ import annotations

from accounts.models import User
from annotator.models import SeenHint


def put_away(*, user: User, hint: str) -> None:
    """Show an expert this hint no more. Safe to repeat."""
    SeenHint.objects.bulk_create([SeenHint(user=user, hint=hint)], ignore_conflicts=True)
