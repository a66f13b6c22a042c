"""What an expert has written before, offered again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from accounts.models import User
from annotator.models import FragmentRecord, MarkupRecord, Phrase
from web.prepared import Given, Prepared

LATELY: Final = 40
"""Markups of an expert: as many are read, however many there are."""


@dataclass(frozen=True, slots=True)
class QuickMark:
    """A comment by one key, with the subcode and the correction that go along with it."""

    code: str
    subcode: str
    text: str
    correction: str

    @property
    def brought(self) -> str:
        """What the key writes into a mark, as it is said on it."""
        return f"{self.text} → {self.correction}" if self.correction else self.text


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


def quick_marks_of(expert: User, codes: Iterable[str], *, most: int) -> list[QuickMark]:
    """The comments an expert has used more than once in marks of these codes, most used first.

    No two of a code read alike: it is the most used one.
    """
    found: dict[tuple[str, str], Phrase] = {}
    for phrase in _used_comments(tuple(codes), most * most)(user=expert.pk):
        found.setdefault((phrase.code, phrase.folded), phrase)
    return _as_marked(expert, list(found.values())[:most])


def _as_marked(expert: User, used: list[Phrase]) -> list[QuickMark]:
    """With a comment goes what no mark of late that bears it says otherwise; to have none is
    otherwise.
    """
    told = [each.text for each in used if each.subcode or each.correction]
    lately = MarkupRecord.objects.filter(author=expert).order_by("-pk")[:LATELY]
    marks = FragmentRecord.objects.filter(markup__in=lately, comment__in=told)
    rows = marks.order_by().values("code", "comment", "subcode", "correction").distinct()
    said = list(rows)

    def always(phrase: Phrase, name: str) -> str:
        of_it = (row for row in said if (row["code"], row["comment"]) == (phrase.code, phrase.text))
        own: str = getattr(phrase, name)
        return own if all(row[name] == own for row in of_it) else ""

    return [
        QuickMark(
            code=each.code,
            subcode=always(each, "subcode"),
            text=each.text,
            correction=always(each, "correction"),
        )
        for each in used
    ]


@lru_cache(maxsize=32)
def _used_comments(codes: tuple[str, ...], most: int) -> Prepared[Phrase]:
    used = Phrase.objects.filter(user=Given("user"), field=Phrase.Field.COMMENT, uses__gt=1)
    return Prepared(lambda: used.filter(code__in=codes)[:most])
