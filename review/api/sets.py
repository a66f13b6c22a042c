"""Essay sets for coordinators: list, make, read; how far their checks are, what came of them."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Q, QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import generics
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.models import Essay, EssaySet
from annotator.queries.sets import CHECKED_SETS
from annotator.services.set_acts import bring_into
from annotator.services.sets import make_essay_set, new_essay_set
from review.access import may_assign, may_see_desk, may_see_verdicts
from review.api.doors import Guarded
from review.models import Verdict
from review.queries.essays import essays_of_set
from review.queries.grades import with_standing_grades
from review.queries.verdicts import verdicts_of
from review.serializers import EssayResults, EssayStates, SetLine, SetOrder, VerdictLine
from review.services.calls import once
from web.headers import KEY, client_key_of


class Sets(Guarded, generics.ListAPIView):
    """All essay sets; a new one is made here."""

    queryset = EssaySet.objects.none()
    serializer_class = SetLine
    filter_backends = ()
    may_read = staticmethod(may_see_desk)
    may_write = staticmethod(may_assign)

    def get_queryset(self) -> QuerySet[EssaySet]:
        return _sets().order_by("name")

    @extend_schema(request=SetOrder, responses={200: SetLine, 201: SetLine}, parameters=[KEY])
    def post(self, request: Request) -> Response:
        asked = SetOrder(data=request.data)
        asked.is_valid(raise_exception=True)
        number, is_new = once(
            owner=request.user,
            client_key=client_key_of(request),
            make=lambda: _make(request, asked.validated_data),
        )
        answer = SetLine(generics.get_object_or_404(_sets(), pk=number)).data
        return Response(answer, 201 if is_new else 200)


class Set(Guarded, generics.RetrieveAPIView):
    """An essay set."""

    queryset = EssaySet.objects.none()
    serializer_class = SetLine
    may_read = staticmethod(may_see_desk)

    def get_queryset(self) -> QuerySet[EssaySet]:
        return _sets()


class _EssaysOfSet(Guarded, generics.ListAPIView):
    """Of practice nothing is checked, and so it has neither states nor results."""

    queryset = Essay.objects.none()
    filter_backends = ()
    may_read = staticmethod(may_see_desk)

    def get_queryset(self) -> QuerySet[Essay]:
        checked = EssaySet.objects.filter(CHECKED_SETS)
        return essays_of_set(generics.get_object_or_404(checked, pk=self.kwargs["pk"]))


class States(_EssaysOfSet):
    """The essays of a set and how far their checks are."""

    serializer_class = EssayStates


class Results(_EssaysOfSet):
    """The essays of a set with the computed points of their checks and their final grades."""

    serializer_class = EssayResults

    def get_queryset(self) -> QuerySet[Essay]:
        return with_standing_grades(super().get_queryset())


class Verdicts(Guarded, generics.ListAPIView):
    """What judges and the commission said of a set, the latest first."""

    queryset = Verdict.objects.none()
    serializer_class = VerdictLine
    filter_backends = ()
    may_read = staticmethod(may_see_verdicts)

    def get_queryset(self) -> QuerySet[Verdict]:
        return verdicts_of(generics.get_object_or_404(EssaySet, pk=self.kwargs["pk"]))


def _sets() -> QuerySet[EssaySet]:
    latest = Count("essays", filter=Q(essays__closed_at=None))
    return EssaySet.objects.select_related("rules").annotate(count=latest)


def _make(request: Request, asked: dict[str, Any]) -> int:
    essay_set = new_essay_set(name=asked["name"], rules=asked["rules"])
    essay_set.access, essay_set.state = asked["access"], EssaySet.State.PREPARING
    make_essay_set(essay_set=essay_set, actor=request.user)
    if asked["state"] != essay_set.state:
        seen = essay_set.revision
        bring_into(essay_set=essay_set, state=asked["state"], seen=seen, actor=request.user)
    return essay_set.pk
