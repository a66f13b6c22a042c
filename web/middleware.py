from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from functools import partial
from gzip import GzipFile
from typing import Any, Final

from django.conf import settings
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponsePermanentRedirect,
)
from django.middleware.common import CommonMiddleware
from django.middleware.gzip import GZipMiddleware, re_accepts_gzip
from django.shortcuts import resolve_url
from django.utils.cache import patch_vary_headers
from django.utils.text import StreamingBuffer
from django.utils.translation import gettext as _

from web.core.addresses import is_within, read_address
from web.declining import decline, refusal_page
from web.refusals import Refused

FORMS: Final = ("application/x-www-form-urlencoded", "multipart/form-data")
UTF8: Final = ("utf-8", "utf8")

log = logging.getLogger(__name__)


class Proxies:
    """Believe ``X-Forwarded-For`` and ``-Proto`` of the proxies we trust, and of nobody else.

    ``REMOTE_ADDR`` becomes the visitor's address: the last one that no trusted proxy has.
    """

    complained = False

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        told = request.META.pop("HTTP_X_FORWARDED_FOR", "")
        peer = request.META.get("REMOTE_ADDR", "")
        request.META["REMOTE_ADDR"] = read_address(peer) or peer
        if is_trusted(peer):
            for written in reversed([part.strip() for part in told.split(",")]):
                address = read_address(written)
                if address is None:
                    self.complain(written)
                    break
                request.META["REMOTE_ADDR"] = address
                if not is_trusted(address):
                    break
        else:
            request.META.pop("HTTP_X_FORWARDED_PROTO", None)
        return self.get_response(request)

    def complain(self, written: str) -> None:
        """Say once that a proxy writes what is no address: its visitors share one."""
        if written and not self.complained:
            self.complained = True
            log.warning("X-Forwarded-For of a trusted proxy is no address: %.100a", written)


def is_trusted(address: str) -> bool:
    return is_within(address, settings.TRUSTED_PROXIES)


class Compression(GZipMiddleware):
    """Django's; but of an answer that ``sends_ahead`` the first part leaves at once.

    A browser is told of no head before it can read something of the body: a part that waited in
    the packer for more to come would keep the head back, too. It is not padded: what pads stands in
    front, in the first part, whose length is known. It need not be: no other site can ask for it.
    """

    def process_response(self, request: HttpRequest, response: Any) -> HttpResponseBase:
        if not getattr(response, "sends_ahead", False):
            return super().process_response(request, response)
        patch_vary_headers(response, ("Accept-Encoding",))
        if re_accepts_gzip.search(request.headers.get("Accept-Encoding", "")):
            response.streaming_content = self.packed(response.streaming_content)
            response["Content-Encoding"] = "gzip"
        return response

    def packed(self, parts: Iterator[bytes]) -> Iterator[bytes]:
        buffer = StreamingBuffer()
        with GzipFile(mode="wb", compresslevel=6, fileobj=buffer, mtime=0) as file:
            file.write(next(parts))
            file.flush()
            yield buffer.read()
            for part in parts:
                file.write(part)
        yield buffer.read()


class Utf8Forms:
    """A form that names another encoding than UTF-8 is refused before anything decodes it.

    Django would take any codec Python has: some fail, some bring in what no page can show.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        charset = (request.content_params or {}).get("charset", UTF8[0])
        if request.content_type in FORMS and charset.lower() not in UTF8:
            reason = _("The form was sent in another encoding than UTF-8. Send it in UTF-8.")
            return refusal_page(request, reason, 415)
        return self.get_response(request)


class SoundSearches:
    """A NUL in a search of the administration is refused: its filters would hand it on.

    SQLite looks for it, PostgreSQL ends in a fault.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        searched = request.path.startswith(resolve_url("admin:index"))
        if searched and "%00" in request.META.get("QUERY_STRING", ""):
            reason = _("The address holds a NUL character. Remove it.")
            return refusal_page(request, reason, 400)
        return self.get_response(request)


class Common(CommonMiddleware):
    """Django's; but who posts to an address without its last slash is asked to post again.

    A redirect that turns into a GET would lose what was sent, with a 200.
    """

    response_redirect_class = partial(HttpResponsePermanentRedirect, preserve_request=True)


class Refusals:
    """A refusal of a service becomes a page, or a part of one, that says why and what to do."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code == 405 and request.method == "GET" and not response.content:
            return self.nothing_shown(request, response)
        return response

    def nothing_shown(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """An address that only takes what forms send was opened: by a switch, from a history."""
        reason = _("This address only takes what a form sends; it shows nothing.")
        page = refusal_page(request, reason, 405)
        page["Allow"] = response["Allow"]
        return page

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, Refused):
            return None
        told = {"code": error.code, "status": error.status, "page": error.page}
        return decline(request, str(error), **told)
