"""Submissions for participants: queued at which place, or scored."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import generics
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.access import may_send_markups
from annotator.models import MarkupRecord
from review.api.doors import Guarded
from review.queries.submissions import own_submissions, progress_of
from review.serializers import SubmissionLine


class Submissions(Guarded, generics.ListAPIView):
    """One's submissions, the latest first."""

    queryset = MarkupRecord.objects.none()
    serializer_class = SubmissionLine
    filter_backends = ()
    may_read = staticmethod(may_send_markups)

    def get_queryset(self) -> QuerySet[MarkupRecord]:
        return own_submissions(self.request.user)

    def list(self, request: Request, *_args: Any, **_kwargs: Any) -> Response:
        del request
        page = self.paginate_queryset(self.get_queryset()) or []
        return self.get_paginated_response(SubmissionLine(progress_of(page), many=True).data)


class Submission(Guarded, generics.GenericAPIView):
    """How far one's submission is."""

    queryset = MarkupRecord.objects.none()
    serializer_class = SubmissionLine
    may_read = staticmethod(may_send_markups)

    @extend_schema(responses={200: SubmissionLine})
    def get(self, request: Request, pk: int) -> Response:
        record = generics.get_object_or_404(own_submissions(request.user), pk=pk)
        return Response(SubmissionLine(progress_of([record])[0]).data)
