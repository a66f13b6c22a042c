"""Hints of the marking screen are put away."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_POST

from accounts.roles import Role, Visit, open_to
from annotator.forms.fragments import first_error
from annotator.forms.hints import HintForm
from annotator.services.hints import put_away
from web.refusals import Refused


@require_POST
@open_to(frozenset({Role.EXPERT}))
def hint(request: Visit) -> HttpResponse:
    form = HintForm(request.POST)
    if not form.is_valid():
        raise Refused(first_error(form))
    put_away(user=request.user, hint=form.cleaned_data["hint"])
    return HttpResponse(status=204)
