from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render, resolve_url
from django.utils.translation import gettext as _
from django.views import View

FORMS: Final = ("application/x-www-form-urlencoded", "multipart/form-data")
UTF8: Final = ("utf-8", "utf8")


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
            return render(request, "refused.html", {"reason": reason}, status=415)
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
            return render(request, "refused.html", {"reason": reason}, status=400)
        return self.get_response(request)


class LoginRequired(LoginRequiredMiddleware):
    """Every page wants a known visitor unless its view says otherwise.

    A part of a page asked for by htmx is not answered with the login page, which would be put
    into the middle of the old one: the browser is told to go there instead. What was to be done
    is not asked for again after the login: it would be asked by GET, which only shows.
    """

    def handle_no_permission(self, request: HttpRequest, view_func: View) -> HttpResponseBase:
        login = resolve_url(self.get_login_url(view_func))
        if "HX-Request" in request.headers:
            return HttpResponse(status=286, headers={"HX-Redirect": login})
        if request.method not in ("GET", "HEAD"):
            return redirect(login)
        return super().handle_no_permission(request, view_func)
