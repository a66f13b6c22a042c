"""From an act back to where it began: the checks of an essay, or the page of before."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

from accounts.roles import Visit
from annotator.models import Essay
from annotator.pages.neighbours import place_in_list
from review.core.desk import Asked, asked_of
from web.declining import page_before
from web.paging import PER_PAGE


def gone(request: Visit, sentence: str) -> HttpResponse:
    """What was to be taken away is gone already, by somebody else or the first of two presses."""
    messages.info(request, sentence)
    return redirect(page_before(request))


def to_checks(request: Visit, essay: int) -> HttpResponse:
    return redirect(way_to_checks(request, essay))


def way_to_checks(request: Visit, essay: int) -> str:
    """The checks of an essay, within the list somebody came from."""
    return f"{reverse('review:checks', args=[essay])}{kept_list(request)}"


def desk_of(request: Visit, essay: Essay) -> str:
    """The desk as somebody came from it, at its page; else that of the essay's set."""
    fields = desk_fields(request, essay)
    return f"{reverse('review:desk')}{f'?{urlencode(fields)}' if fields else ''}"


def desk_fields(request: Visit, essay: Essay) -> dict[str, str]:
    """The same as the fields of its address."""
    asked = asked_of(request.GET)
    if "list" not in request.GET:
        asked = Asked(set_name=essay.essay_set.name)
    page = (place_in_list(request.GET) or 0) // PER_PAGE + 1
    return {**asked.fields, **({"page": str(page)} if page > 1 else {})}


def kept_list(request: Visit) -> str:
    """The list somebody came from, as the address names it; nothing where it names none."""
    return f"?{request.GET.urlencode()}" if "list" in request.GET else ""
