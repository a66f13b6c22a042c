"""What an expert has written before, offered again."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from accounts.models import User
from annotator.models import Phrase
from web.prepared import Given, Prepared


def phrases_of(expert: User, code: str, *, most: int) -> list[Phrase]:
    """What an expert has written in the fields of a code: the ``most`` used of each.

    No two of a field read alike. Written out: every answer with a card asks it, and putting it
    together took longer than it.
    """
    table = Phrase._meta.db_table
    ranked = (
        f'SELECT *, ROW_NUMBER() OVER (PARTITION BY field ORDER BY uses DESC, id) AS "place"'  # noqa: S608
        f' FROM "{table}" WHERE user_id = %s AND code = %s'
    )
    asked = f'SELECT * FROM ({ranked}) AS "ranked" WHERE place <= %s ORDER BY uses DESC, id'  # noqa: S608
    found: dict[str, dict[str, Phrase]] = {}
    for phrase in Phrase.objects.raw(asked, [expert.pk, code, most * most]):
        found.setdefault(phrase.field, {}).setdefault(phrase.folded, phrase)
    return [each for alike in found.values() for each in list(alike.values())[:most]]


def quick_marks_of(expert: User, codes: Iterable[str], *, most: int) -> list[Phrase]:
    """The comments an expert has used more than once in marks of these codes, most used first.

    No two of a code read alike: it is the most used one.
    """
    found: dict[tuple[str, str], Phrase] = {}
    for phrase in _used_comments(tuple(codes), most * most)(user=expert.pk):
        found.setdefault((phrase.code, phrase.folded), phrase)
    return list(found.values())[:most]


@lru_cache(maxsize=32)
def _used_comments(codes: tuple[str, ...], most: int) -> Prepared[Phrase]:
    used = Phrase.objects.filter(user=Given("user"), field=Phrase.Field.COMMENT, uses__gt=1)
    return Prepared(lambda: used.filter(code__in=codes)[:most])
