from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from accounts.roles import EVERYBODY, Visit, open_to
from annotator.access import markups_seen_by
from compare.pages import comparison_page


@require_GET
@open_to(EVERYBODY)
def comparison(request: Visit, left: int, right: int) -> HttpResponse:
    seen = markups_seen_by(request.user).prefetch_related("fragments")
    one, other = get_object_or_404(seen, pk=left), get_object_or_404(seen, pk=right)
    if one.essay_id != other.essay_id:
        raise Http404(_("These are markups of different essays."))
    return render(request, "compare/comparison.html", comparison_page(one, other))
