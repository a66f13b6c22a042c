"""An expert's own phrases: what was written once is offered again."""

from __future__ import annotations

from django.db import connection

from accounts.models import User
from annotator.core.values import Fragment
from annotator.models import Phrase

LONGEST = 200
"""Longer texts are written for one essay only."""


def remember_phrases(*, user: User, before: Fragment, after: Fragment) -> bool:
    """Keep the comment and the explanation a change has brought in.

    Returns whether a key may bring something else by now.
    """
    uses = {
        field: _remember(user.pk, after, field, text)
        for field in Phrase.Field
        if (text := getattr(after, field))
        and text != getattr(before, field)
        and len(text) <= LONGEST
    }
    if _going_along(before) != _going_along(after) and after.comment == before.comment:
        return _complete(user.pk, after)
    return uses.get(Phrase.Field.COMMENT, 0) > 1


def _going_along(mark: Fragment) -> tuple[str, str]:
    return mark.subcode, mark.correction


def _complete(user: int, mark: Fragment) -> bool:
    """A comment that was used already has got its subcode or correction: the first, or the same.

    Returns whether it is one that was used more than once.
    """
    correction = mark.correction if len(mark.correction) <= LONGEST else ""
    own = Phrase.objects.filter(
        user=user, code=mark.code, field=Phrase.Field.COMMENT, text=mark.comment
    )
    if own.filter(uses=1).update(subcode=mark.subcode, correction=correction):
        return False
    if correction:
        own.exclude(correction=correction).update(correction="")
    return own.exists()


def _remember(user: int, mark: Fragment, field: str, text: str) -> int:
    """One statement: the phrase comes in, or was there and is used once more; how often by now.

    It keeps the subcode and the correction as long as every mark it was used in had the same; one
    that has no correction yet may get it later, and until then its key brings none.
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
            f' DO UPDATE SET uses = "{table}".uses + 1, {kept} RETURNING uses',
            [user, mark.code, field, text, mark.subcode, correction],
        )
        return int(cursor.fetchone()[0])
