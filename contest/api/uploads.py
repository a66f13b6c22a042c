"""Uploads of predictions for programs: send one, see what came of the own ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import generics
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from contest.access import (
    may_exchange,
    may_see_exchange,
    may_watch_sessions,
    uploads_seen_by,
)
from contest.forms import UploadForm
from contest.models import Contest, Upload
from contest.queries.solutions_of_teams import with_annulments
from contest.queries.teams import team_of
from contest.serializers import UploadLine, UploadOrder
from contest.services.uploads.uploading import Sent, send_upload
from review.api.doors import Guarded
from web.headers import KEY, client_key_of
from web.parsers import FormParser, StrictJSONParser
from web.serializers import refuse_unknown


class Uploads(Guarded, generics.ListAPIView):
    """The uploads of one's team to a contest, the latest first; for staff everybody's.

    Predictions are sent here; they are scored within moments, by the contest's own key. To a
    contest of essays without live sessions a .zip of markups of its test set is sent; ``parcel``
    is its number among the archives, which say what became of each file. The same bytes sent again
    without an ``Idempotency-Key`` are answered 200 with the upload there is, and cost nothing.
    """

    queryset = Upload.objects.none()
    serializer_class = UploadLine
    parser_classes = (StrictJSONParser, FormParser)  # JSON is told what is missing
    filter_backends = ()
    may_read = staticmethod(may_see_exchange)
    may_write = staticmethod(may_exchange)

    def get_queryset(self) -> QuerySet[Upload]:
        return with_annulments(uploads_seen_by(self.request.user, self._contest()))

    @extend_schema(
        request={"multipart/form-data": UploadOrder},
        responses={200: UploadLine, 201: UploadLine},
        parameters=[KEY],
    )
    def post(self, request: Request, slug: str) -> Response:  # noqa: ARG002 - of the address
        contest = self._contest()
        said = request.data if isinstance(request.data, Mapping) else {}
        refuse_unknown(said, ("file", "scheme"))
        form = UploadForm(said, request.FILES, contest=contest)
        if not form.is_valid():
            raise ValidationError(dict(form.errors))
        key = client_key_of(request)
        file = form.cleaned_data["file"]
        sent = Sent(file.name, file.read(), form.cleaned_data["scheme"], key)
        upload, is_new = send_upload(contest=contest, user=request.user, sent=sent)
        told = UploadLine(self.get_queryset().get(pk=upload.pk))
        return Response(told.data, 201 if is_new else 200)

    def _contest(self) -> Contest:
        """The contest of the address; 404 for whoever has no team in it."""
        user = self.request.user
        announced: Any = Contest.objects.exclude(announced_at=None)
        found: Contest = generics.get_object_or_404(announced, slug=self.kwargs["slug"])
        if team_of(user, found) is None and not may_watch_sessions(user):
            raise Http404
        return found
