from __future__ import annotations

from typing import Final

from django_filters import rest_framework as filters
from rest_framework.pagination import LimitOffsetPagination
from rest_framework.request import Request

from annotator.models import Essay

BIGGEST: Final = 2**31 - 1


class Pages(LimitOffsetPagination):
    """Pages of a list; no database takes a number without end as a place in it."""

    max_limit = 1000

    def get_offset(self, request: Request) -> int:
        return min(super().get_offset(request), BIGGEST)


class EssayFilter(filters.FilterSet):
    """``?set=`` the name of an essay set, ``?subject=`` a subject's code, ``?number=``."""

    set = filters.CharFilter(field_name="essay_set__name")
    subject = filters.CharFilter()
    number = filters.CharFilter()

    class Meta:
        model = Essay
        fields: list[str] = []
