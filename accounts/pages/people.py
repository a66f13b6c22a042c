"""The list of people: who is found, in which order, and what the apps above say of all of them."""

from __future__ import annotations

from django.db.models import F
from django.db.models.expressions import OrderBy
from django.http import HttpRequest

from accounts.access import people_kept_by
from accounts.models import User
from accounts.queries import found_by, with_figures
from web.forms import asked_words
from web.paging import page_of
from web.panels import Shared


class PeoplePage(Shared):
    """A page of people. ``sort``: the figure they stand in the order of, ``-`` for the least
    first; nothing for roles and names.
    """

    def __init__(self, request: HttpRequest, viewer: User) -> None:
        self.words = asked_words(request.GET, "q", 100)
        people, figures = with_figures(found_by(people_kept_by(viewer), self.words))
        asked = asked_words(request.GET, "sort", 40)
        self.sort = asked if asked.removeprefix("-") in figures else ""
        ordered = people.order_by(*self._order(), "role", "full_name", "username")
        self.page = page_of(request, ordered.prefetch_related("specialisms"))

    def _order(self) -> list[OrderBy]:
        if not self.sort:
            return []
        figure = F(self.sort.removeprefix("-"))
        is_least_first = self.sort.startswith("-")
        return [(figure.asc if is_least_first else figure.desc)(nulls_last=True)]
