"""Essays and markups for programs: list, get, send (screens.md 1.19)."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.models import User
from annotator.access import essays_seen_by, markups_seen_by
from annotator.api_errors import problem_as_json, refuse
from annotator.core.codec import file_from_json, file_to_json
from annotator.core.values import MarkedFile, Markup
from annotator.filters import EssayFilter
from annotator.models import Essay, MarkupRecord
from annotator.serializers import Accepted, EssayLine, MarkupLine, Submission
from annotator.services.markup import send_markup

KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description="Your own name of this submission: sent twice it counts once.",
)


class Essays(generics.ListAPIView):
    """Essays this account may see."""

    queryset = Essay.objects.none()  # tells the description of the API the model
    serializer_class = EssayLine
    filterset_class = EssayFilter

    def get_queryset(self) -> Any:
        return essays_seen_by(self.request.user).order_by("essay_set__name", "number", "pk")


class EssayFile(APIView):
    """An essay without markup, in the regulation's JSON."""

    @extend_schema(responses={200: OpenApiTypes.OBJECT})
    def get(self, request: Request, pk: int) -> Response:
        essay = generics.get_object_or_404(essays_seen_by(request.user), pk=pk)
        file = file_to_json(MarkedFile(essay.meta(), Markup(essay.text)))
        return Response({key: value for key, value in file.items() if key != "selections"})


class Markups(APIView):
    """The markups of an essay; a participant sends its own here."""

    @extend_schema(responses={200: MarkupLine(many=True)})
    def get(self, request: Request, pk: int) -> Response:
        essay = generics.get_object_or_404(essays_seen_by(request.user), pk=pk)
        found = markups_seen_by(request.user).filter(essay=essay).order_by("pk")
        return Response(MarkupLine(found, many=True).data)

    @extend_schema(request=Submission, responses={200: Accepted, 201: Accepted}, parameters=[KEY])
    def post(self, request: Request, pk: int) -> Response:
        if request.user.role != User.Role.PARTICIPANT:
            raise PermissionDenied(_("Only a participant’s account sends algorithm markups."))
        essay = generics.get_object_or_404(essays_seen_by(request.user), pk=pk)
        reading = file_from_json(_complete(request.data, essay), essay=essay.text)
        if reading.refused:
            blocking = [problem for problem in reading.problems if problem.blocks]
            return refuse(422, "problems", _("The markup cannot be read."), blocking)
        record, is_new = send_markup(
            essay=essay,
            author=request.user,
            source=MarkupRecord.Source.ALGORITHM,
            file=reading.file,
            client_key=client_key_of(request),
        )
        return Response(_accepted(record, is_new, reading.problems), 201 if is_new else 200)


class MarkupFile(APIView):
    """A markup in the regulation's JSON."""

    @extend_schema(responses={200: OpenApiTypes.OBJECT})
    def get(self, request: Request, pk: int) -> Response:
        record = generics.get_object_or_404(markups_seen_by(request.user), pk=pk)
        return Response(file_to_json(record.to_file()))


def _complete(data: object, essay: Essay) -> object:
    """A submission may leave out what the platform knows of the essay: its meta fields.

    It may not leave out its fragments: ``False`` stands for them and is refused as no list.
    """
    if not isinstance(data, dict):
        return data
    known = file_to_json(MarkedFile(essay.meta(), Markup(essay.text)))["meta"]
    selections = data.get("selections")
    return {**data, "selections": False if selections is None else selections, "meta": known}


def client_key_of(request: Request) -> str | None:
    key = request.headers.get("Idempotency-Key", "").strip()
    if len(key) > 80 or not key.isprintable():
        raise ValidationError({"Idempotency-Key": [_("At most 80 printable characters.")]})
    return key or None


def _accepted(record: MarkupRecord, is_new: bool, problems: tuple[Any, ...]) -> dict[str, object]:
    return {
        "id": record.pk,
        "essay": record.essay_id,
        "fragments": record.fragments.count(),
        "repeated": not is_new,
        "remarks": [problem_as_json(problem) for problem in problems],
    }
