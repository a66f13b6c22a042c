"""A check is handed in, recalled while it can be, or made final at once."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.models import User
from accounts.roles import Role, Visit, open_to
from annotator.access import may_mark, own_markups
from annotator.forms.fragments import ChangeForm, first_error
from annotator.models import MarkupRecord
from annotator.queries.work import work_of
from annotator.services.drafts import open_draft
from annotator.services.markup import submit_markup
from annotator.services.recalling import make_final, recall
from annotator.services.refusals import MarkupConflict, MarkupHasProblems
from annotator.views.practice import address_beside_key
from web.refusals import Refused

EXPERTS = frozenset({Role.EXPERT})


@require_POST
@open_to(EXPERTS)
def submit(request: Visit, pk: int) -> HttpResponse:
    record = _own(request, pk)
    form = ChangeForm(request.POST)
    if not form.is_valid():
        raise Refused(first_error(form))
    try:
        submit_markup(record=record, version=form.cleaned_data["version"])
    except MarkupHasProblems as refused:
        messages.error(request, str(refused))
        return redirect(reverse("annotator:markup", args=[record.pk]) + "#checklist")
    except MarkupConflict:
        if not may_mark(request.user, record):
            raise
        said = _("The check was changed in another tab. See it, then submit it.")
        messages.error(request, said)
        return redirect("annotator:markup", pk=record.pk)
    if record.final_at is None:  # while it may be recalled, that is said together with it
        said = _("Essay %(number)s of “%(set)s” is submitted.")
        messages.success(request, said % _about(record))
    if record.is_try:
        return redirect(address_beside_key(record))
    following = next_of(request.user) if request.POST.get("next") else None
    if following is None:
        return redirect("annotator:queue")
    return redirect("annotator:markup", pk=following.pk)


@require_POST
@open_to(EXPERTS)
def recall_check(request: Visit, pk: int) -> HttpResponse:
    record = recall(record=_own(request, pk))
    messages.success(
        request, _("Essay %(number)s of “%(set)s” is yours again: go on marking.") % _about(record)
    )
    return redirect("annotator:markup", pk=record.pk)


@require_POST
@open_to(EXPERTS)
def finish_check(request: Visit, pk: int) -> HttpResponse:
    record = make_final(record=_own(request, pk))
    messages.success(
        request, _("The check of essay %(number)s of “%(set)s” is final.") % _about(record)
    )
    return redirect("annotator:queue")


def next_of(expert: User) -> MarkupRecord | None:
    """The most urgent of an expert's checks, opened; ``None`` where nothing waits."""
    check = work_of(expert).first()
    return open_draft(assignment=check) if check else None


def _about(record: MarkupRecord) -> dict[str, str]:
    """Which essay it is: an expert may have several of one number, each of another set."""
    return {"number": record.essay.number, "set": record.essay.essay_set.name}


def _own(request: Visit, pk: int) -> MarkupRecord:
    return get_object_or_404(own_markups(request.user), pk=pk)
