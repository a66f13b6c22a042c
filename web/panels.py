"""Places on the pages of an app that apps above it fill: its templates need not know them.

An app names its places in a module ``panels.py`` and puts each into a template by
``{% panels "app:place" essay=essay %}``. An app above says in its own ``panels.py`` what it
shows there; ``AppConfig.ready`` imports both. Into the navigation each app offers its entries, in
a module ``navigation.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpRequest

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

    ``order``: its place in the row; ``pages``: where it stands as the present one, besides its own.
    """

    label: Any
    page: str
    may: Callable[[Any], bool]
    order: int
    pages: frozenset[str] = frozenset()

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
    return [entry for entry in found if entry.may(user)]
