from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, Final
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, resolve_url
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext_lazy as _
from django.views import View

from accounts.access import ActsAs, acting_of
from accounts.services.audit import signed_by
from web.declining import decline, has_page_before, page_before, typed_words

PERSON: Final = "X-Person"
"""Whose page asks, by the number of the account."""


LOGGED_OUT: Final = _("You are logged out, and nothing was saved. Log in and send it again.")

ACTING: Final = "acting"
"""Where the session keeps in whose name its owner acts."""
PERSONAL: Final = frozenset(
    {
        *("accounts:login", "accounts:logout", "accounts:password", "accounts:invitation"),
        *("accounts:forgotten", "set_language", "health"),
    }
)
"""Pages that are a person's own, in whosever name the others are asked for."""


class Acting:
    """Who acts for another account is that account to every page, except the own ones.

    ``request.member`` is the person, who signs all that is written down meanwhile;
    ``request.acts`` says what there is to choose. Keys of programs are their account's alone.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: Any) -> HttpResponseBase:
        request.member, request.acts = None, ActsAs(None)
        with ExitStack() as signing:
            request.signing = signing
            return self.get_response(request)

    def process_view(self, request: Any, *_: object) -> None:
        is_known = request.session.session_key is not None
        if not is_known or request.resolver_match.view_name in PERSONAL:
            return
        person = request.user
        if not person.is_authenticated:
            return
        request.acts = acting_of(person, request.session.get(ACTING))
        if request.acts.account is not None:
            request.member, request.user = person, request.acts.account
            request.signing.enter_context(signed_by(person))


class OwnPages:
    """What is shown to somebody who is known is kept for nobody else by any proxy on the way, and
    asked for again each time.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: Any) -> HttpResponseBase:
        response = self.get_response(request)
        is_known = request.session.session_key is not None or "Authorization" in request.headers
        if is_known and not response.has_header("Cache-Control"):
            patch_cache_control(response, private=True, no_cache=True)
        return response


class LoginRequired(LoginRequiredMiddleware):
    """Every page wants a known visitor unless its view says otherwise.

    A part of a page asked for by htmx is not answered with the login page, which would be put
    into the middle of the old one: the browser is told to go there instead. What was to be done
    is not asked for again after the login: it would be asked by GET, which only shows. The page
    it was asked from is, also by a form. What was typed is given back instead of the
    login page.

    A page that was shown to one person asks with that person's number: where somebody else is
    logged in by now, it is answered as if nobody were.
    """

    def process_view(
        self,
        request: HttpRequest,
        view_func: Callable[..., HttpResponseBase],
        view_args: Sequence[object],
        view_kwargs: Mapping[str, object],
    ) -> HttpResponseBase | None:
        person = str(request.user.pk)
        if request.htmx and request.headers.get(PERSON, person) != person:
            return self.handle_no_permission(request, view_func)
        return super().process_view(request, view_func, view_args, view_kwargs)

    def handle_no_permission(self, request: HttpRequest, view_func: View) -> HttpResponseBase:
        login = resolve_url(self.get_login_url(view_func))
        if request.htmx:
            page = request.htmx.current_url_abs_path
            query = f"?{urlencode({self.get_redirect_field_name(view_func): page})}" if page else ""
            return HttpResponse(status=286, headers={"HX-Redirect": login + query})
        if typed_words(request):
            return decline(request, str(LOGGED_OUT), code="login", status=403)
        if request.method not in ("GET", "HEAD"):
            return self.back_by_login(request, login)
        return super().handle_no_permission(request, view_func)

    def back_by_login(self, request: HttpRequest, login: str) -> HttpResponseBase:
        """Say beside the login that nothing was saved, and show the page of the form after it."""
        if not has_page_before(request):
            return redirect(login)
        messages.warning(request, LOGGED_OUT)
        return redirect(f"{login}?{urlencode({'next': page_before(request)})}")
