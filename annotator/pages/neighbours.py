"""The essays before and after one, in the list somebody came from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from django.db.models import Q
from django.http import QueryDict

from accounts.models import User
from annotator.access import essays_seen_by
from annotator.models import Essay
from annotator.queries import LATEST

Narrow = Callable[[QueryDict], Q]
"""Which essays a list shows, as its page was asked."""

OF_THE_PAGE: Final = ("markup", "page")
"""What is asked of one essay's page alone."""

_lists: Final[dict[str, Narrow]] = {}


def list_of_essays(name: str) -> Callable[[Narrow], Narrow]:
    """Name a list whose links say ``?list=name`` and what else it was asked for.

    The function tells which essays stand in it; they are in the order of their sets and numbers.
    """

    def keep(narrow: Narrow) -> Narrow:
        _lists[name] = narrow
        return narrow

    return keep


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The previous and the next essay; ``query`` is how the list was asked, kept on the way."""

    previous: Essay | None
    next: Essay | None
    query: str


def neighbours_of(user: User, essay: Essay, asked: QueryDict) -> Neighbours:
    """Within the list named in what was asked, else within the essay's set.

    Only versions that count stand there, and no version of an essay is a neighbour of another one.
    """
    narrow = _lists.get(asked.get("list", ""))
    within = narrow(asked) if narrow else Q(essay_set=essay.essay_set_id)
    essays = essays_seen_by(user).filter(LATEST, within)
    essays = essays.exclude(essay_set=essay.essay_set_id, number=essay.number)
    keys = ("essay_set__name", "number", "pk")
    place = (essay.essay_set.name, essay.number, essay.pk)
    kept = asked.copy()
    for name in OF_THE_PAGE:
        kept.pop(name, None)
    return Neighbours(
        essays.filter(_beyond(keys, place, "lt")).order_by(*(f"-{key}" for key in keys)).first(),
        essays.filter(_beyond(keys, place, "gt")).order_by(*keys).first(),
        f"?{kept.urlencode()}" if kept else "",
    )


@list_of_essays("training")
def all_seen(_asked: QueryDict) -> Q:
    return Q()


def _beyond(keys: tuple[str, ...], place: tuple[object, ...], way: str) -> Q:
    """Rows before or after a place, in the order of these keys."""
    found = Q(pk__in=[])
    for depth, key in enumerate(keys):
        alike = Q(**dict(zip(keys[:depth], place[:depth], strict=True)))
        found |= alike & Q(**{f"{key}__{way}": place[depth]})
    return found
