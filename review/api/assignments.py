"""Checks for coordinators: list, give one away, take one back."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import generics
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.models import User
from annotator.models import Assignment, Essay
from review.access import may_assign, may_see_desk
from review.api.doors import Guarded
from review.filters import AssignmentFilter
from review.serializers import AssignmentLine, AssignmentOrder, Nothing
from review.services.assigning import assign_expert, withdraw
from review.services.calls import once
from web.headers import KEY, client_key_of


class Assignments(Guarded, generics.ListAPIView):
    """All checks, the latest first; one is given away here."""

    queryset = Assignment.objects.none()
    serializer_class = AssignmentLine
    filterset_class = AssignmentFilter
    may_read = staticmethod(may_see_desk)
    may_write = staticmethod(may_assign)

    def get_queryset(self) -> QuerySet[Assignment]:
        return _assignments().order_by("-pk")

    @extend_schema(
        request=AssignmentOrder,
        responses={200: AssignmentLine, 201: AssignmentLine},
        parameters=[KEY],
    )
    def post(self, request: Request) -> Response:
        asked = AssignmentOrder(data=request.data)
        asked.is_valid(raise_exception=True)
        number, is_new = once(
            owner=request.user,
            client_key=client_key_of(request),
            make=lambda: _give(request, asked.validated_data),
        )
        answer = AssignmentLine(generics.get_object_or_404(_assignments(), pk=number)).data
        return Response(answer, 201 if is_new else 200)


class Withdrawal(Guarded, APIView):
    """Take a check that was not submitted away; what was begun keeps its draft."""

    may_write = staticmethod(may_assign)

    @extend_schema(request=None, responses={200: AssignmentLine})
    def post(self, request: Request, pk: int) -> Response:
        Nothing(data=request.data).is_valid(raise_exception=True)
        assignment = generics.get_object_or_404(_assignments(), pk=pk)
        if assignment.state != Assignment.State.WITHDRAWN:  # sent again it is done already
            withdraw(assignment=assignment, actor=request.user)
            assignment.refresh_from_db()
        return Response(AssignmentLine(assignment).data)


def _assignments() -> QuerySet[Assignment]:
    return Assignment.objects.select_related("essay__essay_set", "expert")


def _give(request: Request, asked: dict[str, Any]) -> int:
    essay = Essay.objects.filter(pk=asked["essay"]).first()
    expert = User.objects.filter(username=asked["expert"], role=User.Role.EXPERT).first()
    missing = {
        name: [words]
        for name, found, words in (
            ("essay", essay, _("There is no such essay.")),
            ("expert", expert, _("There is no such expert.")),
        )
        if found is None
    }
    if essay is None or expert is None:
        raise ValidationError(missing)
    role = Assignment.Role(asked["role"])
    return assign_expert(essay=essay, expert=expert, role=role, actor=request.user).pk
