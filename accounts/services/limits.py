"""Exact limits of how often something may be tried (reliability.md 5)."""

from __future__ import annotations

import time
import unicodedata
from dataclasses import dataclass
from typing import Final

from django.db import connection

from accounts.models import RateBucket


@dataclass(frozen=True, slots=True)
class Limit:
    """At most ``tries`` in each window of ``seconds``."""

    tries: int
    seconds: int


LOGIN: Final = Limit(tries=5, seconds=15 * 60)


def login_key(*, address: str, name: str) -> str:
    """The bucket of the tries to log in to an account from an address.

    Every spelling that Django's form reads as the same name falls into the same bucket.
    """
    plain = unicodedata.normalize("NFKC", name.replace("\0", "")).strip()
    return f"login:{address}:{plain[:100].casefold()}"


def take(*, key: str, limit: Limit) -> bool:
    """Count one try; false when the window's tries are used up. Exact under any parallelism."""
    window = int(time.time()) // limit.seconds
    table = connection.ops.quote_name(RateBucket._meta.db_table)
    with connection.cursor() as cursor:
        cursor.execute(
            f'INSERT INTO {table} (key, "window", tries) VALUES (%s, %s, 1) '  # noqa: S608
            f'ON CONFLICT (key, "window") DO UPDATE SET tries = {table}.tries + 1 '
            "RETURNING tries",
            [key[:200], window],
        )
        (tries,) = cursor.fetchone()
    return bool(tries <= limit.tries)


def give_back(*, key: str, limit: Limit) -> None:
    """Forget the tries of the present window, after a success."""
    RateBucket.objects.filter(key=key[:200], window=int(time.time()) // limit.seconds).delete()


def forget_old_windows(*, keep_seconds: int = 24 * 60 * 60) -> int:
    """Delete buckets nobody counts in any more; returns how many."""
    newest = (int(time.time()) - keep_seconds) // LOGIN.seconds
    deleted, _ = RateBucket.objects.filter(window__lt=newest).delete()
    return deleted
