"""Days on which a contest of the past told things; what it told never changes afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Final

from django.db.models.signals import pre_save
from django.utils.translation import override

from contest.models import Announcement, Publication, Upload
from web.zones import told_at

MOMENT_OF: Final = {Announcement: "published_at", Publication: "published_at", Upload: "sent_at"}
"""What bears the moment it came about."""


@contextmanager
def happened_at(moment: datetime, *moved: tuple[datetime, datetime]) -> Iterator[None]:
    """Announcements, archives and uploads made meanwhile bear this moment.

    ``moved``: dates that a body names, and what it is to name instead.
    """

    def date(instance: Announcement | Publication | Upload, **_: object) -> None:
        setattr(instance, MOMENT_OF[type(instance)], moment)
        if isinstance(instance, Announcement):
            _rename(instance, moved)

    for each in MOMENT_OF:
        pre_save.connect(date, sender=each, dispatch_uid="demo")
    try:
        yield
    finally:
        for each in MOMENT_OF:
            pre_save.disconnect(sender=each, dispatch_uid="demo")


def _rename(told: Announcement, moved: tuple[tuple[datetime, datetime], ...]) -> None:
    zone = told.contest.zone
    for planned, held in moved:
        with override("ru"):
            told.body_ru = told.body_ru.replace(told_at(planned, zone), told_at(held, zone))
        with override("en"):
            told.body_en = told.body_en.replace(told_at(planned, zone), told_at(held, zone))
