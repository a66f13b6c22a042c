"""Figures of experts in the list of people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.pages.people import PeoplePage
from review.queries.people import median_seconds

COLUMNS: Final = (
    ("given", _("Given")),
    ("done", _("Done")),
    ("late", _("Late")),
    ("returned", _("Handed back")),
    ("", _("Minutes")),
    ("agreement", "F1"),
    ("seen_at", _("Last seen")),
)


@dataclass(frozen=True, slots=True)
class Heading:
    """A column: its word, the address that sorts by it, and which way it is sorted now."""

    label: Any
    query: str
    way: str


def headings(request: HttpRequest, sort: str) -> list[Heading]:
    """The columns; the chosen one leads to the other way round."""
    return [_heading(request, sort, name, label) for name, label in COLUMNS]


def _heading(request: HttpRequest, sort: str, name: str, label: Any) -> Heading:
    if not name:
        return Heading(label, "", "")
    query = request.GET.copy()
    query.pop("page", None)
    query["sort"] = f"-{name}" if sort == name else name
    way = {name: "descending", f"-{name}": "ascending"}.get(sort, "")
    return Heading(label, f"?{query.urlencode()}", way)


def minutes_of(people: PeoplePage) -> dict[int, float]:
    """The median minutes a markup took, of everybody on the page."""
    found = median_seconds(person.pk for person in people.page)
    return {pk: seconds / 60 for pk, seconds in found.items()}
