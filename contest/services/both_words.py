"""Sentences of ours in both languages, whatever the reader of the page speaks."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils.formats import date_format
from django.utils.translation import override

from contest.core.both import Both


def in_both(said: Callable[[], str]) -> Both:
    """What ``said`` says under each language."""
    with override("ru"):
        russian = said()
    with override("en"):
        return Both(russian, said())


def told_at(at: datetime, zone: str) -> str:
    """A moment in a contest's zone, with the zone's name, as the language of now writes it."""
    local = at.astimezone(ZoneInfo(zone))
    return f"{date_format(local, 'SHORT_DATETIME_FORMAT')} ({zone})"
