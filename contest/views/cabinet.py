"""The cabinet of a team: what its members read and do; for whom somebody acts (R 2.14)."""

from __future__ import annotations

from typing import Final

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from accounts.middleware import ACTING
from accounts.places import own_address
from accounts.roles import Role, Visit, open_to, person_of
from contest.core.moments import at
from contest.forms import MemberForm
from contest.models import Contest, Team
from contest.pages.teams import Cabinet
from contest.queries.teams import team_of, teams_acted_for, teams_in
from contest.services.sessions.clock import moment_now
from contest.services.teams.joining import hand_over, invite, leave, take_back
from contest.services.teams.letters import Post
from contest.services.uploads.uploading import why_nothing_now
from web.forms import is_number_of_row, status_of, told_in
from web.refusals import about

TAKING_PART: Final = frozenset({Role.PARTICIPANT})


@require_GET
@open_to(TAKING_PART)
def own_teams(request: Visit) -> HttpResponse:
    found = list(teams_in(person_of(request)))
    if len(found) == 1:
        return redirect("contest:cabinet", slug=found[0].contest.slug)
    return render(request, "contest/teams/own.html", {"teams": found})


@require_POST
@open_to(TAKING_PART)
def act(request: Visit) -> HttpResponse:
    """Choose for which team to act; no number is one's own account."""
    asked = request.POST.get("team", "")
    number = int(asked) if is_number_of_row(asked) else 0
    person = person_of(request)
    if number:
        get_object_or_404(teams_acted_for(person), pk=number)
    request.session[ACTING] = number
    back = request.POST.get("next", "")
    is_ours = back.startswith("/") and url_has_allowed_host_and_scheme(back, None)
    return redirect(back if is_ours else "contest:own_teams")


@require_GET
@open_to(TAKING_PART)
def cabinet(request: Visit, slug: str) -> HttpResponse:
    return _shown(request, _own_team(request, slug), MemberForm())


@require_POST
@open_to(TAKING_PART)
def invite_member(request: Visit, slug: str) -> HttpResponse:
    team = _own_team(request, slug)
    form = MemberForm(request.POST)
    if form.is_valid():
        post = Post(own_address(request), get_language() or "ru")
        asked = form.cleaned_data
        with told_in(form):
            invite(team=team, **asked, actor=person_of(request), post=post)
            messages.success(request, _("A letter is on its way to %s.") % asked["email"])
            return redirect("contest:cabinet", slug=slug)
    return _shown(request, team, form)


@require_POST
@open_to(TAKING_PART)
def drop_invitation(request: Visit, slug: str, pk: int) -> HttpResponse:
    team = _own_team(request, slug)
    invitation = get_object_or_404(team.invitations, pk=pk)
    with about(reverse("contest:cabinet", args=[slug])):
        take_back(invitation=invitation, actor=person_of(request))
    messages.success(request, _("The invitation of %s is taken back.") % invitation.email)
    return redirect("contest:cabinet", slug=slug)


@require_POST
@open_to(TAKING_PART)
def leave_team(request: Visit, slug: str) -> HttpResponse:
    team, person = _own_team(request, slug), person_of(request)
    with about(reverse("contest:cabinet", args=[slug])):
        leave(team=team, person=person, actor=person)
    request.session.pop(ACTING, None)
    messages.success(request, _("You have left the team “%s”.") % team)
    return redirect("contest:own_teams")


@require_POST
@open_to(TAKING_PART)
def dismiss(request: Visit, slug: str, pk: int) -> HttpResponse:
    team = _own_team(request, slug)
    member = get_object_or_404(team.memberships.filter(left_at=None), pk=pk)
    with about(reverse("contest:cabinet", args=[slug])):
        leave(team=team, person=member.person, actor=person_of(request))
    messages.success(request, _("%s is in the team no more.") % member.person)
    return redirect("contest:cabinet", slug=slug)


@require_POST
@open_to(TAKING_PART)
def make_captain(request: Visit, slug: str, pk: int) -> HttpResponse:
    team = _own_team(request, slug)
    member = get_object_or_404(team.memberships.filter(left_at=None), pk=pk)
    with about(reverse("contest:cabinet", args=[slug])):
        hand_over(team=team, person=member.person, actor=person_of(request))
    messages.success(request, _("%s leads the team now.") % member.person)
    return redirect("contest:cabinet", slug=slug)


def _shown(request: Visit, team: Team, form: MemberForm) -> HttpResponse:
    context = {
        "contest": team.contest,
        "seen": Cabinet.of(team, person_of(request), at(moment_now())),
        "form": form,
        "is_acting": request.user.pk == team.account_id,
        "may_act": team.excluded_at is None,
        "takes_more": team.contest.takes_uploads and not why_nothing_now(team.contest, team),
    }
    return render(request, "contest/teams/cabinet.html", context, status=status_of(form))


def _own_team(request: Visit, slug: str) -> Team:
    """The team of whoever asks in this contest; nobody else learns that it is there."""
    contest = get_object_or_404(Contest, slug=slug)
    team = team_of(person_of(request), contest)
    if team is None:
        raise Http404
    return team
