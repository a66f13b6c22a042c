"""Announced contests for programs: what everybody reads of them, and nothing more."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import generics
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from contest.access import may_read_contests
from contest.models import Contest
from contest.pages.lines import ContestLine, line_of, lines_of
from contest.pages.reports import report_of
from contest.queries.contests import with_what_lines_say
from contest.serializers import ContestAnswer, ContestReport
from review.api.doors import Guarded


class Contests(Guarded, generics.ListAPIView):
    """The contests that are announced, those that run first: what is on, and what comes next."""

    queryset = Contest.objects.none()
    serializer_class = ContestAnswer
    filter_backends = ()
    may_read = staticmethod(may_read_contests)

    def get_queryset(self) -> QuerySet[Contest]:
        return with_what_lines_say(_announced())

    def paginate_queryset(self, queryset: Any) -> list[ContestLine]:
        return lines_of(super().paginate_queryset(queryset) or [])


class OneContest(Guarded, APIView):
    """A contest that is announced: its schedule, its parameters in force, its published boards."""

    may_read = staticmethod(may_read_contests)

    @extend_schema(responses=ContestReport)
    def get(self, request: Request, slug: str) -> Response:
        line = line_of(_announced(), slug)
        if line is None:
            raise Http404
        return Response(ContestReport(report_of(line, request.user)).data)


def _announced() -> QuerySet[Contest]:
    return Contest.objects.exclude(announced_at=None)
