"""How much each door takes: the largest body of a request, by the name of its address.

The server asks here before it reads a body (config/channel.py); whatever serves the pages, a body
over the limit is refused before anything of it is parsed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.core.exceptions import DisallowedHost, RequestDataTooBig
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.template.defaultfilters import floatformat
from django.utils.translation import gettext as _
from rest_framework.exceptions import AuthenticationFailed

from accounts.authentication import TokenAuthentication
from accounts.forms import MAX_LIST_BYTES
from accounts.roles import EVERYBODY, MANAGERS, Role, has_one_of
from annotator.services.archives import MAX_FILE
from annotator.services.imports import staging
from config.admission import ADMISSION, ANONYMOUS, Admission
from contest.access import ORGANISING
from schemes.adapters.scheme import MAX_BYTES
from web.declining import decline, is_of_program, note_too_large, tell_program
from web.middleware import FORMS
from web.outages import is_outage, refused

CODE: Final = "too-large"
FORM: Final = 256 * 1024
"""What somebody with an account may send where the table says nothing else."""
OUTAGE: Final = 2**20
"""What a browser with a session may send while the database cannot say whose it is."""
MARKUP: Final = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
SCHEME: Final = 50 * 1024 * 1024
ENVELOPE: Final = 64 * 1024
"""What a form adds to the file in it."""


@dataclass(frozen=True, slots=True)
class Door:
    """At most so many bytes for these roles; for others what any form may hold."""

    size: int
    roles: frozenset[Role] = EVERYBODY


DOORS: Final[Mapping[str, Door]] = {
    "accounts:people_file": Door(MAX_LIST_BYTES, MANAGERS),
    "annotator:import": Door(staging.MOST_BYTES, MANAGERS),
    "annotator:key": Door(MAX_FILE, MANAGERS),
    "annotator:keys": Door(staging.MOST_BYTES, MANAGERS),
    "annotator:fragments": Door(MARKUP, frozenset({Role.EXPERT})),  # the whole essay may be quoted
    "annotator:fragment": Door(MARKUP, frozenset({Role.EXPERT})),
    "annotator:same": Door(MARKUP, frozenset({Role.EXPERT})),
    "annotator:source": Door(MARKUP, frozenset({Role.EXPERT})),
    "schemes:scheme": Door(SCHEME),
    "schemes:tool": Door(MARKUP),
    "schemes:keep_key": Door(SCHEME),
    "api:api_imports": Door(staging.MOST_BYTES, MANAGERS),
    "api:api_markups": Door(MARKUP, frozenset({Role.PARTICIPANT})),
    "contest:send_upload": Door(MAX_BYTES, frozenset({Role.PARTICIPANT})),
    "contest:upload_terms": Door(MAX_BYTES, ORGANISING),
    "api:api_uploads": Door(MAX_BYTES, frozenset({Role.PARTICIPANT})),
    "contest:send_parcel": Door(staging.MOST_BYTES, frozenset({Role.PARTICIPANT})),
    "api:api_parcels": Door(staging.MOST_BYTES, frozenset({Role.PARTICIPANT})),
    "api:api_send_answer": Door(MARKUP, frozenset({Role.PARTICIPANT})),
    "api:api_scheme_runs": Door(SCHEME),
    "api:api_scheme_keys": Door(MARKUP),
}
"""The doors that take more than a form."""


class BodyLimits:
    """Refuses a body that is too large for its door and its sender, before anything reads it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, _view: object, _args: object, _kwargs: object
    ) -> HttpResponse | None:
        admission: Admission | None = request.META.get(ADMISSION)
        length = declared_length(request)
        if admission is None and length <= ANONYMOUS:
            return None
        limit = limit_in_outage(request)
        if length > limit + ENVELOPE:
            return too_large(request, limit)
        if admission is None:
            return None
        admission.limit = limit + ENVELOPE
        return HttpResponse(status=204)


def declared_length(request: HttpRequest) -> int:
    length = request.META.get("CONTENT_LENGTH") or ""
    return int(length) if length.isdecimal() and len(length) < 16 else len(length) and 10**15


def limit_in_outage(request: HttpRequest) -> int:
    """The same while nobody knows the visitor: a form is read, for its words to be given back."""
    try:
        return limit_of(request)
    except Exception as error:
        is_form = request.method == "POST" and request.content_type in FORMS
        if not (is_outage(error) and is_form and request.session.session_key):
            raise
        return OUTAGE


def limit_of(request: HttpRequest) -> int:
    """The most that this visitor may send to this address."""
    visitor = visitor_of(request)
    if not visitor.is_authenticated:
        return ANONYMOUS
    match = request.resolver_match
    door = DOORS.get(match.view_name if match else "")
    return door.size if door and has_one_of(visitor, door.roles) else FORM


def visitor_of(request: HttpRequest) -> Any:
    """Who has sent this, by the session or by the key of a program."""
    if request.user.is_authenticated:
        return request.user
    try:
        found = TokenAuthentication().authenticate(request)  # type: ignore[arg-type]
    except AuthenticationFailed:
        return request.user
    return found[0] if found else request.user


def too_large(request: HttpRequest, limit: int) -> HttpResponse:
    """The refusal, as a page, a part of one, or JSON for programs."""
    size = words_of(limit)
    if limit == ANONYMOUS:
        reason = _("Without an account at most %s are taken. Log in first.") % size
    else:
        note_too_large(request)
        reason = _("This is larger than %s, the most that is taken here. Send less.") % size
    return decline(request, reason, code=CODE, status=413)


def unaccepted(request: HttpRequest, exception: Exception) -> HttpResponse:
    """A request that is damaged, or whose typed fields are longer than any are read."""
    if isinstance(exception, DisallowedHost):
        return unknown_host(request)
    if not isinstance(exception, RequestDataTooBig):
        return refused(request, exception)
    words = _("What is typed or pasted may hold at most %s. Send it as a file, or send less.")
    reason = words % words_of(settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
    return decline(request, reason, code=CODE, status=413)


def unknown_host(request: HttpRequest) -> HttpResponse:
    """Asked by a name that is not ours, as behind a proxy that was forgotten in the settings."""
    reason = _("The site is not known by this name. Whoever runs it adds it to ALLOWED_HOSTS.")
    if is_of_program(request):
        return tell_program(reason, code="unknown-host", status=400, header="Host")
    return render(request, "400.html", {"reason": reason}, status=400)


def words_of(size: int) -> str:
    """64 KB, 2.5 MB."""
    if size < 2**20:
        return _("%d KB") % (size // 2**10)
    return _("%s MB") % floatformat(size / 2**20, -1)
