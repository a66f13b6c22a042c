"""An expert's own phrases: what was written once is offered again."""

from __future__ import annotations

from django.db import connection

from accounts.models import User
from annotator.core.values import Fragment
from annotator.models import Phrase

LONGEST = 200
"""Longer texts are written for one essay only."""


def remember_phrases(*, user: User, before: Fragment, after: Fragment) -> None:
    """Keep the comment and the explanation a change has brought in."""
    for field in Phrase.Field:
        text = getattr(after, field)
        if text and text != getattr(before, field) and len(text) <= LONGEST:
            _remember(user.pk, after, field, text)


def _remember(user: int, mark: Fragment, field: str, text: str) -> None:
    """One statement: the phrase comes in, or was there and is used once more.

    It keeps the subcode and the correction as long as every mark it was used in had the same.
    """
    table = Phrase._meta.db_table
    correction = mark.correction if len(mark.correction) <= LONGEST else ""
    kept = ", ".join(
        f"{name} = CASE WHEN \"{table}\".{name} = excluded.{name} THEN excluded.{name} ELSE '' END"
        for name in ("subcode", "correction")
    )
    with connection.cursor() as cursor:
        cursor.execute(
            f'INSERT INTO "{table}" (user_id, code, field, text, uses, subcode, correction)'  # noqa: S608 - the table's own name
            " VALUES (%s, %s, %s, %s, 1, %s, %s)"
            " ON CONFLICT (user_id, code, field, text)"
            f' DO UPDATE SET uses = "{table}".uses + 1, {kept}',
            [user, mark.code, field, text, mark.subcode, correction],
        )
