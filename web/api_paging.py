"""Lists of the API come in pages; apart, so that who has no API loads nothing of it."""

from __future__ import annotations

import re
from typing import Final

from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.pagination import LimitOffsetPagination
from rest_framework.request import Request

from web.paging import PER_PAGE

BIGGEST: Final = 2**31 - 1
DIGITS: Final = re.compile("[0-9]+")
LONGEST: Final = 20
"""Digits that are read: whatever follows, it is beyond ``BIGGEST``."""


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
