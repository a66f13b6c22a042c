"""Exact limits of how often something may be tried (reliability.md 5)."""

from __future__ import annotations

import time
import unicodedata
from dataclasses import dataclass
from typing import Final

from django.db import connection
from django.db.models import Q

from accounts.models import RateBucket


@dataclass(frozen=True, slots=True)
class Limit:
    """At most ``tries`` in each window of ``seconds``."""

    tries: int
    seconds: int


LOGIN: Final = Limit(tries=5, seconds=15 * 60)
KEPT_SECONDS: Final = 24 * 60 * 60
"""How long a window is kept after it began; none is as long."""


def login_key(*, address: str, name: str) -> str:
    """The bucket of the tries to log in to an account from an address.

    Every spelling that Django's form reads as the same name falls into the same bucket.
    """
    plain = unicodedata.normalize("NFKC", name.replace("\0", "")).strip()
    return f"login:{address}:{plain[:100].casefold()}"


def take(*, key: str, limit: Limit) -> bool:
    """Count one try; false when the window's tries are used up. Exact under any parallelism."""
    table = connection.ops.quote_name(RateBucket._meta.db_table)
    with connection.cursor() as cursor:
        cursor.execute(
            f'INSERT INTO {table} (key, "window", tries) VALUES (%s, %s, 1) '  # noqa: S608
            f'ON CONFLICT (key, "window") DO UPDATE SET tries = {table}.tries + 1 '
            "RETURNING tries",
            [key[:200], _window(limit)],
        )
        (tries,) = cursor.fetchone()
    return bool(tries <= limit.tries)


def give_back(*, key: str, limit: Limit) -> None:
    """After a success, forget the tries of the present window, and windows long past of anybody."""
    present = Q(key=key[:200], window=_window(limit))
    RateBucket.objects.filter(present | Q(window__lt=int(time.time()) - KEPT_SECONDS)).delete()


def _window(limit: Limit) -> int:
    """When the present window began, in seconds since 1970."""
    now = int(time.time())
    return now - now % limit.seconds
