"""The analytic report of a solution: a page, JSON for programs, CSV for spreadsheets (R 2.23)."""

from __future__ import annotations

from typing import Final

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from accounts.roles import STAFF, Role, Visit, open_to
from scoring.pages.reports import ReportPage, report_page
from web.declining import tell_program
from web.files import csv_file, json_file, named
from web.paging import page_of
from web.refusals import NotYet

AGAIN: Final = "2"
"""Seconds after which a program asks again."""
READERS = STAFF | {Role.PARTICIPANT}


@require_GET
@open_to(READERS)
def report(request: Visit, pk: int, author: int, origin: str) -> HttpResponse:
    page = asked(request, pk, author, origin)
    found = page.found
    lines = page_of(request, page.lines)
    shown = {
        "report": page,
        "found": found,
        "worst": page.rows(found.worst) if found else [],
        "best": page.rows(found.best) if found else [],
        "page": lines,
        "rows": page.rows(list(lines)),
    }
    part = "#report" if request.htmx else ""
    return render(request, f"scoring/report.html{part}", shown)


@require_GET
@open_to(READERS)
def report_json(request: Visit, pk: int, author: int, origin: str) -> HttpResponse:
    try:
        page = computed(request, pk, author, origin)
    except NotYet as early:  # programs ask again
        answer = tell_program(str(early), code=early.code, status=early.status)
        answer["Retry-After"] = AGAIN
        return answer
    return json_file(page.as_json(), name_of(page, "json"))


@require_GET
@open_to(READERS)
def report_csv(request: Visit, pk: int, author: int, origin: str) -> HttpResponse:
    page = computed(request, pk, author, origin)
    return csv_file(request, page.as_table(), name_of(page, "csv"))


def asked(request: Visit, pk: int, author: int, origin: str) -> ReportPage:
    """The report, or 404: nobody learns what there is."""
    page = report_page(request.user, pk=pk, author=author, origin=origin)
    if page is None:
        raise Http404
    return page


def computed(request: Visit, pk: int, author: int, origin: str) -> ReportPage:
    """The same once it is there. Raises ``NotYet``."""
    page = asked(request, pk, author, origin)
    if page.is_open and page.kept is None:
        raise NotYet(_("The report is being computed. Ask again in a moment."))
    return page


def name_of(page: ReportPage, ending: str) -> str:
    address = page.address
    of = f"{address['pk']}-{address['author']}-{address['origin']}"
    return named(_("Report").lower(), of, ending=ending)
