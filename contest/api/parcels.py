"""Archives of markups for programs: send one, see what became of its files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import generics
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from contest.access import may_exchange, may_see_exchange, parcels_seen_by, sets_taking_parcels_of
from contest.forms import ParcelForm
from contest.models import Parcel, ParcelFile
from contest.queries.parcels import files_of
from contest.serializers import ParcelFileLine, ParcelLine, ParcelOrder
from contest.services.uploads.parcels import send_parcel
from review.api.doors import Guarded
from web.parsers import FormParser, StrictJSONParser
from web.serializers import refuse_unknown


class Parcels(Guarded, generics.ListAPIView):
    """One's archives of markups, the latest first; for staff everybody's. One is sent here.

    Its files are taken in within moments; the same archive sent again meanwhile is the same one.
    """

    queryset = Parcel.objects.none()
    serializer_class = ParcelLine
    parser_classes = (StrictJSONParser, FormParser)  # JSON is told what is missing
    filter_backends = ()
    may_read = staticmethod(may_see_exchange)
    may_write = staticmethod(may_exchange)

    def get_queryset(self) -> QuerySet[Parcel]:
        return parcels_seen_by(self.request.user).order_by("-pk")

    @extend_schema(
        request={"multipart/form-data": ParcelOrder}, responses={200: ParcelLine, 201: ParcelLine}
    )
    def post(self, request: Request) -> Response:
        sent = request.data if isinstance(request.data, Mapping) else {}
        refuse_unknown(sent, ("essay_set", "file"))
        sets = sets_taking_parcels_of(request.user)
        form = ParcelForm(sent, request.FILES, sets=sets, by_name=True)
        if not form.is_valid():
            raise ValidationError(dict(form.errors))
        file, essay_set = form.cleaned_data["file"], form.cleaned_data["essay_set"]
        parcel, is_new = send_parcel(
            participant=request.user, essay_set=essay_set, name=file.name, stream=file
        )
        return Response(ParcelLine(parcel).data, 201 if is_new else 200)


class OneParcel(Guarded, generics.RetrieveAPIView):
    """An archive of markups: how far it is."""

    queryset = Parcel.objects.none()
    serializer_class = ParcelLine
    may_read = staticmethod(may_see_exchange)

    def get_queryset(self) -> QuerySet[Parcel]:
        return parcels_seen_by(self.request.user)


class Files(Guarded, generics.ListAPIView):
    """The files of an archive, those that were refused first."""

    queryset = ParcelFile.objects.none()
    serializer_class = ParcelFileLine
    filter_backends = ()
    may_read = staticmethod(may_see_exchange)

    def get_queryset(self) -> QuerySet[ParcelFile]:
        seen: Any = parcels_seen_by(self.request.user)
        return files_of(generics.get_object_or_404(seen, pk=self.kwargs["pk"]))
