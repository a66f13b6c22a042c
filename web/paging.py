"""Lists that grow come in pages, each at the same price however long the list is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest

PER_PAGE: Final = 50


def page_of(
    request: HttpRequest,
    rows: QuerySet[Any] | Sequence[Any],
    name: str = "page",
    most: int | None = None,
    count: int | None = None,
) -> Page[Any]:
    """The rows the address asks for by ``name``: its own one for each list of a page.

    ``count``: how many there are, where it is known.
    """
    paginator = Paginator(rows, most or PER_PAGE)
    if count is not None:
        paginator.count = count
    return paginator.get_page(request.GET.get(name))
