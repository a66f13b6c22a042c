"""Teams of contests: who is in them, for whom somebody acts, what they wait for (R 2.25, 8.1)."""

from __future__ import annotations

from typing import Final

from django.db.models import Case, CharField, Count, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from accounts.models import User
from contest.core.admission import AFTER, Step
from contest.models import Contest, Membership, Team, TeamInvitation, TeamVerdict

PRESENT: Final = Q(memberships__left_at=None)

LAST_VERDICT: Final = TeamVerdict.objects.filter(team=OuterRef("pk")).order_by("-pk")


def teams_of(contest: Contest) -> QuerySet[Team]:
    """The teams of a contest by name; with ``step``, what each waits for, and ``people``."""
    found = with_steps(contest.teams.select_related("account"))
    present = Count("memberships", filter=PRESENT)
    return found.annotate(people=present).order_by("name", "pk")


def with_steps(teams: QuerySet[Team]) -> QuerySet[Team]:
    """Teams with ``last``, the kind of their last verdict, and ``step``, what they wait for."""
    last = Coalesce(Subquery(LAST_VERDICT.values("kind")[:1]), Value(""), output_field=CharField())
    step = Case(
        *(When(last=kind, then=Value(step.value)) for kind, step in AFTER.items()),
        output_field=CharField(),
    )
    return teams.annotate(last=last).annotate(step=step)


def teams_waiting_for(step: Step) -> QuerySet[Team]:
    """The teams of all contests that wait for this; none that is excluded."""
    found = with_steps(Team.objects.filter(excluded_at=None, contest__final_at=None))
    found = found.filter(step=step.value, contest__announced_at__isnull=False)
    return found.select_related("contest", "account").order_by("contest", "name", "pk")


def team_of(person: User, contest: Contest) -> Team | None:
    """The team somebody is in now, also an excluded one; of a team's account its own."""
    is_in = Q(memberships__person=person, memberships__left_at=None) | Q(account=person)
    found = contest.teams.filter(is_in).select_related("account", "contest")
    return found.order_by("pk").distinct().first()


def teams_acted_for(person: User) -> QuerySet[Team]:
    """The teams somebody acts for: those one is in that are not excluded, the newest first."""
    found = Team.objects.filter(
        PRESENT, memberships__person=person, excluded_at=None, account__is_active=True
    )
    return found.select_related("account", "contest").order_by("-pk")


def teams_in(person: User) -> QuerySet[Team]:
    """The teams somebody is in, also excluded ones, and the own one of a team's account."""
    is_in = Q(PRESENT, memberships__person=person) | Q(account=person)
    return Team.objects.filter(is_in).select_related("contest").order_by("-pk").distinct()


def membership_of(person: User, team: Team) -> Membership | None:
    """How somebody is in a team now."""
    return team.memberships.filter(person=person, left_at=None).first()


def members_of(team: Team) -> QuerySet[Membership]:
    """Who is in a team now, the captain first."""
    found = team.memberships.filter(left_at=None).select_related("person")
    return found.order_by("-is_captain", "pk")


def open_invitations(team: Team) -> QuerySet[TeamInvitation]:
    """Who was asked into a team and has not answered, with the letter."""
    found = team.invitations.filter(accepted_at=None, declined_at=None, dropped_at=None)
    return found.select_related("letter").order_by("pk")


def verdicts_of_team(team: Team) -> QuerySet[TeamVerdict]:
    """Everything that was said of a team, in order."""
    return team.verdicts.select_related("who").order_by("pk")
