"""Essays and markups for programs: list, get, send (screens.md 1.19)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.conf import settings
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework import generics
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotator.access import essays_seen_by, markups_seen_by, may_send_markups
from annotator.core.codec import FILE_KEYS, Reading, file_to_json, submission_from_json
from annotator.core.problems import Problem, first_of, renumbered
from annotator.core.telling import ITEM, problem_as_json
from annotator.core.values import MarkedFile, Markup
from annotator.filters import EssayFilter
from annotator.models import Essay, MarkupRecord
from annotator.queries.essays import LATEST, LISTED
from annotator.serializers import (
    Accepted,
    EssayAnswer,
    EssayLine,
    MarkupAnswer,
    MarkupLine,
    Submission,
)
from annotator.services.markup import (
    problems_of,
    remarks_on_crossing,
    remarks_on_points,
    send_markup,
)
from web.api_errors import refuse
from web.headers import KEY, client_key_of
from web.serializers import StrictQuery, one_of, refuse_unknown

ALGORITHM: Final = MarkupRecord.Source.ALGORITHM


class Description(StrictQuery, SpectacularAPIView):
    """The description of the API."""

    query_names = ("format", "lang")

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        known = [code for code, _name in settings.LANGUAGES]
        if request.query_params.get("lang", known[0]) not in known:
            raise ValidationError({"lang": [one_of(known)]})


class Essays(StrictQuery, generics.ListAPIView):
    """Essays this account may see, each in its latest version; sets of the archive by name only."""

    queryset = Essay.objects.none()  # tells the description of the API the model
    serializer_class = EssayLine
    filterset_class = EssayFilter

    def get_queryset(self) -> Any:
        listed = LATEST if "set" in self.request.query_params else LISTED
        essays = essays_seen_by(self.request.user).filter(listed)
        return essays.order_by("essay_set__name", "number", "pk")


class EssayFile(StrictQuery, APIView):
    """An essay without markup, in the regulation's JSON."""

    @extend_schema(responses={200: EssayAnswer})
    def get(self, request: Request, pk: int) -> Response:
        essay = generics.get_object_or_404(essays_seen_by(request.user), pk=pk)
        file = file_to_json(MarkedFile(essay.meta(), Markup(essay.text)))
        return Response({key: value for key, value in file.items() if key != "selections"})


class Markups(StrictQuery, generics.ListAPIView):
    """The markups of an essay; a participant sends its own here."""

    queryset = MarkupRecord.objects.none()
    serializer_class = MarkupLine
    filter_backends = ()

    def get_queryset(self) -> Any:
        essay = generics.get_object_or_404(essays_seen_by(self.request.user), pk=self.kwargs["pk"])
        seen = markups_seen_by(self.request.user).filter(essay=essay)
        return seen.order_by("pk")

    @extend_schema(request=Submission, responses={200: Accepted, 201: Accepted}, parameters=[KEY])
    def post(self, request: Request, pk: int) -> Response:
        if not may_send_markups(request.user):
            raise PermissionDenied(_("Only a participant’s account sends algorithm markups."))
        essay = generics.get_object_or_404(essays_seen_by(request.user), pk=pk)
        reading = _read(request.data, essay)
        if reading.refused:
            blocking = _blocking(reading, request.data, essay)
            return refuse(422, "problems", _("The markup cannot be read."), _listed(blocking))
        record, is_new = send_markup(
            essay=essay,
            author=request.user,
            file=reading.file,
            client_key=client_key_of(request),
        )
        crossing = remarks_on_crossing(essay.essay_set.rules, reading.file.markup, ALGORITHM)
        remarks = reading.problems + crossing + remarks_on_points(essay, reading.file)
        return Response(_accepted(record, is_new, remarks), 201 if is_new else 200)


class MarkupFile(StrictQuery, APIView):
    """A markup in the regulation's JSON."""

    @extend_schema(responses={200: MarkupAnswer})
    def get(self, request: Request, pk: int) -> Response:
        record = generics.get_object_or_404(markups_seen_by(request.user), pk=pk)
        return Response(file_to_json(record.to_file()))


def _read(data: object, essay: Essay) -> Reading:
    if isinstance(data, dict):
        refuse_unknown(data, FILE_KEYS)
    return submission_from_json(data, meta=essay.meta(), text=essay.text)


def _blocking(reading: Reading, data: object, essay: Essay) -> list[Problem]:
    """What could not be read, and what is wrong with the fragments that could."""
    blocking = [problem for problem in reading.problems if problem.blocks]
    selections = data.get("selections") if isinstance(data, dict) else None
    if not isinstance(selections, list):
        return blocking
    unread = {int(index) for each in blocking for index in ITEM.findall(each.path or "")}
    numbers = [number for number in range(1, len(selections) + 1) if number - 1 not in unread]
    found = problems_of(essay, reading.file.markup, ALGORITHM)
    return blocking + [renumbered(problem, numbers) for problem in found]


def _listed(problems: Sequence[Problem]) -> list[dict[str, Any]]:
    return [problem_as_json(problem, _) for problem in first_of(problems)]


def _accepted(record: MarkupRecord, is_new: bool, problems: Sequence[Problem]) -> dict[str, object]:
    return {
        "id": record.pk,
        "essay": record.essay_id,
        "fragments": record.fragments.count(),
        "repeated": not is_new,
        "remarks": _listed(problems),
    }
