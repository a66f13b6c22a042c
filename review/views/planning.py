from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.roles import MANAGERS, Visit, open_to
from annotator.models import EssaySet
from annotator.queries import CHECKED_SETS
from review.core.desk import Asked, Number
from review.core.desk import asked_of as desk_asked_of
from review.core.plan_options import Options, Wanted
from review.forms.plans import PlanForm, asked_of
from review.models.plans import Plan
from review.pages.planning import (
    change_lines,
    essays_named,
    grouped,
    load_lines,
    loads_of,
    longest_bar,
    not_carried,
    spread_of,
    unfilled_groups,
    unfilled_lines,
    withdrawal_of,
)
from review.queries.plans import (
    checks_planned_by,
    not_begun,
    plans_made,
    plans_seen_by,
    sets_left_out,
)
from review.services.plans import confirm_plan, drop_preview, preview_plan, withdraw_plan
from web.paging import page_of


@require_http_methods(["GET", "POST"])
@open_to(MANAGERS)
def planning(request: Visit) -> HttpResponse:
    asked = desk_asked_of(request.GET)
    form = PlanForm(
        _pressed(request.POST) if request.method == "POST" else None, initial=_asked(asked)
    )
    if form.is_bound and form.is_valid():
        plan = preview_plan(options=form.options(), actor=request.user)
        return redirect("review:plan", pk=plan.pk)
    context = {
        "form": form,
        "page": page_of(request, plans_made()),
        "not_carried": not_carried(asked),
        "waiting": Plan.objects.filter(actor=request.user, state=Plan.State.PREVIEW).first(),
    }
    status = 422 if form.is_bound else 200
    return render(request, "review/planning/planning.html", context, status=status)


def _asked(asked: Asked) -> dict[str, Any]:
    """What a plan takes of the desk's filter; ``not_carried`` says what it does not."""
    chosen = EssaySet.objects.filter(CHECKED_SETS, name=asked.set_name).first()
    wanted = Wanted.RETURNED if asked.number is Number.RETURNED else Wanted.ANY
    return {"essay_set": chosen, "subject": asked.subject, "wanted": wanted.value, "kept": 0}


def _pressed(sent: QueryDict) -> QueryDict:
    """What was sent, and what the button that was pressed says of it."""
    asked = sent.copy()
    if "raise_to" in sent:
        asked["limit"] = sent["raise_to"]
    if "allow" in sent:
        asked.setlist("out", [each for each in sent.getlist("out") if each != sent["allow"]])
    return asked


@require_GET
@open_to(MANAGERS)
def plan(request: Visit, pk: int) -> HttpResponse:
    found = get_object_or_404(plans_seen_by(request.user), pk=pk)
    if found.state != Plan.State.PREVIEW:
        waits = not_begun().filter(planned__plan=found).count()
        page = page_of(request, checks_planned_by(found))
        context = {"plan": found, "page": page, "not_begun": waits}
        return render(request, "review/planning/done.html", context)
    return render(request, "review/planning/plan.html", _preview(request, found))


def _preview(request: Visit, found: Plan) -> dict[str, Any]:
    """A preview: what it does, to whom, what it leaves, what changed."""
    options = Options.from_json(found.options)
    loads = page_of(request, loads_of(found), "people")
    groups = grouped(found.outcome["unfilled"])
    alone = next((rows for n, rows in groups if str(n) == request.GET.get("reason")), None)
    unfilled = page_of(request, groups if alone is None else alone, "unfilled")
    if alone is None:
        told = {"unfilled_groups": unfilled_groups(found, unfilled.object_list)}
    else:
        told = {"unfilled_lines": unfilled_lines(found, unfilled.object_list)}
    changes = page_of(request, found.changes, "changes")
    shown = [each.person for each in loads]
    return {
        "plan": found,
        "form": PlanForm(initial=asked_of(options)),
        "chosen_set": EssaySet.objects.filter(pk=options.essay_set).first(),
        "not_open": sets_left_out(options.essay_set)[:5],
        "spread": spread_of(found),
        "loads": loads,
        "lines": load_lines(found, loads.object_list, longest_bar(found)),
        "unfilled": unfilled,
        **told,
        "changes": changes,
        "change_lines": change_lines(changes.object_list),
        "thirdless": essays_named(found.outcome["thirdless"][:20]),
        "thirdless_count": len(found.outcome["thirdless"]),
        "out_elsewhere": [each for each in options.out if each not in shown],
    }


@require_POST
@open_to(MANAGERS)
def confirm(request: Visit, pk: int) -> HttpResponse:
    found = get_object_or_404(plans_seen_by(request.user), pk=pk)
    done = confirm_plan(plan=found, seen=request.POST.get("seen", ""), actor=request.user)
    if done.state == Plan.State.PREVIEW:
        said = _("Nothing was given: something changed since you looked. See below, then confirm.")
        if not (done.given or done.taken):
            said = _(
                "Nothing was given: what you looked at is given already, or nobody can take it."
            )
        messages.warning(request, said)
    else:
        said = ngettext("%d check was given.", "%d checks were given.", done.given)
        messages.success(request, said % done.given)
    return redirect("review:plan", pk=pk)


@require_POST
@open_to(MANAGERS)
def drop(request: Visit, pk: int) -> HttpResponse:
    drop_preview(plan=get_object_or_404(plans_seen_by(request.user), pk=pk))
    return redirect("review:planning")


@require_http_methods(["GET", "POST"])
@open_to(MANAGERS)
def withdraw(request: Visit, pk: int) -> HttpResponse:
    found = get_object_or_404(plans_seen_by(request.user), pk=pk)
    if request.method == "GET":
        question = withdrawal_of(found)
        if found.state != Plan.State.DONE or not question["not_begun"]:
            return redirect("review:plan", pk=pk)
        return render(request, "review/planning/withdraw.html", question)
    count = withdraw_plan(plan=found, actor=request.user)
    said = ngettext("%d check was withdrawn.", "%d checks were withdrawn.", count)
    messages.success(request, said % count)
    return redirect("review:plan", pk=pk)
