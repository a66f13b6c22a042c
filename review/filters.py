from __future__ import annotations

from django.utils.functional import lazy
from django_filters import rest_framework as filters

from annotator.filters import SetFilter
from annotator.models import Assignment
from web.serializers import one_of

STATES = dict(Assignment.State.choices)
ROLES = dict(Assignment.Role.choices)


class AssignmentFilter(filters.FilterSet):
    """``?set=`` the name of a set, ``?expert=`` a login, ``?essay=``, ``?state=``, ``?role=``."""

    set = SetFilter(field_name="essay__essay_set__name")
    expert = filters.CharFilter(field_name="expert__username")
    essay = filters.NumberFilter(field_name="essay_id", min_value=0, max_value=2**62)
    state = filters.ChoiceFilter(
        choices=Assignment.State.choices,
        error_messages={"invalid_choice": lazy(one_of, str)(STATES)},
    )
    role = filters.ChoiceFilter(
        choices=Assignment.Role.choices,
        error_messages={"invalid_choice": lazy(one_of, str)(ROLES)},
    )

    class Meta:
        model = Assignment
        fields: list[str] = []
