from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from accounts.roles import EVERYBODY, Visit, open_to
from annotator.access import may_practise, versions_seen_by
from compare.core.filters import Filter, filter_of
from compare.pages.comparison import ComparisonPage
from compare.pages.several import several_page
from compare.queries import Sides, checks_beside, sides_seen_by, versions_of
from web.forms import is_number_of_row


@require_GET
@open_to(EVERYBODY)
def comparison(request: Visit, left: int, right: int) -> HttpResponse:
    sides = sides_of(request, left, right)
    page = ComparisonPage(sides, asked_filter(request))
    if sides.figures_only:
        return render(request, "compare/figures.html", {"page": page, "sides": sides})
    if request.htmx:
        return render(request, "compare/view.html", {"page": page})
    versions = versions_of(request.user, sides.left.essay)
    context = {
        "page": page,
        "versions": versions,
        "leads_to_practice": page.is_practice and may_practise(request.user),
    }
    return render(request, "compare/comparison.html", context)


@require_GET
@open_to(EVERYBODY)
def chosen(request: Visit) -> HttpResponse:
    sides = [request.GET.get(name, "") for name in ("left", "right")]
    if not all(map(is_number_of_row, sides)):
        raise Http404
    return redirect("compare:comparison", left=int(sides[0]), right=int(sides[1]))


@require_GET
@open_to(EVERYBODY)
def several(request: Visit, pk: int) -> HttpResponse:
    seen = versions_seen_by(request.user).prefetch_related("fragments")
    record = get_object_or_404(seen, pk=pk)
    context = several_page(record, checks_beside(request.user, record))
    return render(request, "compare/several.html", context)


def sides_of(request: Visit, left: int, right: int) -> Sides:
    """The two markups of a page, or 404: nobody learns what there is."""
    sides = sides_seen_by(request.user, left, right)
    if sides is None:
        raise Http404
    if not sides.are_of_one_essay:
        raise Http404(_("These are markups of different essays."))
    return sides


def asked_filter(request: HttpRequest) -> Filter:
    """The filter an address asks for."""
    return filter_of(request.GET.getlist("kind"), request.GET.getlist("code"))
