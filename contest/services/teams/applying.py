"""Applications: sent by anybody, a team once the letter's link was followed (R 3.1).

Nobody gets into a team by a mere address: its captain follows the link of the letter, the others
those of their invitations.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit, signed_by
from accounts.services.people import save_person
from accounts.services.tokens import digest
from contest.core.moments import at
from contest.models import Application, Contest, Team
from contest.services.contests import hold_contest
from contest.services.sessions.clock import moment_now
from contest.services.teams.admitting import admit_to_runs_ahead
from contest.services.teams.joining import (
    account_of,
    invite_within,
    join,
    refuse_checker,
    refuse_second,
)
from contest.services.teams.letters import GOOD_FOR, Post, order_letter, seal
from contest.services.teams.limits import TooOften, count_application, count_invitation
from web.refusals import Conflict, Refused
from web.zones import told_at

DOUBLED: Final = timedelta(minutes=2)
"""The same form once more within so long is a second press."""
MOST_NAMED: Final = 10
"""People an application names; others are invited later."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A form as it was filled in: ``members`` with their addresses, the captain first."""

    name: str
    organisation: str
    about: str
    members: Sequence[Mapping[str, str]]

    @property
    def email(self) -> str:
        """Where the letter goes: to the captain."""
        return self.members[0]["email"]


@dataclass(frozen=True, slots=True)
class Joined:
    """Who is in which team now; ``is_new``: the account was made for it and has no password."""

    team: Team
    person: User
    is_new: bool


def send_application(
    *, contest: Contest, wish: Wish, network: str, post: Post, actor: User | None
) -> Application:
    """Keep a form and send the letter that confirms it; pressed twice, it is one application.

    Raises ``Refused`` outside the dates, for a name that is taken, and ``TooOften``.
    """
    refuse_dates(contest, at(moment_now()))
    refuse_taken(contest, wish.name)
    form = {
        "contest": contest,
        "name": wish.name,
        "organisation": wish.organisation,
        "about": wish.about,
        "email": wish.email,
        "members": [dict(each) for each in wish.members],
    }
    with transaction.atomic():
        count_application(network=network, email=wish.email)  # whose row the second press waits for
        pressed = Application.objects.filter(**form, sent_at__gte=Now() - DOUBLED).first()
        if pressed is not None:
            return pressed
        application = Application.objects.create(
            **form, agrees=True, language=post.language, token=secrets.token_hex(32)
        )
        seal(application)
        order_letter(about=application, post=post)
        audit(actor=actor, action="application.sent", target=application, name=wish.name)
    return application


def application_by(token: str) -> Application | None:
    """The application a link leads to; ``None`` for a link of nothing."""
    found = Application.objects.filter(token=digest(token)).select_related("contest", "team")
    return found.first()


@transaction.atomic
def confirm_application(*, token: str, home: str) -> Joined:
    """Make the team of an application: its account, its captain, invitations to the others.

    Raises ``Conflict`` for a link that was used, ``Refused`` for one too old, a name that is taken,
    a captain who is in another team or checks and decides.
    """
    held = Application.objects.select_for_update(of=("self",)).select_related("contest")
    application = held.get(token=digest(token))
    if application.confirmed_at is not None:
        raise Conflict(_("This application is confirmed already."))
    refuse_confirming(application)
    hold_contest(application.contest)  # no rehearsal is planned without the team meanwhile
    captain, is_new = account_of(
        email=application.email,
        name=application.members[0]["name"],
        language=application.language,
    )
    with signed_by(captain):
        team = _made(application)
        join(team=team, person=captain, is_captain=True)
        post = Post(home, application.language)
        for each in application.members[1:]:
            with suppress(TooOften):  # the captain invites again from the cabinet, later
                count_invitation(team_id=team.pk, email=each["email"])
                invite_within(team=team, **each, actor=captain, post=post)
        application.team, application.confirmed_at = team, Now()
        application.save(update_fields=["team", "confirmed_at"])
        admit_to_runs_ahead(application.contest, actor=captain)
        audit(actor=captain, action="application.confirmed", target=application, team=team.pk)
    return Joined(team, captain, is_new)


def refuse_confirming(application: Application) -> None:
    """Raise ``Refused`` where the link of an application makes no team, or no longer.

    An application is taken once its form is (R 3.1): who sent it in time may confirm it later.
    """
    contest = application.contest
    refuse_old(application.sent_at, _instead(contest))
    if contest.is_final:
        raise Refused(_("The results of this contest are final: it takes no teams any more."))
    captain = User.objects.filter(email__iexact=application.email).first()
    if captain is not None:
        refuse_second(captain, contest)
        refuse_checker(captain, contest)
    refuse_taken(contest, application.name)


def refuse_dates(contest: Contest, now: datetime) -> None:
    """Raise ``Refused`` where a contest takes no applications at this moment, with the dates."""
    opens, closes = contest.applications_from, contest.applications_until
    if contest.is_final or (opens is None and closes is None):
        raise Refused(_("This contest takes no applications."))
    if opens is not None and now < opens:
        message = _("Clause 3.1 of the regulation: applications are taken from %s on.")
        raise Refused(message % told_at(opens, contest.zone))
    if closes is not None and now >= closes:
        message = _("Clause 3.1 of the regulation: applications were taken until %s.")
        raise Refused(message % told_at(closes, contest.zone))


def refuse_taken(contest: Contest, name: str) -> None:
    """Raise ``Refused`` for the name of another team of a contest."""
    if contest.teams.filter(name__iexact=name).exists():
        raise Refused(_("There is a team “%s” in this contest. Choose another name.") % name)


def is_wished_by_another(application: Application) -> bool:
    """True where somebody else may still confirm an application under the same name."""
    others = Application.objects.filter(
        contest=application.contest_id,
        name__iexact=application.name,
        confirmed_at=None,
        sent_at__gt=Now() - GOOD_FOR,
    )
    return others.exclude(email__iexact=application.email).exists()


def refuse_old(sent_at: datetime, remedy: str) -> None:
    """Raise ``Refused`` for a link of a letter that was written too long ago."""
    if at(moment_now()) > sent_at + GOOD_FOR:
        message = _("This link is too old: it was good for %d days.") % GOOD_FOR.days
        raise Refused(f"{message} {remedy}")


def _instead(contest: Contest) -> str:
    """What is left to who has a link that is too old: another form, as long as they are taken."""
    try:
        refuse_dates(contest, at(moment_now()))
    except Refused as refusal:
        return str(refusal)
    return _("Send the form once more.")


def _made(application: Application) -> Team:
    """The team with its account, to which nobody signs in."""
    account = User(
        username=f"team-{secrets.token_hex(6)}",
        full_name=application.name,
        school=application.organisation,
        role=User.Role.PARTICIPANT,
    )
    save_person(person=account, subjects=(), actor=None)
    try:
        with transaction.atomic():
            team = Team.objects.create(
                contest=application.contest, name=application.name, account=account
            )
    except IntegrityError:  # somebody was quicker, since the others were asked for
        refuse_taken(application.contest, application.name)
        raise
    audit(actor=None, action="team.made", target=team, name=team.name)
    return team
