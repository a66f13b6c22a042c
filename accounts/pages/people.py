"""The list of people: who is found, in which order, and what the apps above say of all of them."""

from __future__ import annotations

from typing import Final

from django.db.models import F
from django.db.models.expressions import OrderBy
from django.http import HttpRequest, QueryDict
from django.urls import reverse

from accounts.access import of_role, roles_granted_by
from accounts.models import User
from accounts.queries import found_by, with_figures
from web.forms import asked_words
from web.paging import page_of
from web.panels import Shared

LIST: Final = ("q", "role", "sort", "page")
"""What the address of a list of people says of it."""


def people_listed(asked: QueryDict) -> str:
    """The address of the list from which somebody came with these fields, ticks beside them."""
    kept = QueryDict(mutable=True)
    kept.update({key: asked[key] for key in LIST if asked.get(key)})
    return reverse("accounts:people") + (f"?{kept.urlencode()}" if kept else "")


class PeoplePage(Shared):
    """A page of people. ``role``: whom alone it shows, nothing for all. ``sort``: the figure they
    stand in the order of, ``-`` for the least first; nothing for roles and names. ``kept``: what an
    address bears to lead back to this very page.
    """

    def __init__(self, request: HttpRequest, viewer: User) -> None:
        self.words = asked_words(request.GET, "q", 100)
        self.roles = [(each.value, str(each.label)) for each in roles_granted_by(viewer)]
        asked_role = asked_words(request.GET, "role", 20)
        self.role = asked_role if asked_role in dict(self.roles) else ""
        people, figures = with_figures(found_by(of_role(viewer, self.role), self.words))
        self.kept = f"?{request.GET.urlencode()}" if request.GET else ""
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
