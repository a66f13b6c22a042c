from __future__ import annotations

from django_filters import rest_framework as filters

from annotator.models import Essay


class EssayFilter(filters.FilterSet):
    """``?set=`` the name of an essay set, ``?subject=`` a subject's code, ``?number=``."""

    set = filters.CharFilter(field_name="essay_set__name")
    subject = filters.CharFilter()
    number = filters.CharFilter()

    class Meta:
        model = Essay
        fields: list[str] = []
