from __future__ import annotations

from django.conf import settings
from django.utils.functional import lazy
from django_filters import rest_framework as filters

from annotator.models import Essay
from web.serializers import one_of


class EssayFilter(filters.FilterSet):
    """``?set=`` the name of an essay set, ``?subject=`` a subject's code, ``?number=``."""

    set = filters.CharFilter(field_name="essay_set__name")
    subject = filters.ChoiceFilter(
        choices=settings.SUBJECTS,
        error_messages={"invalid_choice": lazy(one_of, str)(dict(settings.SUBJECTS))},
    )
    number = filters.CharFilter()

    class Meta:
        model = Essay
        fields: list[str] = []
