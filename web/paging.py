"""Lists that grow come in pages, each at the same price however long the list is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.pagination import LimitOffsetPagination
from rest_framework.request import Request

PER_PAGE: Final = 50
BIGGEST: Final = 2**31 - 1
DIGITS: Final = re.compile("[0-9]+")
LONGEST: Final = 20
"""Digits that are read: whatever follows, it is beyond ``BIGGEST``."""


def page_of(
    request: HttpRequest,
    rows: QuerySet[Any] | Sequence[Any],
    name: str = "page",
    most: int | None = None,
) -> Page[Any]:
    """The rows the address asks for by ``name``: its own one for each list of a page."""
    return Paginator(rows, most or PER_PAGE).get_page(request.GET.get(name))


class Pages(LimitOffsetPagination):
    """Pages of a list of the API; no database takes a number without end as a place in it."""

    default_limit = PER_PAGE
    max_limit = 1000

    def get_limit(self, request: Request) -> int | None:
        asked = _number(request, self.limit_query_param, least=1)
        return self.default_limit if asked is None else min(asked, self.max_limit)

    def get_offset(self, request: Request) -> int:
        return _number(request, self.offset_query_param, least=0) or 0


def _number(request: Request, name: str, *, least: int) -> int | None:
    """A whole number of the query, or ``None`` where it is not given; none beyond ``BIGGEST``."""
    if name not in request.query_params:
        return None
    written = request.query_params[name]
    number = int(written[:LONGEST]) if DIGITS.fullmatch(written) else -1
    if number < least:
        raise ValidationError({name: [_("Give a whole number from %d on.") % least]})
    return min(number, BIGGEST)
