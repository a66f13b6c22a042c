"""Teams of contests: who is in them, for whom somebody acts, what they wait for (R 2.25, 8.1)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from django.db.models import (
    Case,
    CharField,
    Count,
    Exists,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from accounts.models import AuditEntry, User
from accounts.queries import WITHOUT_PASSWORD
from accounts.roles import STAFF
from annotator.models import Assignment, Essay, EssaySet, MarkupRecord
from contest.core.admission import AFTER, Step
from contest.models import Contest, DataSet, Membership, Team, TeamInvitation, TeamVerdict

PRESENT: Final = Q(memberships__left_at=None)
LEADS: Final = Q(person__is_active=True, person__role=User.Role.PARTICIPANT)
"""Of members of a team: those who may act for it (R 8)."""
OPEN: Final = Q(accepted_at=None, declined_at=None, dropped_at=None)
"""Of invitations: those that nobody has answered or taken back."""

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


def teams_needing(person: User) -> QuerySet[Team]:
    """The teams for which somebody stays a participant: those one is in, and the own one of a
    team's account; of contests whose results are final none.
    """
    return teams_in(person).filter(contest__final_at=None)


def has_checked_for(person: User, contest: Contest) -> bool:
    """True for who was given checks of a test or final set of a contest, or has marked in it.

    A check that was taken away unopened was not had; one that was begun left its draft.
    """
    hidden = contest.data_sets.exclude(role=DataSet.Role.TRAINING).values("essay_set")
    given, marked = _checks_in(hidden)
    return given.filter(expert=person).exists() or marked.filter(author=person).exists()


def has_read_for(person: User, contest: Contest) -> bool:
    """True for who had a role that reads all of a test or final set of a contest."""
    hidden = contest.data_sets.exclude(role=DataSet.Role.TRAINING).values("essay_set")
    return bool(_readers_of(hidden, [person.pk]))


def members_who_know(contest: Contest, essay_set: EssaySet) -> QuerySet[Membership]:
    """Who is in a team of a contest now and had checks of a set as an expert, or a role that reads
    all of it; by team.
    """
    members = Membership.objects.filter(contest=contest, left_at=None)
    given, marked = _checks_in([essay_set.pk])
    had = Exists(given.filter(expert=OuterRef("person")))
    had |= Exists(marked.filter(author=OuterRef("person")))
    people = members.order_by().values_list("person", flat=True)
    found = members.filter(had | Q(person__in=_readers_of([essay_set.pk], people)))
    return found.select_related("team", "person").order_by("team__name", "pk")


def _readers_of(sets: object, people: Iterable[int]) -> set[int]:
    """Those of these people whose role read everything since essays of these sets came in."""
    since = Essay.objects.filter(essay_set__in=sets).aggregate(since=Min("imported_at"))["since"]
    if since is None:
        return set()
    told = AuditEntry.objects.filter(
        object_type=User._meta.label_lower,
        object_id__in=[str(number) for number in people],
        action__in=["person.made", "person.changed"],
    )
    found, role_of = set(), dict[str, str]()
    for number, details, at in told.order_by("pk").values_list("object_id", "details", "at"):
        before = details.get("before") or role_of.get(number)
        if at > since and before in STAFF:  # until this moment
            found.add(int(number))
        role_of[number] = details.get("role", "")
    return found | {int(number) for number, role in role_of.items() if role in STAFF}


def _checks_in(sets: object) -> tuple[QuerySet[Assignment], QuerySet[MarkupRecord]]:
    """The checks of essay sets that somebody was given, and the experts' markups there."""
    given = Assignment.objects.filter(essay__essay_set__in=sets)
    marked = MarkupRecord.objects.filter(essay__essay_set__in=sets)
    return (
        given.exclude(state=Assignment.State.WITHDRAWN),
        marked.filter(source=MarkupRecord.Source.EXPERT),
    )


def membership_of(person: User, team: Team) -> Membership | None:
    """How somebody is in a team now."""
    return team.memberships.filter(person=person, left_at=None).first()


def members_of(team: Team) -> QuerySet[Membership]:
    """Who is in a team now, the captain first."""
    found = team.memberships.filter(left_at=None).select_related("person")
    return found.order_by("-is_captain", "pk")


def leaders_of(team: Team) -> QuerySet[Membership]:
    """Those in a team now who may lead it, whoever leads first: its captain, else who has been in
    it for longest. Whose account is closed leads nobody.
    """
    return members_of(team).filter(LEADS)


def teams_nobody_leads(since: datetime) -> QuerySet[Team]:
    """The teams that take part and that nobody acts for, nor was asked into ``since``, the oldest
    first: nobody is in them whose account is open, and nobody signs in to their own.
    """
    leading = Membership.objects.filter(LEADS, team=OuterRef("pk"), left_at=None)
    asked = TeamInvitation.objects.filter(OPEN, team=OuterRef("pk"))
    found = Team.objects.filter(
        ~Exists(leading),
        ~Exists(on_their_way(asked, since)),
        excluded_at=None,
        account__in=User.objects.filter(WITHOUT_PASSWORD, is_active=True),
        contest__announced_at__isnull=False,
        contest__final_at=None,
    )
    return found.select_related("contest").order_by("pk")


def open_invitations(team: Team) -> QuerySet[TeamInvitation]:
    """Who was asked into a team and has not answered, with the letter."""
    return team.invitations.filter(OPEN).select_related("letter").order_by("pk")


def on_their_way(
    invitations: QuerySet[TeamInvitation], since: datetime
) -> QuerySet[TeamInvitation]:
    """Those of open invitations that were made ``since``, and whose letter was not refused."""
    return invitations.filter(made_at__gt=since, letter__refused_at=None)


def verdicts_of_team(team: Team) -> QuerySet[TeamVerdict]:
    """Everything that was said of a team, in order."""
    return team.verdicts.select_related("who").order_by("pk")
