"""What is said about an essay is corrected, its text gets a new version, an expert is told."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.roles import MANAGERS, Role, Visit, open_to
from annotator.access import essays_seen_by, own_markups
from annotator.forms.versions import CorrectionForm, SeenForm, TextForm
from annotator.pages.versions import at_stake
from annotator.services.versions import correct_essay, dismiss_not_carried, replace_essay
from web.forms import sent_in, status_of


@require_http_methods(["GET", "POST"])
@open_to(MANAGERS)
def correct(request: Visit, pk: int) -> HttpResponse:
    essay = get_object_or_404(essays_seen_by(request.user), pk=pk)
    number = essay.number
    form = CorrectionForm(sent_in(request), instance=essay)
    if request.method == "POST" and form.is_valid():
        seen = form.cleaned_data["seen"]
        changed = correct_essay(essay=essay, seen=seen, actor=request.user, values=form.said)
        said = _("Essay %s was corrected.") if changed else _("Essay %s: nothing was changed.")
        messages.success(request, said % number)
        return redirect("annotator:essay", pk=pk)
    context = {"form": form, "essay": essay}
    return render(request, "annotator/correct_essay.html", context, status=status_of(form))


@require_http_methods(["GET", "POST"])
@open_to(MANAGERS)
def replace(request: Visit, pk: int) -> HttpResponse:
    essay = get_object_or_404(essays_seen_by(request.user), pk=pk)
    form = TextForm(sent_in(request), initial={"text": essay.text})
    if request.method == "POST" and form.is_valid():
        done = replace_essay(essay=essay, actor=request.user, **form.cleaned_data)
        message = _(
            "This is version %(version)d. Fragments of drafts kept: %(kept)d, left: %(left)d."
        )
        fields = {"version": done.essay.version, "kept": done.kept, "left": done.left}
        messages.success(request, message % fields)
        return redirect("annotator:essay", pk=done.essay.pk)
    context = {"form": form, "essay": essay, "stake": at_stake(essay)}
    return render(request, "annotator/replace_essay.html", context, status=status_of(form))


@require_POST
@open_to(frozenset({Role.EXPERT}))
def seen_not_carried(request: Visit, pk: int) -> HttpResponse:
    record = get_object_or_404(own_markups(request.user), pk=pk)
    known = list(record.not_carried.values_list("pk", flat=True))
    form = SeenForm(request.POST, known=known)
    if form.is_valid():
        dismiss_not_carried(record=record, numbers=form.cleaned_data["numbers"])
    return redirect("annotator:markup", pk=pk)
