"""How the API answers what it declines: always JSON with a code and a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.defaults import page_not_found
from rest_framework.exceptions import APIException, NotFound
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response
from rest_framework.views import exception_handler

from web.declining import is_of_program, tell_program
from web.outages import CODE, RETRY_SECONDS, is_outage, sentence
from web.refusals import Refused


def answer(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """DRF's exception handler: refusals of the services and a lost database besides its own."""
    if request := context.get("request"):  # whatever was asked for: a schema in YAML, say
        request.accepted_renderer = JSONRenderer()
        request.accepted_media_type = JSONRenderer.media_type
    if isinstance(error, Refused):
        refused = refuse(error.status, error.code, str(error), error.listed())
        if error.seconds is not None:
            refused["Retry-After"] = str(ceil(error.seconds))
        return refused
    if is_outage(error):
        body = {"code": CODE, "message": sentence()}
        return Response(body, 503, headers={"Retry-After": str(RETRY_SECONDS)})
    if isinstance(error, Http404):
        error = NotFound()
    response = exception_handler(error, context)
    if response is not None and isinstance(error, APIException):
        response.data = _as_body(error, response.data)
    return response


def lost(request: HttpRequest, exception: Exception) -> HttpResponse:
    """An address nobody has: JSON for programs, the page for everybody else."""
    if is_of_program(request):
        return tell_program(_("There is no such address."), code="not_found", status=404)
    return page_not_found(request, exception)


def refuse(
    status: int, code: str, message: str, problems: Sequence[Mapping[str, Any]] = ()
) -> Response:
    """An answer that names what is wrong, and each place of it."""
    body: dict[str, Any] = {"code": code, "message": message}
    if problems:
        body["problems"] = problems
    return Response(body, status)


def _as_body(error: APIException, data: Any) -> Any:
    if isinstance(data, dict) and "message" in data:
        return data
    if isinstance(data, dict) and set(data) == {"detail"}:
        return {"code": error.default_code, "message": str(data["detail"])}
    return {"code": "invalid", "message": _("Some fields are not right."), "fields": data}
