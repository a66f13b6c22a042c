"""How the API answers what it declines: always JSON with a code and a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db import OperationalError
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework.exceptions import APIException, NotFound
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response
from rest_framework.views import exception_handler

from annotator.core.messages import describe, place_of
from annotator.core.problems import Problem
from annotator.services.refusals import MarkupConflict, MarkupHasProblems, Refused


def answer(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """DRF's exception handler: refusals of the services and a lost database besides its own."""
    if request := context.get("request"):  # whatever was asked for: a schema in YAML, say
        request.accepted_renderer = JSONRenderer()
        request.accepted_media_type = JSONRenderer.media_type
    if isinstance(error, MarkupHasProblems):
        return refuse(422, error.code, str(error), error.problems)
    if isinstance(error, MarkupConflict):
        return refuse(409, error.code, str(error))
    if isinstance(error, Refused):
        return refuse(422, error.code, str(error))
    if isinstance(error, OperationalError):
        message = _("The database does not answer. Try again in a few seconds.")
        return Response(
            {"code": "unavailable", "message": message}, 503, headers={"Retry-After": "5"}
        )
    if isinstance(error, Http404):
        error = NotFound()
    response = exception_handler(error, context)
    if response is not None and isinstance(error, APIException):
        response.data = _as_body(error, response.data)
    return response


def refuse(status: int, code: str, message: str, problems: Iterable[Problem] = ()) -> Response:
    """An answer that names what is wrong, and each place of it."""
    body: dict[str, Any] = {"code": code, "message": message}
    listed = [problem_as_json(problem) for problem in problems]
    if listed:
        body["problems"] = listed
    return Response(body, status)


def problem_as_json(problem: Problem) -> dict[str, Any]:
    """A problem with its sentence in the reader's language and its place."""
    return {
        "code": problem.code,
        "message": describe(problem, _),
        "place": place_of(problem, _),
        "path": problem.path,
        "fragment": problem.fragment,
        "blocks": problem.blocks,
    }


def _as_body(error: APIException, data: Any) -> Any:
    if isinstance(data, dict) and "message" in data:
        return data
    if isinstance(data, dict) and set(data) == {"detail"}:
        return {"code": error.default_code, "message": str(data["detail"])}
    return {"code": "invalid", "message": _("Some fields are not right."), "fields": data}
