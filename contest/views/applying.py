"""The form of an application, and the links of letters about teams (R 3.1); open to strangers."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.tokens import default_token_generator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.places import own_address, place_of
from contest.core.moments import at
from contest.forms import ApplicationForm
from contest.models import Contest, TeamInvitation
from contest.queries.teams import team_of
from contest.services.sessions.clock import moment_now
from contest.services.teams.applying import (
    Joined,
    application_by,
    confirm_application,
    is_wished_by_another,
    refuse_confirming,
    refuse_dates,
    refuse_old,
    send_application,
)
from contest.services.teams.joining import (
    accept,
    decline,
    invitation_by,
    refuse_joining,
    refuse_second,
)
from contest.services.teams.letters import Post
from contest.services.teams.limits import TooOften
from web.forms import sent_in, status_of
from web.refusals import Refused, about


@require_http_methods(["GET", "POST"])
@login_not_required
def apply(request: HttpRequest, slug: str) -> HttpResponse:
    contest = get_object_or_404(Contest, slug=slug, announced_at__isnull=False)
    form = ApplicationForm(sent_in(request), contest=contest)
    sent, headers, refusal, own = None, {}, "", None
    if form.is_bound and form.is_valid():
        try:
            sent = send_application(
                contest=contest,
                wish=form.wish(),
                network=place_of(request).network,
                post=Post(own_address(request), get_language() or "ru"),
                actor=request.user if isinstance(request.user, User) else None,
            )
        except Refused as refused:
            form.add_error(None, str(refused))
            headers = {"Retry-After": refused.seconds} if isinstance(refused, TooOften) else {}
    elif not form.is_bound:
        person = getattr(request, "member", None) or request.user
        own = team_of(person, contest) if isinstance(person, User) else None
        now = at(moment_now())
        refusal = _refusal_by(
            lambda: refuse_second(person, contest) if own else refuse_dates(contest, now)
        )
    context = {"contest": contest, "form": form, "sent": sent, "refusal": refusal, "own": own}
    context["is_wished"] = sent is not None and is_wished_by_another(sent)
    status = HTTPStatus.TOO_MANY_REQUESTS if headers else status_of(form)
    page = render(request, "contest/teams/apply.html", context, status=status)
    for name, value in headers.items():
        page[name] = value
    return page


@require_http_methods(["GET", "POST"])
@login_not_required
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    application = application_by(token)
    if application is None:
        raise Http404
    if request.method == "POST" and application.confirmed_at is None:
        with about(request.path):
            joined = confirm_application(token=token, home=own_address(request))
        messages.success(request, _("The team “%s” takes part.") % joined.team)
        return _welcome(joined)
    refusal = ""
    if application.confirmed_at is None:
        refusal = _refusal_by(lambda: refuse_confirming(application))
    context = {
        "heading": _("Confirm the application"),
        "application": application,
        "contest": application.contest,
        "used_at": application.confirmed_at,
        "refusal": refusal,
    }
    return render(request, "contest/teams/confirm.html", context)


@require_http_methods(["GET", "POST"])
@login_not_required
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    found = invitation_by(token)
    if found is None:
        raise Http404
    if request.method == "POST" and "decline" in request.POST:
        with about(request.path):
            decline(invitation=found)
        return redirect(request.path)
    if request.method == "POST" and found.is_open:
        with about(request.path):
            refuse_old(found.made_at, _("Ask the captain for another one."))
            person, is_new = accept(invitation=found, language=get_language() or "ru")
        messages.success(request, _("You are in the team “%s” now.") % found.team)
        return _welcome(Joined(found.team, person, is_new))
    refusal = _refusal_by(lambda: refuse_old(found.made_at, _("Ask the captain for another one.")))
    known = User.objects.filter(email__iexact=found.email).first()
    other = request.user.is_authenticated and request.user != known
    gone, gone_at = _gone(found)
    context = {
        "heading": _("Invitation to a team"),
        "invitation": found,
        "contest": found.team.contest,
        "used_at": found.accepted_at,
        "gone": gone,
        "gone_at": gone_at,
        "refusal": refusal,
        "known": known,
        "is_other": other,
        "obstacle": _refusal_by(lambda: refuse_joining(found)),
    }
    return render(request, "contest/teams/invitation.html", context)


def _welcome(joined: Joined) -> HttpResponse:
    """To the cabinet; whose account was made just now chooses a password first."""
    if not joined.is_new:
        return redirect("contest:cabinet", slug=joined.team.contest.slug)
    uid = urlsafe_base64_encode(force_bytes(joined.person.pk))
    link_token = default_token_generator.make_token(joined.person)
    return redirect("accounts:invitation", uidb64=uid, token=link_token)


def _gone(found: TeamInvitation) -> tuple[str, datetime | None]:
    """Why nobody can follow an invitation any more, and since when."""
    if found.declined_at:
        return _("The invitation was declined:"), found.declined_at
    if found.dropped_at:
        return _("The invitation was taken back:"), found.dropped_at
    return "", None


def _refusal_by(refuse: Callable[[], None]) -> str:
    """What would be said if it were done; empty where nothing is against it."""
    try:
        refuse()
    except Refused as refusal:
        return str(refusal)
    return ""
