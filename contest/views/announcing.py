"""Organisers announce news of a contest, in both languages."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.roles import Visit, open_to
from contest.access import ORGANISING
from contest.forms import NewsForm
from contest.models import Contest
from contest.queries.announcements import announced_by
from contest.services.announcing import tell_news
from contest.views.contest_doors import of_contest
from web.forms import sent_in, status_of, told_in
from web.paging import page_of


@require_http_methods(["GET", "POST"])
@open_to(ORGANISING)
@of_contest
def announcements(request: Visit, contest: Contest) -> HttpResponse:
    form = NewsForm(sent_in(request))
    if request.method == "POST" and form.is_valid():
        with told_in(form):
            said = {"title": form.title(), "body": form.body()}
            made = tell_news(contest=contest, **said, actor=request.user)
            messages.success(request, _("“%s” is announced.") % made)
            return redirect("contest:announcements", contest.slug)
    context = {"contest": contest, "form": form, "page": page_of(request, announced_by(contest))}
    return render(request, "contest/running/announcements.html", context, status=status_of(form))
