"""Where a request comes from, the cookie by which a browser is known again, and where we are."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from accounts.services.logins import Place, is_known, new_device

COOKIE: Final = "device"
KEPT: Final = timedelta(days=365)
LONGEST: Final = 64


def place_of(request: HttpRequest) -> Place:
    """The visitor's address, past the proxies we trust, and the mark of the browser."""
    device = request.COOKIES.get(COOKIE, "")
    return Place(request.META.get("REMOTE_ADDR", ""), device if len(device) <= LONGEST else "")


def keep_place(request: HttpRequest, response: HttpResponseBase) -> Place:
    """The same, with a mark of ours: one that no account was opened with is replaced."""
    place = place_of(request)
    device = place.device if is_known(place.device) else new_device()
    marked = Place(place.address, device)
    response.set_cookie(
        COOKIE,
        marked.device,
        max_age=KEPT,
        httponly=True,
        samesite="Lax",
        secure=not settings.LOCAL,
    )
    return marked


def own_address(request: HttpRequest) -> str:
    """The beginning of a link to us; nothing the request says has a part in it."""
    return settings.PUBLIC_ADDRESS or f"http://127.0.0.1:{request.META['SERVER_PORT']}"
