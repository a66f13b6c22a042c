from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.queries import known_as
from accounts.roles import MANAGERS, Visit, open_to
from annotator.models import Assignment
from review.forms.checks import AnswerForm
from review.models.acts import BulkAct
from review.pages.acts import left_behind, question, taking_away, wished
from review.queries.plans import essays_of_act
from review.services.acts import Wish, carry_out, undo
from review.views.back import desk_fields, kept_list, to_checks, way_to_checks
from web.refusals import Refused


@require_http_methods(["GET", "POST"])
@open_to(MANAGERS)
def ask(request: Visit) -> HttpResponse:
    given = request.POST if request.method == "POST" else request.GET
    request.nothing_typed = True  # the fields are those of the desk's filter, hidden
    wish = wished(given)
    if request.method == "POST":
        return _answered(request, wish)
    context = question(given, wish) | {"back": f"{reverse('review:desk')}{wish.query}"}
    return render(request, "review/act_question.html", context)


@require_http_methods(["GET", "POST"])
@open_to(MANAGERS)
def take_away(request: Visit, pk: int) -> HttpResponse:
    found = Assignment.objects.select_related("essay__essay_set")
    check = get_object_or_404(found, pk=pk)
    request.nothing_typed = True
    wish = taking_away(check, f"?{urlencode(desk_fields(request, check.essay))}")
    if request.method == "POST":
        return _answered(request, wish)
    if check.state == Assignment.State.WITHDRAWN:
        messages.info(request, _("The check is taken away already."))
        return to_checks(request, check.essay_id)
    context = question(QueryDict(), wish) | {"back": way_to_checks(request, check.essay_id)}
    return render(request, "review/act_question.html", context)


def _answered(request: Visit, wish: Wish) -> HttpResponse:
    form = AnswerForm(request.POST)
    if not form.is_valid():
        raise Refused(_("Look at the question again."))
    key, seen = form.cleaned_data["key"], form.cleaned_data["seen"]
    done = carry_out(key=key, wish=wish, actor=request.user, digest=seen)
    return _to_act(request, done.key)


def _to_act(request: Visit, key: UUID) -> HttpResponse:
    return redirect(f"{reverse('review:act', args=[key])}{kept_list(request)}")


@require_GET
@open_to(MANAGERS)
def act(request: Visit, uuid: UUID) -> HttpResponse:
    found = get_object_or_404(BulkAct.objects.select_related("actor", "expert"), key=uuid)
    names = known_as([found.expert] if found.expert else [])
    context = {"act": found, "left_behind": left_behind(found), "names": names}
    essays = essays_of_act(found) if len(found.checks) <= len(Assignment.Role) else ()
    context["to_essay"] = way_to_checks(request, essays[0]) if len(essays) == 1 else ""
    context["kept"] = kept_list(request)
    return render(request, "review/act.html", context)


@require_POST
@open_to(MANAGERS)
def undo_act(request: Visit, uuid: UUID) -> HttpResponse:
    undone = undo(act=get_object_or_404(BulkAct, key=uuid), actor=request.user)
    if undone.restored:
        messages.success(request, _("Given back: %d.") % undone.restored)
    else:
        messages.warning(request, _("Nothing could be given back: see why below."))
    return _to_act(request, uuid)
