from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from annotator.services.refusals import MarkupConflict, Refused


class Refusals:
    """A refusal of a service becomes a page, or a part of one, that says why and what to do."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, Refused):
            return None
        status = 409 if isinstance(error, MarkupConflict) else 422
        part = "#notice" if request.headers.get("HX-Request") else ""
        response = render(request, f"refused.html{part}", {"reason": str(error)}, status=status)
        response["HX-Retarget"] = "#notice"
        response["HX-Reswap"] = "outerHTML"
        return response
