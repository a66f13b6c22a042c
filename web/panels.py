"""Places on the pages of an app that apps above it fill: its templates need not know them.

An app names its places in a module ``panels.py`` and puts each into a template by
``{% panels "app:place" essay=essay %}``. An app above says in its own ``panels.py`` what it
shows there; ``AppConfig.ready`` imports both. Into the navigation each app offers its entries, in
a module ``navigation.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Self, TypeVar

from django.http import HttpRequest

T = TypeVar("T")
Show = Callable[..., Mapping[str, Any] | None]


@dataclass(frozen=True, slots=True)
class Panel:
    """What an app shows at a place of another one: a template, and what it needs."""

    template: str
    show: Show
    order: int

    def shown(self, request: HttpRequest, given: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """What the template needs on this page; ``None`` where there is nothing to show."""
        return self.show(request, **given)


class Place:
    """A place on a page; several panels stand there by their ``order``, then as apps are listed."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.panels: list[Panel] = []
        _places[name] = self

    def fill(self, template: str, *, order: int = 0) -> Callable[[Show], Show]:
        """Show this template here; the function gets the request and what the page hands over.

        It answers with what the template needs, or with ``None`` for nothing at all.
        """

        def show_here(show: Show) -> Show:
            self.panels.append(Panel(template, show, order))
            self.panels.sort(key=lambda panel: panel.order)
            return show

        return show_here


class Shared:
    """A page whose panels share what an app above makes of all of it."""

    def once(self, make: Callable[[Self], T]) -> T:
        """What ``make`` makes of the page, made once for all of its panels."""
        made: dict[Any, Any] = self.__dict__.setdefault("_made", {})
        if make not in made:
            made[make] = make(self)
        found: T = made[make]
        return found


_places: Final[dict[str, Place]] = {}


def place_named(name: str) -> Place:
    """The place an app has named so. Raises ``KeyError``."""
    return _places[name]


def all_places() -> list[Place]:
    """Every place there is, by name."""
    return [_places[name] for name in sorted(_places)]


@dataclass(frozen=True, slots=True)
class Entry:
    """A word that leads to a page, for those who may go there.

    ``order``: its place in the row; ``pages``: where it stands as the present one, besides its own;
    ``group``: the word it stands under where there are too many for a row; ``public``: strangers
    find it too.
    """

    label: Any
    page: str
    may: Callable[[Any], bool]
    order: int
    pages: frozenset[str] = frozenset()
    group: Any = ""
    public: bool = False

    def is_here(self, page: str) -> bool:
        """True on the pages the entry stands for."""
        return page == self.page or page in self.pages


_entries: Final[dict[str, Entry]] = {}


def offer(entry: Entry) -> None:
    """Put an entry into the navigation; one a page."""
    _entries[entry.page] = entry


def entries_for(user: Any) -> list[Entry]:
    """What somebody finds there, in its order."""
    found = sorted(_entries.values(), key=lambda entry: entry.order)
    known = user.is_authenticated
    return [entry for entry in found if (known or entry.public) and entry.may(user)]


MOST_IN_A_ROW: Final = 6
"""More entries than so many stand in groups."""


@dataclass(frozen=True, slots=True)
class Section:
    """A place in the row of the navigation: one entry, or several under a word."""

    label: Any
    entries: tuple[Entry, ...]

    def is_here(self, page: str) -> bool:
        """True on the pages its entries stand for."""
        return any(entry.is_here(page) for entry in self.entries)


def sections_for(user: Any) -> list[Section]:
    """What somebody finds in the navigation: a short row as it is, a longer one in groups.

    A group stands where the first of its entries would; one that has a single entry is that entry.
    """
    entries = entries_for(user)
    if len(entries) <= MOST_IN_A_ROW:
        return [Section(entry.label, (entry,)) for entry in entries]
    grouped: dict[str, list[Entry]] = {}
    for entry in entries:
        grouped.setdefault(str(entry.group or entry.label), []).append(entry)
    return [
        Section(found[0].label if len(found) == 1 else found[0].group, tuple(found))
        for found in grouped.values()
    ]
