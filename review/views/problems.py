from __future__ import annotations

from typing import Final

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from accounts.queries import known_as
from accounts.roles import MANAGERS, STAFF, Visit, open_to
from jobs.models import Job
from jobs.queries import failed_jobs, standstill
from jobs.services.work import retry
from review.access import may_assign
from review.models.notes import LONGEST
from review.pages.problems import third_lines, told_otherwise
from review.pages.verdicts import set_verdicts
from review.queries.notes import notes_to_answer
from review.queries.problems import (
    SILENT_DAYS,
    UNUSED_DAYS,
    matters_to_solve,
    silent_checks,
    stated_otherwise,
    unused_accounts,
)
from review.queries.settling import thirds_nobody_has
from review.queries.verdicts import sets_given_back
from web.forms import is_number_of_row
from web.paging import page_of

MOST_DAYS: Final = 365


@require_GET
@open_to(STAFF)
def problems(request: Visit) -> HttpResponse:
    asked = request.GET.get("days", "")
    days = min(int(asked), MOST_DAYS) if is_number_of_row(asked) else SILENT_DAYS
    differing = page_of(request, stated_otherwise(), "stated")
    known = matters_to_solve()
    returned = set_verdicts(list(sets_given_back())) if known.returned else []
    thirds = thirds_nobody_has().order_by("decided_at", "pk")
    thirds_page = page_of(request, thirds, "thirds", count=known.thirds)
    silent = known.silent if days == SILENT_DAYS else None
    silent_page = page_of(request, silent_checks(days), "silent", count=silent)
    context = {
        "thirds": thirds_page,
        "third_lines": third_lines(thirds_page.object_list),
        "returned": returned,
        "days": days,
        "standstill": standstill(known.waiting),
        "failed": page_of(request, failed_jobs(), "failed", count=known.failed),
        "silent": silent_page,
        "names": known_as(check.expert for check in silent_page),
        "notes": page_of(request, notes_to_answer(), "notes", count=known.notes),
        "longest": LONGEST,
        "unused": page_of(request, unused_accounts(), "unused", count=known.unused),
        "unused_days": UNUSED_DAYS,
        "differing": differing,
        "told": told_otherwise(differing.object_list),
        "may_assign": may_assign(request.user),
    }
    return render(request, "review/problems.html", context)


@require_POST
@open_to(MANAGERS)
def retry_job(request: Visit, pk: int) -> HttpResponse:
    job = get_object_or_404(Job, pk=pk)
    if retry(job_id=job.pk):
        messages.success(request, _("The job is in line again."))
    else:
        messages.info(request, _("This job has not failed, or is in line again already."))
    return redirect("review:problems")
