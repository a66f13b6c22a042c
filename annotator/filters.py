from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.utils.functional import lazy
from django.utils.translation import gettext as _
from django_filters import rest_framework as filters
from rest_framework.exceptions import ValidationError

from annotator.access import may_see_sets
from annotator.models import Essay, EssaySet
from web.serializers import one_of


class SetFilter(filters.CharFilter):
    """The rows of an essay set, by its name; a set that is not there is an error, not no rows.

    A set is there for whoever sees rows of it, and for those who lead sets.
    """

    def filter(self, rows: QuerySet[Any], name: str) -> QuerySet[Any]:
        found: QuerySet[Any] = super().filter(rows, name)
        if name and not found.exists() and not self._is_known(name):
            message = _("There is no set “%s”: give the name of one.") % name
            raise ValidationError({"set": [message]})
        return found

    def _is_known(self, name: str) -> bool:
        user = self.parent.request.user
        return may_see_sets(user) and EssaySet.objects.filter(name=name).exists()


class EssayFilter(filters.FilterSet):
    """``?set=`` the name of an essay set, ``?subject=`` a subject's code, ``?number=``."""

    set = SetFilter(field_name="essay_set__name")
    subject = filters.ChoiceFilter(
        choices=settings.SUBJECTS,
        error_messages={"invalid_choice": lazy(one_of, str)(dict(settings.SUBJECTS))},
    )
    number = filters.CharFilter()

    class Meta:
        model = Essay
        fields: list[str] = []
