"""The essays before and after one, in the list somebody came from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Q
from django.http import QueryDict

from accounts.models import User
from annotator.access import essays_seen_by, has_training
from annotator.models import Essay
from annotator.queries.essays import LATEST

Narrow = Callable[[QueryDict], Q]
"""Which essays a list shows, as its page was asked."""

Stretch = Callable[[QueryDict, int, int], Sequence[int]]
"""The numbers of the essays of a list between two of its places, as its page was asked."""

OF_THE_PAGE: Final = ("markup", "page")
"""What is asked of one essay's page alone."""
PLACE: Final = "at"
"""What names the place in its list somebody opened an essay at, counted from 0."""
MOST_DIGITS: Final = 9

_lists: Final[dict[str, tuple[Narrow, Callable[[User], bool]]]] = {}
_orders: Final[dict[str, Stretch]] = {}


def list_of_essays(name: str, *, is_shown_to: Callable[[User], bool]) -> Callable[[Narrow], Narrow]:
    """Name a list whose links say ``?list=name`` and what else it was asked for.

    The function tells which essays stand in it; they are in the order of their sets and numbers.
    To others than ``is_shown_to`` it is no list: which essays it shows tells what is hidden.
    """

    def keep(narrow: Narrow) -> Narrow:
        _lists[name] = narrow, is_shown_to
        return narrow

    return keep


def order_of_essays(name: str) -> Callable[[Stretch], Stretch]:
    """The same of a list that has an order of its own: its links say each essay's place, too."""

    def keep(stretch: Stretch) -> Stretch:
        _orders[name] = stretch
        return stretch

    return keep


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The previous and the next essay; the queries are how the list was asked, kept on the way."""

    previous: Essay | None
    next: Essay | None
    to_previous: str
    to_next: str


def place_in_list(asked: QueryDict) -> int | None:
    """The place in its list somebody opened an essay at; ``None`` where the address names none."""
    said = asked.get(PLACE, "")
    is_place = said.isascii() and said.isdecimal() and len(said) <= MOST_DIGITS
    return int(said) if is_place and asked.get("list") in _orders else None


def neighbours_of(user: User, essay: Essay, asked: QueryDict) -> Neighbours:
    """Within the list named in what was asked, else within the essay's set.

    Only versions that count stand there, and no version of an essay is a neighbour of another one.
    """
    narrow, is_shown_to = _lists.get(asked.get("list", ""), (None, None))
    is_shown = is_shown_to is not None and is_shown_to(user)
    at = place_in_list(asked)
    if is_shown and at is not None:
        return _around_place(user, essay, asked, at)
    within = narrow(asked) if is_shown and narrow else Q(essay_set=essay.essay_set_id)
    essays = essays_seen_by(user).filter(LATEST, within)
    essays = essays.exclude(essay_set=essay.essay_set_id, number=essay.number)
    keys = ("essay_set__name", "number", "pk")
    place = (essay.essay_set.name, essay.number, essay.pk)
    kept = _query(asked)
    return Neighbours(
        essays.filter(_beyond(keys, place, "lt")).order_by(*(f"-{key}" for key in keys)).first(),
        essays.filter(_beyond(keys, place, "gt")).order_by(*keys).first(),
        kept,
        kept,
    )


def _around_place(user: User, essay: Essay, asked: QueryDict, at: int) -> Neighbours:
    """Those beside a place of a list. Where another essay stands there by now, this one was done
    with and moved, or left the list: what took its place is next.
    """
    first = max(at - 1, 0)
    numbers = dict(enumerate(_orders[asked["list"]](asked, first, at + 2), first))
    following = at + 1 if numbers.get(at) == essay.pk else at
    essays = essays_seen_by(user).filter(LATEST).in_bulk(set(numbers.values()) - {essay.pk})
    return Neighbours(
        essays.get(numbers.get(at - 1, 0)),
        essays.get(numbers.get(following, 0)),
        _query(asked, at - 1),
        _query(asked, following),
    )


def _query(asked: QueryDict, at: int | None = None) -> str:
    kept = asked.copy()
    for name in OF_THE_PAGE:
        kept.pop(name, None)
    if at is not None:
        kept[PLACE] = str(at)
    return f"?{kept.urlencode()}" if kept else ""


@list_of_essays("training", is_shown_to=has_training)
def all_seen(_asked: QueryDict) -> Q:
    return Q()


def _beyond(keys: tuple[str, ...], place: tuple[object, ...], way: str) -> Q:
    """Rows before or after a place, in the order of these keys."""
    found = Q(pk__in=[])
    for depth, key in enumerate(keys):
        alike = Q(**dict(zip(keys[:depth], place[:depth], strict=True)))
        found |= alike & Q(**{f"{key}__{way}": place[depth]})
    return found
