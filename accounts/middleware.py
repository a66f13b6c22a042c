from __future__ import annotations

from urllib.parse import urlencode

from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, resolve_url
from django.views import View


class LoginRequired(LoginRequiredMiddleware):
    """Every page wants a known visitor unless its view says otherwise.

    A part of a page asked for by htmx is not answered with the login page, which would be put
    into the middle of the old one: the browser is told to go there instead. What was to be done
    is not asked for again after the login: it would be asked by GET, which only shows. The page
    it was asked from is.
    """

    def handle_no_permission(self, request: HttpRequest, view_func: View) -> HttpResponseBase:
        login = resolve_url(self.get_login_url(view_func))
        if request.htmx:
            page = request.htmx.current_url_abs_path
            query = f"?{urlencode({self.get_redirect_field_name(view_func): page})}" if page else ""
            return HttpResponse(status=286, headers={"HX-Redirect": login + query})
        if request.method not in ("GET", "HEAD"):
            return redirect(login)
        return super().handle_no_permission(request, view_func)
