"""An expert's own phrases: what was written once is offered again, as long as a mark has it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from django.db import connection

from annotator.core.changes import Change, Edit
from annotator.core.values import Fragment
from annotator.models import Phrase

LONGEST = 200
"""Longer texts are written for one essay only."""

Wording: TypeAlias = tuple[str, str, str]
"""What a phrase is known by: code, field, text."""


def remember_phrases(*, user_id: int, change: Change) -> bool:
    """Count the comments and explanations a change has brought into marks or taken out of them.

    What no mark has any more is forgotten; what comes or goes with a fragment of an earlier check
    is its author's. Returns whether a key may bring something else by now.
    """
    edits = [each for each in change.edits if not _is_of_earlier_check(each)]
    before = [each.before.fragment for each in edits if each.before]
    after = [each.after.fragment for each in edits if each.after]
    had, has = Counter(_wordings(before)), Counter(_wordings(after))
    lost = _take_out(user_id, had - has)
    used, is_other = _bring_in(user_id, has - had, after)
    changed = [
        (each.before.fragment, each.after.fragment) for each in edits if each.before and each.after
    ]
    completed = [_complete(user_id, one) for other, one in changed if _is_completed(other, one)]
    return any(completed) or is_other or bool(changed and max(lost, used) > 1)


def _is_of_earlier_check(edit: Edit) -> bool:
    """Is it taken there, or given back? What its taker writes into it is the taker's own."""
    whole = edit.after if edit.before is None else edit.before if edit.after is None else None
    return whole is not None and whole.origin is not None


def _wordings(marks: Iterable[Fragment]) -> list[Wording]:
    return [
        (mark.code, field, text)
        for mark in marks
        for field in Phrase.Field.values
        if (text := getattr(mark, field)) and len(text) <= LONGEST
    ]


def _is_completed(before: Fragment, after: Fragment) -> bool:
    """Has a comment that stays got another subcode or correction?"""
    stays = before.code == after.code and before.comment == after.comment != ""
    return stays and _going_along(before) != _going_along(after)


def _going_along(mark: Fragment) -> tuple[str, str]:
    return mark.subcode, mark.correction if len(mark.correction) <= LONGEST else ""


def _complete(user_id: int, mark: Fragment) -> bool:
    """A comment that was used already has got its subcode or correction: the first, or the same.

    Returns whether it is one that was used more than once.
    """
    subcode, correction = _going_along(mark)
    own = Phrase.objects.filter(
        user_id=user_id, code=mark.code, field=Phrase.Field.COMMENT, text=mark.comment
    )
    if own.filter(uses=1).update(subcode=subcode, correction=correction):
        return False
    if correction:
        own.exclude(correction=correction).update(correction="")
    return own.exists()


def _take_out(user_id: int, lost: Counter[Wording]) -> int:
    """Marks have these no more; how often one of the comments was used until now.

    Four statements at most, however many there are.
    """
    if not lost:
        return 0
    texts = {text for _code, _field, text in lost}
    own = Phrase.objects.select_for_update().filter(user_id=user_id, text__in=texts).order_by("pk")
    uses = {each: lost[each.code, each.field, each.text] for each in own}
    found = {each: times for each, times in uses.items() if times}
    most = max((each.uses for each in found if each.field == Phrase.Field.COMMENT), default=0)
    gone = [each.pk for each, times in found.items() if each.uses <= times]
    if gone:
        Phrase.objects.filter(pk__in=gone).delete()
    left = [each for each in found if each.pk not in gone]
    for each in left:
        each.uses -= found[each]
    if left:
        Phrase.objects.bulk_update(left, ["uses"])
    return most


def _bring_in(
    user_id: int, gained: Counter[Wording], marks: Sequence[Fragment]
) -> tuple[int, bool]:
    """One statement: phrases come in, or were there and are used again; how often a comment is,
    and whether the key of one is new or brings something else than these marks have.

    They keep the subcode and the correction as long as every mark they were used in had the same;
    one that has no correction yet may get it later, and until then its key brings none.
    """
    if not gained:
        return 0, False
    table = Phrase._meta.db_table
    kept = ", ".join(
        f'{name} = CASE WHEN "{table}".{name} = excluded.{name}{or_none} THEN "{table}".{name}'
        " ELSE '' END"
        for name, or_none in (("subcode", ""), ("correction", " OR excluded.correction = ''"))
    )
    along = _always_along(marks)
    rows = [[user_id, *each, times, *along[each]] for each, times in sorted(gained.items())]
    places = ", ".join(["(%s, %s, %s, %s, %s, %s, %s)"] * len(rows))
    with connection.cursor() as cursor:
        cursor.execute(
            f'INSERT INTO "{table}" (user_id, code, field, text, uses, subcode, correction)'  # noqa: S608 - the table's own name
            f" VALUES {places}"
            " ON CONFLICT (user_id, code, field, text)"
            f' DO UPDATE SET uses = "{table}".uses + excluded.uses, {kept}'
            " RETURNING code, field, text, uses, subcode, correction",
            [value for row in rows for value in row],
        )
        found = [row for row in cursor if row[1] == Phrase.Field.COMMENT]
    is_other = any(
        uses - gained[code, field, text] <= 1 or tuple(kept_along) != along[code, field, text]
        for code, field, text, uses, *kept_along in found
        if uses > 1
    )
    return max((uses for _code, _field, _text, uses, *_along in found), default=0), is_other


def _always_along(marks: Iterable[Fragment]) -> dict[Wording, tuple[str, str]]:
    """The subcode and the correction of each wording, where all its marks have the same."""
    found: dict[Wording, tuple[str, str]] = {}
    for mark in marks:
        for wording in _wordings([mark]):
            subcode, correction = _going_along(mark)
            first = found.setdefault(wording, (subcode, correction))
            found[wording] = (
                subcode if subcode == first[0] else "",
                correction if correction == first[1] else "",
            )
    return found
