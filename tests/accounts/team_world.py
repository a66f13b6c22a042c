"""A contest with a team of one participant, and what others of it see."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from accounts.models import User
from contest.models import Application, Contest, Membership, Team, TeamInvitation
from contest.services.teams.letters import link_token, seal
from tests.accounts.desk_world import SECRET, Objects
from tests.factories import PersonFactory


def teams(participant: User) -> Objects:
    """A team the participant leads for another account: its own keeps its own rows, since a member
    acts for the team where nothing else is chosen.
    """
    contest = Contest.objects.create(
        slug=SECRET.lower(),
        name_ru="Spring",
        subject="eng",
        announced_at=timezone.now() - timedelta(days=1),
        applications_from=timezone.now() - timedelta(days=1),
    )
    team = Team.objects.create(contest=contest, name=f"{SECRET} team", account=participant)
    captain = PersonFactory(username=f"{SECRET}-captain", role=User.Role.PARTICIPANT)
    other = PersonFactory(username=f"{SECRET}-member", role=User.Role.PARTICIPANT)
    Membership.objects.create(team=team, contest=contest, person=captain, is_captain=True)
    member = Membership.objects.create(team=team, contest=contest, person=other)
    invitation = TeamInvitation.objects.create(
        team=team, contest=contest, name=SECRET, email="invited@example.org", token=SECRET
    )
    application = Application.objects.create(
        contest=contest,
        name=f"{SECRET} more",
        about=SECRET,
        email="applied@example.org",
        members=[{"name": SECRET, "email": "applied@example.org"}],
        agrees=True,
        token=SECRET,
    )
    seal(invitation)
    seal(application)
    slug = {"slug": contest.slug}
    return {
        "team-contest": slug,
        "team": {**slug, "pk": team.pk},
        "team-member": {**slug, "pk": member.pk},
        "team-invitation": {**slug, "pk": invitation.pk},
        "application-link": {"token": link_token(application)},
        "invitation-link": {"token": link_token(invitation)},
    }


def bodies_of_teams() -> Objects:
    """What is posted to the pages of teams."""
    return {
        "contest:invite_member": {"name": "Boris", "email": "boris@example.org"},
        "contest:act": {"team": 0},
        "contest:say_of_team": {"kind": "returned", "seen": "-", "reason": SECRET},
    }
