from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.queries import known_as
from accounts.roles import MANAGERS, Visit, open_to
from review.forms.checks import AnswerForm
from review.models.acts import BulkAct
from review.pages.acts import left_behind, question, wished
from review.services.acts import carry_out, undo
from web.refusals import Refused


@require_http_methods(["GET", "POST"])
@open_to(MANAGERS)
def ask(request: Visit) -> HttpResponse:
    given = request.POST if request.method == "POST" else request.GET
    request.nothing_typed = True  # the fields are those of the desk's filter, hidden
    wish = wished(given)
    if request.method == "GET":
        return render(request, "review/act_question.html", question(given, wish))
    form = AnswerForm(given)
    if not form.is_valid():
        raise Refused(_("Look at the question again."))
    key, seen = form.cleaned_data["key"], form.cleaned_data["seen"]
    done = carry_out(key=key, wish=wish, actor=request.user, digest=seen)
    return redirect("review:act", uuid=done.key)


@require_GET
@open_to(MANAGERS)
def act(request: Visit, uuid: UUID) -> HttpResponse:
    found = get_object_or_404(BulkAct.objects.select_related("actor", "expert"), key=uuid)
    names = known_as([found.expert] if found.expert else [])
    context = {"act": found, "left_behind": left_behind(found), "names": names}
    return render(request, "review/act.html", context)


@require_POST
@open_to(MANAGERS)
def undo_act(request: Visit, uuid: UUID) -> HttpResponse:
    undone = undo(act=get_object_or_404(BulkAct, key=uuid), actor=request.user)
    if undone.restored:
        messages.success(request, _("Given back: %d.") % undone.restored)
    else:
        messages.warning(request, _("Nothing could be given back: see why below."))
    return redirect("review:act", uuid=uuid)
