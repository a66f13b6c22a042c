from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.queries import known_as
from accounts.roles import MANAGERS, Visit, open_to
from annotator.models import EssaySet
from annotator.queries.sets import CHECKED_SETS
from review.core.desk import asked_of as desk_asked_of
from review.core.plan_options import Options, Wanted, picked_of
from review.forms.plans import PlanForm, asked_of, changed_words
from review.models.acts import BulkAct
from review.models.plans import Pin, Plan
from review.pages.picked import essays_asked_for, parts_of, picked_on_desk
from review.pages.planning import (
    change_lines,
    essays_named,
    grouped,
    load_lines,
    loads_of,
    longest_bar,
    people_named,
    spread_of,
    unfilled_groups,
    unfilled_lines,
    withdrawal_of,
)
from review.queries.plans import (
    checks_planned_by,
    essays_left_alone,
    idle_essays_left_out,
    is_dropped,
    not_begun,
    plan_made_instead_of,
    plans_made,
    plans_seen_by,
    sets_left_out,
)
from review.services.expert_terms import unpin_check
from review.services.plans import confirm_plan, drop_preview, preview_plan, withdraw_plan
from web.forms import is_number_of_row, status_of
from web.paging import page_of
from web.refusals import Refused


@require_http_methods(["GET", "POST"])
@open_to(MANAGERS)
def planning(request: Visit) -> HttpResponse:
    sent = _pressed(request.POST) if request.method == "POST" else None
    if sent is None:
        picked, wanted = picked_on_desk(request.GET, _act_named(request.GET))
    else:
        picked, wanted = picked_of(sent), Wanted.ANY
    form = PlanForm(sent, initial=_asked(request.GET, wanted))
    if form.is_bound and form.is_valid():
        _take_pin_out(request)
        plan = preview_plan(options=form.options(), actor=request.user)
        return redirect("review:plan", pk=plan.pk)
    page = page_of(request, plans_made())
    for_what = essays_asked_for(page.object_list)
    context = {
        "form": form,
        "page": page,
        "lines": [(each, for_what[each.pk]) for each in page],
        "picked": parts_of(picked),
        "waiting": Plan.objects.filter(actor=request.user, state=Plan.State.PREVIEW).first(),
    }
    return render(request, "review/planning/planning.html", context, status=status_of(form))


def _take_pin_out(request: Visit) -> None:
    """The pin which keeps a check from everybody, where its button beside the plan was pressed."""
    number = request.POST.get("unpin", "")
    if not is_number_of_row(number):
        return
    for pin in Pin.objects.select_related("essay").filter(pk=number):
        unpin_check(pin=pin, actor=request.user)
        messages.success(request, _("The pin is out; a check that was given stays."))


def _asked(given: QueryDict, wanted: Wanted) -> dict[str, Any]:
    """What the form takes of the desk's filter."""
    asked = desk_asked_of(given)
    chosen = EssaySet.objects.filter(CHECKED_SETS, name=asked.set_name).first()
    return {"essay_set": chosen, "subject": asked.subject, "wanted": wanted.value, "kept": 0}


def _act_named(given: QueryDict) -> BulkAct | None:
    """The act on the desk after which a plan is asked for."""
    try:
        return BulkAct.objects.filter(key=UUID(given.get("after", ""))).first()
    except ValueError:
        return None


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
    found = plans_seen_by(request.user).filter(pk=pk).first()
    if found is None:
        return _replaced(request, pk)
    if found.state != Plan.State.PREVIEW:
        waits = not_begun().filter(planned__plan=found).count()
        page = page_of(request, checks_planned_by(found))
        names = known_as(check.expert for essay in page for check in essay.planned)
        context = {"plan": found, "page": page, "not_begun": waits, "names": names}
        context["of_what"] = essays_asked_for([found])[found.pk]
        return render(request, "review/planning/done.html", context)
    return render(request, "review/planning/plan.html", _preview(request, found))


def _preview(request: Visit, found: Plan) -> dict[str, Any]:
    """A preview: what it does, to whom, what it leaves, what changed."""
    options = Options.from_json(found.options)
    loads = page_of(request, loads_of(found), "people")
    groups = grouped(found.outcome["unfilled"])
    alone = next((rows for n, rows in groups if str(n) == request.GET.get("reason")), None)
    unfilled = page_of(request, groups if alone is None else alone, "unfilled")
    told: dict[str, Any]
    if alone is None:
        told = {"unfilled_groups": unfilled_groups(found, unfilled.object_list)}
    else:
        told = {"unfilled_lines": unfilled_lines(found, unfilled.object_list)}
    changes = page_of(request, found.changes, "changes")
    changed = change_lines(changes.object_list)
    lines = load_lines(found, loads.object_list, longest_bar(found))
    ticked_here = [line.expert.pk for line in lines if not line.is_absent]
    return {
        "plan": found,
        "form": PlanForm(initial=asked_of(options)),
        "of_what": essays_asked_for([found])[found.pk],
        "picked": parts_of(options.picked),
        "left_alone": essays_left_alone(options),
        "idle": idle_essays_left_out(options),
        "not_open": sets_left_out(options.essay_set)[:5],
        "spread": spread_of(found),
        "loads": loads,
        "lines": lines,
        "unfilled": unfilled,
        **told,
        "changes": changes,
        "change_lines": changed,
        "names": known_as(people_named(changed, **told)),
        "thirdless": essays_named(found.outcome["thirdless"][:20]),
        "thirdless_count": len(found.outcome["thirdless"]),
        "out_elsewhere": [each for each in options.out if each not in ticked_here],
    }


@require_POST
@open_to(MANAGERS)
def confirm(request: Visit, pk: int) -> HttpResponse:
    found = plans_seen_by(request.user).filter(pk=pk).first()
    if found is None:
        return _replaced(request, pk)
    asked, kept = _options_sent(request.POST), Options.from_json(found.options)
    seen = request.POST.get("seen", "")
    done = confirm_plan(plan=found, seen=seen, actor=request.user, options=asked)
    if done.state == Plan.State.PREVIEW:
        messages.warning(request, _not_given(done, changed_words(kept, asked or kept)))
    elif found.state == Plan.State.DONE:
        messages.info(request, _("This plan is carried out already."))
    else:
        said = ngettext("%d check was given.", "%d checks were given.", done.given)
        messages.success(request, said % done.given)
    return redirect("review:plan", pk=pk)


def _options_sent(sent: QueryDict) -> Options | None:
    """What stands in the form beside the button; ``None`` where the button came alone."""
    if "wanted" not in sent:
        return None
    form = PlanForm(sent)
    if not form.is_valid():
        message = _("What you changed of the plan cannot be read: work it out anew first.")
        raise Refused(message)
    return form.options()


def _not_given(plan: Plan, changed: list[str]) -> str:
    """Why a press on the button gave nothing."""
    if changed:
        said = _("You changed: %s. Nothing was given: see what this makes of it, then confirm.")
        return said % ", ".join(changed)
    if plan.given or plan.taken:
        return _("Nothing was given: something changed since you looked. See below, then confirm.")
    return _("Nothing was given: what you looked at is given already, or nobody can take it.")


def _replaced(request: Visit, pk: int) -> HttpResponse:
    """A preview that is gone since its author made another plan, and the way to that one."""
    later = plan_made_instead_of(pk, request.user)
    if later is None:
        raise Http404
    return render(request, "review/planning/replaced.html", {"later": later}, status=410)


@require_POST
@open_to(MANAGERS)
def drop(request: Visit, pk: int) -> HttpResponse:
    found = plans_seen_by(request.user).filter(pk=pk).first()
    if found is not None:
        drop_preview(plan=found)
    elif not is_dropped(pk, request.user):
        return _replaced(request, pk)
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
    if count:
        said = ngettext("%d check was withdrawn.", "%d checks were withdrawn.", count)
        messages.success(request, said % count)
    else:
        messages.info(request, _("This plan is withdrawn already."))
    return redirect("review:plan", pk=pk)
