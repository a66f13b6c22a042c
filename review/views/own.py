"""An expert's own figures."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.roles import Role, Visit, open_to
from review.core.own_figures import FEWEST
from review.pages.own import own_figures

EXPERTS = frozenset({Role.EXPERT})


@require_GET
@open_to(EXPERTS)
def figures(request: Visit) -> HttpResponse:
    context = {"places": own_figures(request.user), "fewest": FEWEST}
    return render(request, "review/own/figures.html", context)
