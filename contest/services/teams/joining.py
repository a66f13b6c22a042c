"""Members of teams: invited, joining by the link of their letter, leaving, leading (R 3.1).

Everything is written down. Who leaves acts for the team no more, and the keys made by that person
for the team's programs end at once.
"""

from __future__ import annotations

import secrets
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from accounts.models import ApiToken, User
from accounts.services.audit import audit
from accounts.services.people import save_person
from accounts.services.tokens import digest, revoke_token
from contest.access import may_be_member, may_lead
from contest.core.moments import at
from contest.models import Contest, Membership, Team, TeamInvitation
from contest.queries.teams import (
    has_checked_for,
    has_read_for,
    leaders_of,
    members_of,
    membership_of,
    on_their_way,
    open_invitations,
    team_of,
)
from contest.services.contests import hold_contest
from contest.services.sessions.clock import moment_now
from contest.services.teams.letters import GOOD_FOR, Post, order_letter, seal
from contest.services.teams.limits import count_invitation
from review.services.terms import choose_language
from web.refusals import Conflict, Refused

MOST: Final = 30
"""People in a team, with those who are invited."""
LONGEST_LOGIN: Final = 150


def invite(*, team: Team, name: str, email: str, actor: User, post: Post) -> TeamInvitation:
    """Ask somebody into a team by a letter: its captain does, or its own account.

    Raises ``Refused`` and ``TooOften``.
    """
    count_invitation(team_id=team.pk, email=email)
    with transaction.atomic():
        held = hold_team(team)
        refuse_others(actor, held)
        return invite_within(team=held, name=name, email=email, actor=actor, post=post)


def invite_within(*, team: Team, name: str, email: str, actor: User, post: Post) -> TeamInvitation:
    """The same of a team that is held, in the caller's transaction."""
    if members_of(team).filter(person__email__iexact=email).exists():
        raise Refused(_("%s is in the team already.") % email)
    if open_invitations(team).filter(email__iexact=email).exists():
        raise Refused(_("%s is invited already.") % email)
    if members_of(team).count() + open_invitations(team).count() >= MOST:
        raise Refused(_("A team has at most %d people.") % MOST)
    invitation = TeamInvitation.objects.create(
        team=team,
        contest=team.contest,
        name=name,
        email=email,
        invited_by=actor,
        token=secrets.token_hex(32),
    )
    seal(invitation)
    order_letter(about=invitation, post=post)
    audit(actor=actor, action="member.invited", target=team, email=email)
    return invitation


def ask_back_within(*, team: Team, actor: User, post: Post) -> None:
    """Ask ``who_comes_back`` into a team nobody leads, in the caller's transaction."""
    held = hold_team(team)
    back = who_comes_back(held)
    if back is not None:
        _ask_anew(team=held, name=str(back), email=back.email, actor=actor, post=post)


def ask_leader(*, team: Team, name: str, email: str, actor: User, post: Post) -> TeamInvitation:
    """Organisers ask somebody into a team that nobody leads: who joins it leads it.

    Raises ``Refused`` for who could not join, ``Conflict`` where somebody leads, ``TooOften``.
    """
    count_invitation(team_id=team.pk, email=email)
    with transaction.atomic():
        held = hold_team(team)
        refuse_excluded(held)
        leader = leaders_of(held).first()
        if leader is not None:
            raise Conflict(_("%s leads the team, and invites others.") % leader.person)
        known = User.objects.filter(email__iexact=email).first()
        if known is not None:
            _refuse_person(known, held.contest)
        since = at(moment_now()) - GOOD_FOR
        if on_their_way(open_invitations(held), since).filter(email__iexact=email).exists():
            raise Refused(_("%s is invited already.") % email)
        return _ask_anew(team=held, name=name, email=email, actor=actor, post=post)


def _ask_anew(*, team: Team, name: str, email: str, actor: User, post: Post) -> TeamInvitation:
    """A link of before, which may be too old, opens nothing any more."""
    for each in open_invitations(team).filter(email__iexact=email):
        _drop(each, team, actor)
    return invite_within(team=team, name=name, email=email, actor=actor, post=post)


def who_comes_back(team: Team) -> User | None:
    """Who left a team that nobody leads last of those whom a letter reaches and who may join it;
    ``None`` where there is nobody, and of a team that somebody leads.
    """
    if leaders_of(team).exists():
        return None
    left = team.memberships.select_related("person").order_by("-left_at", "-pk")
    people = (each.person for each in left)
    return next((each for each in people if each.email and _may_join(each, team)), None)


def invitation_by(token: str) -> TeamInvitation | None:
    """The invitation a link leads to; ``None`` for a link of nothing."""
    found = TeamInvitation.objects.filter(token=digest(token))
    return found.select_related("team__contest", "invited_by").first()


@transaction.atomic
def accept(*, invitation: TeamInvitation, language: str) -> tuple[User, bool]:
    """Whom the letter went to joins the team: with the account of that address, or a new one. Who
    joins a team that nobody is in leads it.

    ``language``: in which a new one reads letters. Returns the account, and true where it was made.
    Raises ``Refused`` for an account that may not be in a team, or is in another one of the
    contest; ``Conflict`` for what was answered before.
    """
    hold_contest(invitation.team.contest)  # of a set that is added meanwhile one sees the other
    team = hold_team(invitation.team)
    held = _open(invitation)
    refuse_excluded(team)
    person, is_new = account_of(email=held.email, name=held.name, language=language)
    join(team=team, person=person, is_captain=not members_of(team).exists())
    held.accepted_at = Now()
    held.save(update_fields=["accepted_at"])
    return person, is_new


@transaction.atomic
def decline(*, invitation: TeamInvitation) -> None:
    """Say no. Raises ``Conflict`` for what was answered before."""
    held = _open(invitation)
    held.declined_at = Now()
    held.save(update_fields=["declined_at"])
    audit(actor=None, action="invitation.declined", target=held.team, email=held.email)


@transaction.atomic
def take_back(*, invitation: TeamInvitation, actor: User) -> None:
    """The link of the letter opens nothing any more."""
    team = hold_team(invitation.team)
    refuse_others(actor, team)
    _drop(_open(invitation), team, actor)


def join(*, team: Team, person: User, is_captain: bool = False) -> Membership:
    """Put somebody who said yes into a team, in the caller's transaction.

    Raises ``Refused`` for somebody who is in a team of this contest, by its name.
    """
    refuse_second(person, team.contest)
    refuse_checker(person, team.contest)
    try:
        with transaction.atomic():
            made = Membership.objects.create(
                team=team, contest=team.contest, person=person, is_captain=is_captain
            )
    except IntegrityError:  # joined another one at this moment
        refuse_second(person, team.contest)
        raise
    audit(actor=person, action="member.joined", target=team, person=person.pk)
    return made


@transaction.atomic
def leave(*, team: Team, person: User, actor: User) -> None:
    """Somebody leaves a team, or who leads it takes somebody out.

    Raises ``Refused`` for who leads others, since another member leads first, and for who is no
    member. The only one whose account is open leaves all the same, and takes the open invitations
    back; of an excluded team who has been in it for longest leads then.
    """
    held = hold_team(team)
    own = membership_of(person, held)
    if own is None:
        raise Refused(_("%s is not in the team.") % person)
    if actor != person:
        refuse_others(actor, held)
    leader = leaders_of(held).first()
    heir = leaders_of(held).exclude(pk=own.pk).first()
    if own == leader and heir is not None and held.excluded_at is None:
        raise Refused(_("A team has a captain: let another member lead before you leave."))
    Membership.objects.filter(pk=own.pk).update(left_at=Now())
    audit(actor=actor, action="member.left", target=held, person=person.pk)
    if heir is None:
        _drop_all(held, actor)
    elif own.is_captain:
        _let_lead(held, heir, actor)
    # who makes a key at this moment is waited for, and who makes one later finds that it is over
    User.objects.select_for_update(no_key=True).get(pk=held.account_id)
    for key in keys_made_by(person, held):
        revoke_token(token=key, actor=actor, reason="left")


@transaction.atomic
def hand_over(*, team: Team, person: User, actor: User) -> None:
    """Another member leads from now on. Safe to repeat."""
    held = hold_team(team)
    refuse_others(actor, held)
    own = membership_of(person, held)
    if own is None:
        raise Refused(_("%s is not in the team.") % person)
    if not may_be_member(own.person):
        raise Refused(_("The account of %s is closed: who leads a team acts for it.") % person)
    if own.is_captain:
        return
    held.memberships.filter(left_at=None, is_captain=True).update(is_captain=False)
    _let_lead(held, own, actor)


def _let_lead(team: Team, member: Membership, actor: User) -> None:
    Membership.objects.filter(pk=member.pk).update(is_captain=True)
    audit(actor=actor, action="captain.changed", target=team, person=member.person_id)


def _drop_all(team: Team, actor: User) -> None:
    """Nobody is in the team any more who could be joined."""
    for each in open_invitations(team):
        _drop(each, team, actor)


def _drop(invitation: TeamInvitation, team: Team, actor: User) -> None:
    invitation.dropped_at = Now()
    invitation.save(update_fields=["dropped_at"])
    audit(actor=actor, action="invitation.dropped", target=team, email=invitation.email)


def keys_made_by(person: User, team: Team) -> QuerySet[ApiToken]:
    """The keys somebody made for a team's programs that are good still."""
    return team.account.api_tokens.filter(revoked_at=None, member=person).order_by("pk")


def account_of(*, email: str, name: str, language: str) -> tuple[User, bool]:
    """The account of an address whose owner said yes, and true where it is made now.

    ``language``: in which a new one reads letters.

    Raises ``Refused`` for an account that may not be in a team.
    """
    known = User.objects.select_for_update(no_key=True).filter(email__iexact=email).first()
    if known is None:
        made = _new_account(email, name)
        choose_language(person=made, language=language)
        return made, True
    _refuse_account(known)
    return known, False


def refuse_joining(invitation: TeamInvitation) -> None:
    """Raise ``Refused`` for what ``accept`` would refuse now, before anything is pressed."""
    team = invitation.team
    refuse_excluded(team)
    known = User.objects.filter(email__iexact=invitation.email).first()
    if known is not None:
        _refuse_person(known, team.contest)


def _may_join(person: User, team: Team) -> bool:
    try:
        _refuse_person(person, team.contest)
    except Refused:
        return False
    return True


def _refuse_person(known: User, contest: Contest) -> None:
    _refuse_account(known)
    refuse_second(known, contest)
    refuse_checker(known, contest)


def _refuse_account(known: User) -> None:
    if not may_be_member(known) or Team.objects.filter(account=known).exists():
        message = _("The account with the address %s cannot be in a team: use another address.")
        raise Refused(message % known.email)


def hold_team(team: Team) -> Team:
    """The team as it is now, held to the end of the transaction."""
    found = Team.objects.select_for_update(of=("self",)).select_related("contest", "account")
    held: Team = found.get(pk=team.pk)
    return held


def refuse_others(actor: User, team: Team) -> None:
    """Raise ``Refused`` for who does not lead this team."""
    refuse_excluded(team)
    if not may_lead(actor, team):
        raise Refused(_("The captain of the team does that."))


def refuse_excluded(team: Team) -> None:
    if team.excluded_at is not None:
        message = _("Clause 11.6 of the regulation: the team “%s” is excluded from the contest.")
        raise Refused(message % team)


def _open(invitation: TeamInvitation) -> TeamInvitation:
    """The invitation, held; nobody has answered it."""
    found = TeamInvitation.objects.select_for_update(of=("self",)).select_related("team__contest")
    held: TeamInvitation = found.get(pk=invitation.pk)
    if not held.is_open:
        raise Conflict(_("This invitation is answered or taken back already."))
    return held


def refuse_second(person: User, contest: Contest) -> None:
    """Raise ``Refused`` for who is in a team of this contest, by its name."""
    other: Any = team_of(person, contest)
    if other is not None:
        message = _("%(person)s is in the team “%(team)s” of this contest: one leaves it first.")
        raise Refused(message % {"person": person, "team": other})


def refuse_checker(person: User, contest: Contest) -> None:
    """Raise ``Refused`` for who had essays of a contest that its teams have not, as an expert or by
    a role that reads all.
    """
    if has_checked_for(person, contest):
        message = _(
            "Clause 2.7 of the regulation: %s has checked essays of this contest as an expert and "
            "can be in none of its teams."
        )
        raise Refused(message % person)
    if has_read_for(person, contest):
        message = _(
            "Clause 2.7 of the regulation: %s could read what experts marked in this contest, by "
            "the role of that time, and can be in none of its teams."
        )
        raise Refused(message % person)


def _new_account(email: str, name: str) -> User:
    login = email if len(email) <= LONGEST_LOGIN else ""
    if not login or User.objects.filter(username__iexact=login).exists():
        login = f"{email.partition('@')[0][:100]}-{secrets.token_hex(4)}"
    person = User(
        username=User.normalize_username(login),
        full_name=name,
        email=email,
        role=User.Role.PARTICIPANT,
    )
    try:
        return save_person(person=person, subjects=(), actor=None)
    except ValidationError as error:
        raise Refused(" ".join(error.messages)) from None
