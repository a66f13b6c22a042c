"""Imports for coordinators, as on the page: files, what they would do, the word to do it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import generics
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotator.access import imports_seen_by, may_import
from annotator.forms.imports import ImportForm
from annotator.models.imports import EssayImport, ImportedFile
from annotator.services.imports.staging import (
    NothingTaken,
    confirm_import,
    leave_out_only,
    stage_import,
)
from review.api.doors import Guarded
from review.serializers import ImportedLine, ImportLine, ImportOrder, LeavingOut, Nothing
from review.services.calls import once
from web.api_errors import refuse
from web.headers import KEY, client_key_of
from web.parsers import FormParser, StrictJSONParser
from web.serializers import refuse_unknown

FIELDS = ("essay_set", "subject", "from_markups", "files")


class Imports(Guarded, generics.ListAPIView):
    """Imports, the latest first; files are sent here and wait for a word (``confirm``)."""

    queryset = EssayImport.objects.none()
    serializer_class = ImportLine
    parser_classes = (StrictJSONParser, FormParser)  # JSON is told what is missing
    filter_backends = ()
    may_read = staticmethod(may_import)
    may_write = staticmethod(may_import)

    def get_queryset(self) -> QuerySet[EssayImport]:
        return imports_seen_by(self.request.user).order_by("-pk")

    @extend_schema(
        request={"multipart/form-data": ImportOrder},
        responses={200: ImportLine, 201: ImportLine},
        parameters=[KEY],
    )
    def post(self, request: Request) -> Response:
        refuse_unknown(_sent(request), FIELDS)
        try:
            number, is_new = once(
                owner=request.user,
                client_key=client_key_of(request),
                make=lambda: _stage(request),
            )
        except NothingTaken as nothing:
            problems = [_problem(each) for each in nothing.files]
            return refuse(422, "problems", str(nothing), problems)
        batch = generics.get_object_or_404(imports_seen_by(request.user), pk=number)
        return Response(ImportLine(batch).data, 201 if is_new else 200)


class Import(Guarded, generics.RetrieveAPIView):
    """An import: what it would do, how far it is, what came of it."""

    queryset = EssayImport.objects.none()
    serializer_class = ImportLine
    may_read = staticmethod(may_import)

    def get_queryset(self) -> QuerySet[EssayImport]:
        return imports_seen_by(self.request.user)


class Files(Guarded, generics.ListAPIView):
    """The files of an import, each with its outcome."""

    queryset = ImportedFile.objects.none()
    serializer_class = ImportedLine
    filter_backends = ()
    may_read = staticmethod(may_import)

    def get_queryset(self) -> QuerySet[ImportedFile]:
        seen = imports_seen_by(self.request.user)
        batch = generics.get_object_or_404(seen, pk=self.kwargs["pk"])
        return batch.files.order_by("pk")


class Confirmation(Guarded, APIView):
    """Carry an own import out. Sent again it tells how far that is."""

    may_write = staticmethod(may_import)

    @extend_schema(request=None, responses={200: ImportLine})
    def post(self, request: Request, pk: int) -> Response:
        Nothing(data=request.data).is_valid(raise_exception=True)
        own = imports_seen_by(request.user).filter(actor=request.user)
        batch = generics.get_object_or_404(own, pk=pk)
        if batch.begun_at is None:
            confirm_import(batch=batch, actor=request.user)
        return Response(ImportLine(generics.get_object_or_404(own, pk=pk)).data)


class LeftOut(Guarded, APIView):
    """Say which essays of an own import that waits for a word shall not come in, nor their markups.

    What the files do is foreseen anew; the same list again changes nothing.
    """

    may_write = staticmethod(may_import)

    @extend_schema(request=LeavingOut, responses={200: ImportLine})
    def post(self, request: Request, pk: int) -> Response:
        asked = LeavingOut(data=request.data)
        asked.is_valid(raise_exception=True)
        own = imports_seen_by(request.user).filter(actor=request.user)
        batch = generics.get_object_or_404(own, pk=pk)
        numbers = asked.validated_data["essays"]
        unknown = leave_out_only(batch=batch, numbers=numbers, actor=request.user)
        if unknown:
            told = _("The import has no essay %s.") % ", ".join(unknown)
            raise ValidationError({"essays": [told]})
        return Response(ImportLine(generics.get_object_or_404(own, pk=pk)).data)


def _sent(request: Request) -> Mapping[str, Any]:
    return request.data if isinstance(request.data, Mapping) else {}


def _stage(request: Request) -> int:
    form = ImportForm(_sent(request))
    files = request.FILES.getlist("files")
    errors: dict[str, Any] = dict(form.errors)
    if not files:
        errors["files"] = [_("Send at least one file.")]
    if errors:
        raise ValidationError(errors)
    uploads = [(each.name or "", each) for each in files]
    return stage_import(uploads=uploads, options=form.options(request.user)).batch.pk


def _problem(file: ImportedFile) -> dict[str, Any]:
    """A file that was refused, as the description of the API tells a problem."""
    told = {"code": "file-refused", "message": file.reason, "place": file.name}
    return {**told, "path": None, "fragment": None, "blocks": True}
