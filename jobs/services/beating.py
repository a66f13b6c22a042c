"""Signs of life of the workers, by the clock of the database."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.db.models.functions import Now

from jobs.models import Worker

FORGOTTEN: Final = timedelta(hours=1)


def beat(*, name: str, hands: int) -> None:
    """Note that a worker lives."""
    Worker.objects.bulk_create(
        [Worker(name=name, hands=hands, beat_at=Now())],
        update_conflicts=True,
        unique_fields=["name"],
        update_fields=["beat_at", "hands"],
    )


def leave(*, name: str) -> None:
    """Note that a worker stopped of its own will."""
    Worker.objects.filter(name=name).delete()


def forget_the_dead() -> None:
    """Drop workers that were killed long ago."""
    Worker.objects.filter(beat_at__lt=Now() - FORGOTTEN).delete()
