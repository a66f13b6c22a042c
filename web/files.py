"""Answers that a browser keeps as a file."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.http import content_disposition_header


def as_file(response: HttpResponse, name: str) -> HttpResponse:
    """The answer under the name it is kept by, whatever letters that is written in."""
    response["Content-Disposition"] = content_disposition_header(True, name)
    return response
