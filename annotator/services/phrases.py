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
    if after.comment == before.comment and after.correction != before.correction:
        _complete(user.pk, after)


def _complete(user: int, mark: Fragment) -> None:
    """A comment that was used already has got its correction: the first one, or the same again."""
    correction = mark.correction if len(mark.correction) <= LONGEST else ""
    own = Phrase.objects.filter(
        user=user, code=mark.code, field=Phrase.Field.COMMENT, text=mark.comment
    )
    others = own.exclude(correction=correction).exclude(uses=1)
    if correction:
        others.update(correction="")
    own.filter(uses=1).update(correction=correction)


def _remember(user: int, mark: Fragment, field: str, text: str) -> None:
    """One statement: the phrase comes in, or was there and is used once more.

    It keeps the subcode and the correction as long as every mark it was used in had the same; one
    that has no correction yet may get it later.
    """
    table = Phrase._meta.db_table
    correction = mark.correction if len(mark.correction) <= LONGEST else ""
    kept = ", ".join(
        f'{name} = CASE WHEN "{table}".{name} = excluded.{name}{or_none} THEN "{table}".{name}'
        " ELSE '' END"
        for name, or_none in (("subcode", ""), ("correction", " OR excluded.correction = ''"))
    )
    with connection.cursor() as cursor:
        cursor.execute(
            f'INSERT INTO "{table}" (user_id, code, field, text, uses, subcode, correction)'  # noqa: S608 - the table's own name
            " VALUES (%s, %s, %s, %s, 1, %s, %s)"
            " ON CONFLICT (user_id, code, field, text)"
            f' DO UPDATE SET uses = "{table}".uses + 1, {kept}',
            [user, mark.code, field, text, mark.subcode, correction],
        )
