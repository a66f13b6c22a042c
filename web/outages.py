"""The database is away, locked or full: everybody is told so, and what was typed is kept.

Whatever fails, a page, a part of one, a session, the page of another error, ends in ``fault``.
"""

from __future__ import annotations

import errno
import sqlite3
import sys
from collections.abc import Iterator
from typing import Any, Final

from django.conf import settings
from django.core.exceptions import TooManyFilesSent
from django.db import Error
from django.db import InterfaceError as LostConnection
from django.db import OperationalError as DatabaseAway
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render, resolve_url
from django.utils.translation import gettext as _
from django.views.defaults import server_error
from rest_framework.authentication import CSRFCheck

from web.declining import NEVER_KEPT, decline, is_of_program, page_before, tell_program

CODE: Final = "unavailable"
RETRY_SECONDS: Final = 5
FULL: Final = (errno.ENOSPC, errno.EDQUOT)
NOT_PREPARED: Final = "no such table"
READ_ONLY: Final = "25006"
"""What PostgreSQL calls a write to a server that only reads: a standby, a full disk."""


def is_outage(error: BaseException | None) -> bool:
    """Is this, or what led to it, a database or a disk that cannot be used just now?"""
    return any(_is_away(each) for each in _story(error))


def _story(error: BaseException | None) -> Iterator[BaseException]:
    """An exception with all that led to it."""
    waiting, seen = [error], set()
    while waiting:
        each = waiting.pop()
        if each is not None and id(each) not in seen:
            seen.add(id(each))
            yield each
            waiting += [each.__cause__, each.__context__]


def _is_away(error: BaseException) -> bool:
    if isinstance(error, LostConnection):
        return True
    if isinstance(error, DatabaseAway):
        return not _is_wrong_query(error.__cause__)
    if isinstance(error, Error):
        return getattr(error.__cause__, "sqlstate", "") == READ_ONLY
    return isinstance(error, OSError) and error.errno in FULL


def _is_wrong_query(cause: BaseException | None) -> bool:
    """SQLite calls a query it cannot read by the same name as a full disk."""
    code = getattr(cause, "sqlite_errorcode", None)
    return code == sqlite3.SQLITE_ERROR and not str(cause).startswith(NOT_PREPARED)


def sentence() -> str:
    return _("The database does not answer. Try again in a few seconds.")


def refused(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400, with the limit where too many files came at once."""
    is_too_many = isinstance(exception, TooManyFilesSent)
    limit = settings.DATA_UPLOAD_MAX_NUMBER_FILES if is_too_many else None
    return render(request, "400.html", {"limit": limit}, status=400)


def fault(request: HttpRequest) -> HttpResponse:
    """Called where an exception was caught: an outage is said, anything else is a fault of ours."""
    if is_outage(sys.exc_info()[1]):
        return unavailable(request)
    return server_error(request)


def unavailable(request: HttpRequest) -> HttpResponse:
    """503 as a page with what was typed, as a part of the page, or as JSON for programs."""
    if is_of_program(request):
        response: HttpResponse = tell_program(sentence(), code=CODE, status=503)
    elif request.htmx:
        lost = _("The database does not answer. Nothing was saved; what you typed is still here.")
        words = sentence() if request.method in ("GET", "HEAD") else lost
        response = decline(request, words, code=CODE, status=503)
    else:
        response = _page(request)
    response["Retry-After"] = str(RETRY_SECONDS)
    response["Cache-Control"] = "no-store"
    return response


def _page(request: HttpRequest) -> HttpResponse:
    guard = CSRFCheck(lambda _request: HttpResponse())
    guard.process_request(request)
    posted = request.method == "POST"
    context = {
        "posted": posted,
        "leaving": posted and request.path == resolve_url(settings.LOGOUT_URL),
        "in_parts": getattr(request, "in_parts", False),
        "again": request.get_full_path(),
        "page": page_before(request) if posted else request.get_full_path(),
    }
    response = render(request, "503.html", context | _typed(request, guard), status=503)
    guard.process_response(request, response)  # the token of the form, where nobody else sets it
    return response


def _typed(request: HttpRequest, guard: CSRFCheck) -> dict[str, Any]:
    """What a form of ours brought: words to be sent again, and what must be given anew.

    The words of a form from elsewhere are not offered: a click would send them in our name.
    """
    if request.method != "POST":
        return {}
    try:
        if guard.process_view(request, None, (), {}):  # the reason for a refusal
            return {}
        fields = [
            (name, value)
            for name, values in request.POST.lists()
            for value in values
            if name != "csrfmiddlewaretoken"
        ]
        files = {name: len(each) > 1 for name, each in request.FILES.lists()}
    except Exception:  # the form itself cannot be read
        return {}
    secret = [name for name, _value in fields if NEVER_KEPT in name]
    kept = [(name, value) for name, value in fields if NEVER_KEPT not in name]
    return {
        "kept": kept,
        "secret": secret,
        "files": files.items(),
        "is_kept": bool(fields or files),
    }
