"""How a request is declined: for programs as JSON, else as a page or as the notice of one."""

from __future__ import annotations

import logging
import re
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render, resolve_url
from django_htmx.http import reswap, retarget

from web.typed import called, filled_in

log = logging.getLogger(__name__)

NEVER_KEPT: Final = "password"
"""Fields with this in their names are shown to nobody."""

SECRETS: Final = (NEVER_KEPT, "token", "secret")
"""With one of these they are not given back after a refusal either."""

_KEY: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32}|on")
"""Keys by which two presses are told from two wishes, digests, and boxes that are ticked."""


def is_of_program(request: HttpRequest) -> bool:
    """Is the API asked, be its address complete or not, or what watches over the platform?"""
    return f"{request.path}/".startswith(("/api/", "/healthz/"))


def tell_program(message: str, *, code: str, status: int, **place: str) -> JsonResponse:
    """What every refusal of the API says, outside its views too; ``place``: what is at fault."""
    return JsonResponse({"code": code, "message": message, **place}, status=status)


def note_too_large(request: HttpRequest) -> None:
    """Nothing is kept of a body that is too large, but the log tells that it came, and where."""
    length = request.META.get("CONTENT_LENGTH") or "?"
    log.warning(
        "%s %.200r: a body of %.20s bytes was refused", request.method, request.path, length
    )


def refusal_page(request: HttpRequest, reason: str, status: int) -> HttpResponse:
    """A page that says why and what to do."""
    return render(request, "refused.html", {"reason": reason}, status=status)


def decline(
    request: HttpRequest, reason: str, *, code: str, status: int, page: str = ""
) -> HttpResponse:
    """The refusal in the form that was asked for; a part of a page goes where notices stand.

    It leads to ``page``, else to where it was sent from.
    """
    if is_of_program(request):
        return tell_program(reason, code=code, status=status)
    template = "refused.html#notice" if request.htmx else "refused.html"
    before = page or page_before(request)
    context = {"reason": reason, "before": before, "typed": typed_words(request)}
    response = render(request, template, context, status=status)
    return reswap(retarget(response, "#notice"), "outerHTML")


def typed_words(request: HttpRequest) -> list[tuple[str, str]]:
    """What somebody typed, under what its field is called, as far as a form was read: it is not
    lost with its page.

    Nothing is where the view says so (``nothing_typed``): its form holds hidden fields alone.
    Of the fields a page fills in itself only sentences are told: a hidden form may hold them, too.
    """
    if "_post" not in vars(request) or getattr(request, "nothing_typed", False):
        return []
    fields = [
        (name, value.strip())
        for name, several in request.POST.lists()
        if not any(word in name.lower() for word in SECRETS)
        for value in several
    ]
    return [(called(name), words) for name, words in fields if _is_typed(name, words)]


def _is_typed(name: str, words: str) -> bool:
    is_filled_in = name in filled_in() or _KEY.fullmatch(words)
    return len(words.split()) > 1 or bool(words and not is_filled_in)


def form_out_of_date(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001 - Django's
    """A form without the token of this visit is not taken; what it brought is given back.

    Of a form from elsewhere nothing is shown: its words would stand on a page of ours.
    """
    said = request.headers.get("Origin") or request.headers.get("Referer", "")
    is_ours = urlsplit(said).netloc == request.get_host()
    context = {"before": page_before(request), "typed": _read_words(request) if is_ours else []}
    return render(request, "403_csrf.html", context, status=403)


def _read_words(request: HttpRequest) -> list[tuple[str, str]]:
    try:
        request.POST  # noqa: B018 - reads the form
    except Exception:  # it cannot be read: nothing is given back
        return []
    return typed_words(request)


def page_before(request: HttpRequest) -> str:
    """Where a form was sent from, if that is one of our pages; what takes a form may show none."""
    if not has_page_before(request):
        return resolve_url(settings.LOGIN_REDIRECT_URL)
    before = urlsplit(request.headers["Referer"])
    return before._replace(scheme="", netloc="", path="/" + before.path.lstrip("/")).geturl()


def has_page_before(request: HttpRequest) -> bool:
    """Does a request say which page of ours it was sent from?"""
    before = urlsplit(request.headers.get("Referer", ""))
    return before.netloc == request.get_host() and before.path.startswith("/")
