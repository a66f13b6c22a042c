"""Practice: the list experts take essays from, a try that begins, and the key of an essay."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.roles import MANAGERS, Role, Visit, open_to
from annotator.access import essays_seen_by
from annotator.core.messages import sentence_of
from annotator.core.problems import first_of
from annotator.forms.practice import KeyForm
from annotator.models import Essay, EssaySet, MarkupRecord
from annotator.pages.keys import TOLD, key_lines
from annotator.queries.essays import LATEST
from annotator.queries.practice import (
    has_key,
    key_of,
    last_key_in,
    markups_for_key,
    practice_essays,
)
from annotator.services.giving_keys import give_keys
from annotator.services.practising import give_key, read_key, start_try, take_as_key
from annotator.services.refusals import MarkupHasProblems
from annotator.signals import comparison_asked
from web.forms import is_number_of_row, sent_with_files, status_of
from web.paging import page_of
from web.refusals import Conflict, Refused

EXPERTS = frozenset({Role.EXPERT})
OFFERED = 20
"""So many markups are offered as a key, the latest ones."""


@require_GET
@open_to(EXPERTS)
def practice(request: Visit) -> HttpResponse:
    page = page_of(request, practice_essays(request.user))
    return render(request, "annotator/practice.html", {"page": page})


@require_POST
@open_to(EXPERTS)
def begin_try(request: Visit, pk: int) -> HttpResponse:
    essay = get_object_or_404(practice_essays(request.user), pk=pk)
    return redirect("annotator:markup", pk=start_try(essay=essay, expert=request.user).pk)


@require_http_methods(["GET", "POST"])
@open_to(MANAGERS)
def key(request: Visit, pk: int) -> HttpResponse:
    seen = essays_seen_by(request.user)
    essay = get_object_or_404(seen, pk=pk, essay_set__access=EssaySet.Access.PRACTICE)
    offered = markups_for_key(essay)
    present = key_of(essay)
    form = KeyForm(
        *sent_with_files(request),
        offered=offered,
        initial={"seen": present.pk if present else 0},
    )
    if form.is_valid() and _kept(request, essay, form):
        return redirect("annotator:essay", pk=pk)
    context = {"form": form, "essay": essay, "key": present, "offered": offered[:OFFERED]}
    return render(request, "annotator/key.html", context, status=status_of(form))


@require_http_methods(["GET", "POST"])
@open_to(MANAGERS)
def keys(request: Visit, pk: int) -> HttpResponse:
    practice = EssaySet.objects.filter(access=EssaySet.Access.PRACTICE)
    essay_set = get_object_or_404(practice, pk=pk)
    uploads = [(file.name or "", file) for file in request.FILES.getlist("files")]
    given = (
        give_keys(essay_set=essay_set, uploads=uploads, seen=_seen(request), actor=request.user)
        if uploads
        else []
    )
    essays = essay_set.essays.filter(LATEST)
    context = {
        "set": essay_set,
        "lacks_files": request.method == "POST" and not uploads,
        "sent": len(given),
        "lines": key_lines(given),
        "new": sum(each.is_new for each in given),
        "same": sum(each.essay is not None and not each.is_new for each in given),
        "essays": essays.count(),
        "without": essays.exclude(has_key()).count(),
        "seen": last_key_in(essay_set),
    }
    is_wrong = context["lacks_files"] or (given and not any(each.essay for each in given))
    return render(request, "annotator/keys.html", context, status=422 if is_wrong else 200)


def address_beside_key(record: MarkupRecord) -> str:
    """Where a submitted try is laid beside the key of its essay."""
    given = key_of(record.essay)
    if given is not None:
        sides = {"left": record.pk, "right": given.pk}
        for _listener, address in comparison_asked.send(sender=MarkupRecord, **sides):
            return str(address)
    return reverse("annotator:practice")


def _seen(request: Visit) -> int:
    said = request.POST.get("seen", "")
    return int(said) if is_number_of_row(said) else 0


def _kept(request: Visit, essay: Essay, form: KeyForm) -> bool:
    """Give the essay the key that was sent; else the form says what is wrong with it."""
    chosen, sent, seen = (form.cleaned_data[name] for name in ("markup", "file", "seen"))
    try:
        if chosen:
            take_as_key(essay=essay, record=chosen, seen=seen, actor=request.user)
        else:
            named = read_key(essay=essay, name=sent.name, data=sent.read())
            give_key(essay=essay, file=named.file, seen=seen, actor=request.user)
            for each in first_of(named.remarks, TOLD):
                messages.warning(request, sentence_of(each, _))
    except Conflict:
        raise
    except MarkupHasProblems as refused:
        odd = () if chosen else named.remarks
        told = [sentence_of(each, _) for each in first_of((*odd, *refused.problems), TOLD)]
        form.add_error(None if chosen else "file", [str(refused), *told])
        return False
    except Refused as refused:
        form.add_error(None if chosen else "file", str(refused))
        return False
    messages.success(request, _("Essay %s has its key.") % essay.number)
    return True
