"""What time zones are called: one short form on every page, in the language of now."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy, pgettext_lazy

NAMES: Final = {"MSK": pgettext_lazy("time zone", "MSK"), "UTC": pgettext_lazy("time zone", "UTC")}
"""Zones that have a short name of their own."""
ZONE_HELP: Final = gettext_lazy(
    "A name such as Europe/Moscow or Asia/Yekaterinburg; pages and letters call them MSK and UTC+5."
)


def zone_words(zone: str) -> str:
    """A zone of the IANA database for readers: MSK, UTC+12; by its name where clocks are changed,
    since its hours are then not the same all year.
    """
    year = timezone.now().year
    winter, summer = (datetime(year, month, 1, tzinfo=UTC) for month in (1, 7))
    local = winter.astimezone(ZoneInfo(zone))
    offset = local.utcoffset() or timedelta()
    if offset != summer.astimezone(ZoneInfo(zone)).utcoffset():
        return zone
    name = local.tzname() or ""
    return str(NAMES[name]) if name in NAMES else _by_hours(offset)


def told_at(at: datetime, zone: str) -> str:
    """A moment in a zone, with the zone's name, as the language of now writes it."""
    local = at.astimezone(ZoneInfo(zone))
    return f"{date_format(local, 'SHORT_DATETIME_FORMAT')} ({zone_words(zone)})"


def _by_hours(offset: timedelta) -> str:
    hours, rest = divmod(abs(offset), timedelta(hours=1))
    minutes = f":{rest // timedelta(minutes=1):02}" if rest else ""
    return f"{NAMES['UTC']}{'−' if offset < timedelta() else '+'}{hours}{minutes}"
