"""A whole markup that takes the place of a draft's: the one change that makes it so."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final
from uuid import UUID

from annotator.core.changes import Change, Draft, Placed, difference
from annotator.core.stated import Stated
from annotator.core.values import Fragment, fold

Key = Callable[[Fragment], Hashable]

SAME: Final[Sequence[Key]] = (
    lambda mark: mark,
    lambda mark: (mark.span, fold(mark.code), fold(mark.subcode)),
    lambda mark: (mark.span, fold(mark.code)),
)
"""By what two fragments are the same one: first what is equal in all, in the end place and code."""


def replacing(
    draft: Draft,
    fragments: Iterable[Fragment],
    stated: Mapping[str, Stated],
    new_uid: Callable[[], UUID],
) -> Change:
    """The change after which a draft has these fragments and no others.

    Who has the same place and code as one of the draft stays that one: its uid, its number and
    where it was taken from. ``new_uid`` gives the names of the others. Points that ``stated`` does
    not name stay as they are.
    """
    wanted = list(fragments)
    uids = _uids_of(draft, wanted)
    marks: dict[UUID, Placed] = {}
    for fragment, uid in zip(wanted, uids, strict=True):
        former = draft.marks[uid] if uid else None
        number = former.fragment.id if former else 0
        origin = former.origin if former else None
        marks[uid or new_uid()] = Placed(replace(fragment, id=number), origin)
    return difference(draft, Draft(marks, {**draft.stated, **stated}))


def _uids_of(draft: Draft, wanted: Sequence[Fragment]) -> list[UUID | None]:
    """Which fragment of the draft each one is; every one of them at most once."""
    found: list[UUID | None] = [None] * len(wanted)
    left = dict(draft.marks)
    for key in SAME:
        known: dict[Hashable, list[UUID]] = defaultdict(list)
        for uid in reversed(left):
            known[key(left[uid].fragment)].append(uid)
        for place, fragment in enumerate(wanted):
            if found[place] is None and known[key(fragment)]:
                uid = known[key(fragment)].pop()
                found[place] = uid
                del left[uid]
    return found
