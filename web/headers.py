"""What the API reads in the head of a request."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Final

from django.http import QueryDict
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from web.client_keys import ClientKey

LONGEST: Final = 80


def key_parameter(description: str) -> OpenApiParameter:
    """The head by which a program names what it sends; its description says what a repeat does."""
    words = f"{description} At most {LONGEST} printable characters."
    return OpenApiParameter("Idempotency-Key", str, OpenApiParameter.HEADER, description=words)


KEY = key_parameter(
    "Your own name of this submission: sent twice it counts once. "
    "With another body it is a conflict (409)."
)


def client_key_of(request: Request) -> ClientKey | None:
    """The program's name of its submission, with the digest of what it sends: see ``KEY``."""
    key = key_named(request)
    return ClientKey(key, _digest(request)) if key else None


def key_named(request: Request) -> str:
    """The name alone; empty where there is none."""
    key = request.headers.get("Idempotency-Key", "").strip()
    if len(key) > LONGEST or not key.isprintable():
        raise ValidationError({"Idempotency-Key": [_("At most 80 printable characters.")]})
    return key


def _digest(request: Request) -> str:
    """Of the address and the values that are sent, however they are spelled."""
    files = {
        name: [(each.name, sha256(each.read()).hexdigest()) for each in request.FILES.getlist(name)]
        for name in request.FILES
    }
    for name in files:
        for each in request.FILES.getlist(name):
            each.seek(0)
    data = request.data
    if files or isinstance(data, QueryDict):
        data = {name: data.getlist(name) for name in data if name not in files}
    sent = json.dumps([request.path, data, files], sort_keys=True)
    return sha256(sent.encode()).hexdigest()
