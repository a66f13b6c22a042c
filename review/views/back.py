"""From an act upon one essay back to its checks."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from accounts.roles import Visit


def to_checks(request: Visit, essay: int) -> HttpResponse:
    return redirect(f"{reverse('review:checks', args=[essay])}{kept_list(request)}")


def kept_list(request: Visit) -> str:
    """The list somebody came from, as the address names it; nothing where it names none."""
    return f"?{request.GET.urlencode()}" if "list" in request.GET else ""
