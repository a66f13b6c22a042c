"""Messages of experts about a check, and their answers."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.roles import MANAGERS, Role, Visit, open_to
from review.access import checks_noted_by, notes_seen_by
from review.forms.notes import NoteAnswerForm, NoteForm
from review.models.notes import LONGEST
from review.services.notes import answer_note, write_note
from web.refusals import Refused

EXPERTS = frozenset({Role.EXPERT})


@require_POST
@open_to(EXPERTS)
def write(request: Visit, pk: int) -> HttpResponse:
    check = get_object_or_404(checks_noted_by(request.user), pk=pk)
    form = NoteForm(request.POST)
    if not form.is_valid():
        return _again(request, check.essay_id, _first_error(form))
    try:
        write_note(check=check, **form.cleaned_data)
    except Refused as refused:
        return _again(request, check.essay_id, str(refused), status=refused.status)
    messages.success(request, _("The message is sent. The answer will stand here."))
    return redirect(_notes_of(check.essay_id))


@require_POST
@open_to(MANAGERS)
def answer(request: Visit, pk: int) -> HttpResponse:
    note = get_object_or_404(notes_seen_by(request.user), pk=pk)
    form = NoteAnswerForm(request.POST)
    if not form.is_valid():
        return _again(request, note.assignment.essay_id, _first_error(form))
    try:
        answer_note(note=note, words=form.cleaned_data["words"], actor=request.user)
    except Refused as refused:
        return _again(request, note.assignment.essay_id, str(refused), status=refused.status)
    messages.success(request, _("The message is answered; its expert reads it."))
    if request.POST.get("among") == "problems":
        return redirect(f"{reverse('review:problems')}#h-notes")
    return redirect(_notes_of(note.assignment.essay_id))


def _notes_of(essay_id: int) -> str:
    return f"{reverse('annotator:essay', args=[essay_id])}#notes"


def _again(request: Visit, essay_id: int, reason: str, *, status: int = 422) -> HttpResponse:
    """What was refused, with the words as they were typed, under a key of its own: of this form
    nothing was kept.
    """
    context: dict[str, Any] = {"reason": reason, "words": request.POST.get("words", "")}
    context |= {"key": uuid4(), "back": _notes_of(essay_id), "longest": LONGEST}
    return render(request, "review/notes/again.html", context, status=status)


def _first_error(form: Form) -> str:
    return str(next(iter(form.errors.values()))[0])
