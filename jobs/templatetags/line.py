"""What a page says while it waits for background work."""

from __future__ import annotations

from typing import Any

from django import template

from jobs.models import Job
from jobs.queries import live_workers, place_in_line, waiting_jobs

register = template.Library()


@register.inclusion_tag("jobs/place.html")
def place(job: Job | None) -> dict[str, Any]:
    """Where one job stands in line, and whether anybody works at all."""
    number = place_in_line(job) if job is not None else 0
    return {"place": number, "is_silent": number > 0 and not live_workers().exists()}


@register.inclusion_tag("jobs/line.html")
def line() -> dict[str, Any]:
    """How much waits; nothing when nothing does."""
    waiting = waiting_jobs().count()
    return {"waiting": waiting, "is_silent": waiting > 0 and not live_workers().exists()}
