"""Who exchanges files with the platform, and who watches and stops sessions."""

from __future__ import annotations

from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from accounts.access import ActsAs
from accounts.models import User
from accounts.roles import MANAGERS, STAFF
from annotator.access import essays_seen_by, may_send_markups
from annotator.models import Essay, EssaySet
from annotator.queries.essays import LATEST
from contest.core.admission import Step
from contest.models import (
    Consent,
    Contest,
    DataSet,
    Delivery,
    ExchangeSession,
    Parcel,
    Phase,
    PhaseVerdict,
    Publication,
    SessionFile,
    Team,
    Upload,
    UploadTerms,
)
from contest.queries.readiness import concluded_among
from contest.queries.teams import (
    leaders_of,
    team_of,
    teams_acted_for,
    teams_in,
    teams_of,
    teams_waiting_for,
)
from contest.queries.uploads import sets_of_uploads
from web.prepared import Given, Prepared

ORGANISING: Final = frozenset({User.Role.ORGANISER, User.Role.ADMINISTRATOR})

RUNNING: Final = ORGANISING | {User.Role.JUDGE, User.Role.COMMISSION}
"""Roles that see a contest before it is announced, and how it is run."""

TAKING_PARCELS: Final = (EssaySet.Access.OPEN, EssaySet.Access.CLOSED)


def may_exchange(user: User) -> bool:
    """True for those whose programs open sessions."""
    return user.role == User.Role.PARTICIPANT


def may_see_exchange(user: User) -> bool:
    """True for those who see any sessions at all."""
    return may_exchange(user) or may_watch_sessions(user)


def may_watch_sessions(user: User) -> bool:
    """True for those who see everybody's sessions."""
    return user.role in STAFF


def may_stop_sessions(user: User) -> bool:
    """True for those who end a participant's session, with a reason."""
    return user.role in MANAGERS


def may_plan_finals(user: User) -> bool:
    """True for those who plan finals and rehearsals and say who is admitted."""
    return user.role in ORGANISING


def sessions_seen_by(user: User) -> QuerySet[ExchangeSession]:
    """The sessions a person may open: all for staff, a participant the own ones."""
    found = ExchangeSession.objects.select_related("participant", "final", "essay_set")
    if may_watch_sessions(user):
        return found
    return found.filter(participant=user) if may_exchange(user) else found.none()


def sets_for_sessions(account: User) -> QuerySet[EssaySet]:
    """The sets whose essays an account's qualification may be held on: those of no contest, open
    ones of announced contests, test sets of the contest whose team it is (R 2.6, 2.7). None is a
    final set: it is given out in its final alone (R 2.8).
    """
    own = Team.objects.filter(account=account).values("contest")
    is_open = Q(access=EssaySet.Access.OPEN, data_set__contest__announced_at__isnull=False)
    is_own = Q(data_set__contest__in=own, data_set__role=DataSet.Role.TEST)
    sets = EssaySet.objects.filter(
        access__in=(EssaySet.Access.OPEN, EssaySet.Access.CLOSED),
        state__in=(EssaySet.State.OPEN, EssaySet.State.CLOSED),
    )
    sets = sets.exclude(data_set__role=DataSet.Role.FINAL)
    return sets.filter(Q(data_set=None) | is_open | is_own).order_by()


_OWN_SESSION: Final = Prepared(
    lambda: ExchangeSession.objects.filter(
        pk=Given("pk"), participant=Given("participant")
    ).order_by()
)


def own_session(user: User, pk: int) -> ExchangeSession | None:
    """The session of this number, where it is one the person's program writes to."""
    found = _OWN_SESSION(pk=pk, participant=user.pk) if may_exchange(user) else []
    return found[0] if found else None


def sets_taking_parcels_of(user: User) -> QuerySet[EssaySet]:
    """The open sets to which a participant hands in archives of markups; none of finals, nor of
    a contest whose markups are uploads with quotas.
    """
    if not may_send_markups(user):
        return EssaySet.objects.none()
    seen = Exists(essays_seen_by(user).filter(essay_set=OuterRef("pk")))
    found = EssaySet.objects.filter(seen, takes_parcels=True, state=EssaySet.State.OPEN)
    found = found.exclude(pk__in=sets_of_uploads().values("pk"))
    return found.filter(access__in=TAKING_PARCELS).order_by("name")


def _parcels() -> QuerySet[Parcel]:
    return Parcel.objects.select_related("participant", "essay_set", "job").defer("content")


def parcels_seen_by(user: User) -> QuerySet[Parcel]:
    """The archives of markups a person may look into: all for staff, a participant the own ones."""
    if may_watch_sessions(user):
        return _parcels()
    return _parcels().filter(participant=user) if may_exchange(user) else _parcels().none()


def parcels_of_person(person: User) -> QuerySet[Parcel]:
    """The archives a person may look into, in whosever name the page was come to: also those of
    every team one is in, as their uploads lead to them.
    """
    if may_watch_sessions(person):
        return _parcels()
    of_teams = Q(participant__in=teams_in(person).values("account"))
    return _parcels().filter(Q(participant=person) | of_teams)


def essays_handed_to(user: User) -> QuerySet[SessionFile, int]:
    """The essays a participant's program was given, by their numbers (R 7.5).

    Also what it has answered: a gateway that is killed right after it has pushed a file writes no
    hand-out.
    """
    handed = Exists(Delivery.objects.filter(slot=OuterRef("pk")))
    had = handed | Q(answer__isnull=False)
    given = SessionFile.objects.filter(had, session__participant=user)
    return given.order_by().values_list("essay_id", flat=True)


def finals_of_uploads(account: User) -> QuerySet[UploadTerms]:
    """The terms of finals that have begun, whose texts a team's account is given (R 2.8, 6.3)."""
    admitted = Team.objects.filter(account=account, excluded_at=None, admitted_at__isnull=False)
    return UploadTerms.objects.filter(
        essay_set__isnull=False,
        phase__kind=Phase.Kind.FINALS,
        phase__starts_at__lte=Now(),
        phase__contest__in=admitted.values("contest"),
        phase__contest__announced_at__isnull=False,
    )


def essays_of_uploads(user: User) -> QuerySet[Essay, int]:
    """The essays of these finals, by their numbers."""
    sets = finals_of_uploads(user).values("essay_set")
    given = Essay.objects.filter(LATEST, essay_set__in=sets)
    return given.order_by().values_list("pk", flat=True)


def may_read_contests(_user: User | AnonymousUser) -> bool:
    """True for everybody, strangers too: which ones ``contests_seen_by`` says."""
    return True


def may_see_unannounced(user: User | AnonymousUser) -> bool:
    """True for those who read the page of a contest before it is announced."""
    return isinstance(user, User) and user.role in RUNNING


def contests_seen_by(user: User | AnonymousUser) -> QuerySet[Contest]:
    """The contests a person reads of: everybody those that are announced."""
    found = Contest.objects.all()
    return found if may_see_unannounced(user) else found.filter(announced_at__isnull=False)


def may_release_modules(user: User | AnonymousUser) -> bool:
    """True for those who announce versions of the common modules (R 4.7)."""
    return isinstance(user, User) and user.role in ORGANISING


def sets_with_withheld_boards() -> QuerySet[DataSet, int]:
    """The test sets whose boards are for staff alone, by the numbers of their essay sets."""
    kept = DataSet.objects.filter(role=DataSet.Role.TEST, contest__shows_test_board=False)
    return kept.order_by().values_list("essay_set", flat=True)


def may_run_contests(user: User) -> bool:
    """True for those who make contests, announce them and decide about teams."""
    return user.role in ORGANISING


def may_make_contests(user: User | AnonymousUser) -> bool:
    """True for those who are shown the way to a new contest."""
    return isinstance(user, User) and may_run_contests(user)


def may_see_running(user: User) -> bool:
    """True for those who see how a contest is run: its parameters, solutions, protocols."""
    return user.role in RUNNING


def body_of(user: User) -> Consent.Body | None:
    """The body somebody agrees to parameters for (R 2.17)."""
    bodies = {
        User.Role.JUDGE: Consent.Body.JUDGES,
        User.Role.COMMISSION: Consent.Body.COMMISSION,
    }
    return bodies.get(User.Role(user.role))


def verdict_of_phases(user: User) -> PhaseVerdict.Kind | None:
    """What somebody says of the results of a phase, in whose turn (R 8.1, 8.2)."""
    if may_run_contests(user):
        return PhaseVerdict.Kind.APPROVED
    kinds = {
        User.Role.JUDGE: PhaseVerdict.Kind.CHECKED,
        User.Role.COMMISSION: PhaseVerdict.Kind.VERIFIED,
    }
    return kinds.get(User.Role(user.role))


DECIDES_ON_TEAMS: Final = {
    User.Role.JUDGE: Step.JUDGES,
    User.Role.COMMISSION: Step.COMMISSION,
    User.Role.ORGANISER: Step.ORGANISERS,
    User.Role.ADMINISTRATOR: Step.ORGANISERS,
}
"""Whose word a team waits for (R 8.1.1 to 8.1.3)."""


def may_see_teams(user: User) -> bool:
    """True for those who decide on teams: judges, the commission, organisers."""
    return user.role in DECIDES_ON_TEAMS


def may_be_member(user: User) -> bool:
    """True for an open account of a participant: who checks or decides is in no team (R 8)."""
    return user.is_active and user.role == User.Role.PARTICIPANT


def may_take_part(user: User) -> bool:
    """True for those who may have teams at all."""
    return user.role == User.Role.PARTICIPANT


def step_of(user: User) -> Step | None:
    """The step somebody's word is asked for."""
    return DECIDES_ON_TEAMS.get(user.role)


def teams_seen_by(user: User, contest: Contest) -> QuerySet[Team]:
    """The teams of a contest whose pages a person may open: all for those who decide on them."""
    return teams_of(contest) if may_see_teams(user) else teams_of(contest).none()


def waiting_teams(user: User, contest: Contest | None = None) -> list[Team]:
    """The teams of all contests, or of one, that wait for somebody's word; for that of judges once
    something is concluded about them (R 8.1.1).
    """
    step = step_of(user)
    if step is None:
        return []
    found = teams_waiting_for(step)
    if contest is not None:
        found = found.filter(contest=contest)
    return concluded_among(found) if step is Step.JUDGES else list(found)


def may_lead(person: User, team: Team) -> bool:
    """True for who leads a team that takes part, and for its own account."""
    if team.excluded_at is not None:
        return False
    if person.pk == team.account_id:
        return True
    leader = leaders_of(team).first()
    return leader is not None and leader.person_id == person.pk


def acts_as(person: User, chosen: object) -> ActsAs:
    """For which team a person acts: the chosen one, or the only one where nothing is chosen.

    ``chosen``: the number of a team, or 0 for nobody's but the own account.
    """
    if not may_take_part(person):
        return ActsAs(None)
    teams = tuple(teams_acted_for(person))
    is_clear = chosen is None and len(teams) == 1
    own = [each for each in teams if is_clear or each.pk == chosen]
    team = own[0] if own else None
    accounts = tuple(each.account_id for each in teams)
    return ActsAs(team.account if team else None, teams, team, accounts)


def may_publish_data(user: User) -> bool:
    """True for those who publish archives of a contest and keep its keys."""
    return user.role in ORGANISING


def publications_open_to_all() -> QuerySet[Publication]:
    """The archives everybody may take: of contests that are announced, the latest first."""
    found = Publication.objects.filter(contest__in=Contest.objects.exclude(announced_at=None))
    return found.order_by("-pk")


def uploads_seen_by(user: User, contest: Contest) -> QuerySet[Upload]:
    """The uploads to a contest a person may see: all for staff, a team its own."""
    found = Upload.objects.filter(phase__contest=contest).defer("parcel__content")
    found = found.select_related("team", "run", "phase", "parcel")
    if may_watch_sessions(user):
        return found
    team = team_of(user, contest)
    return found.filter(team=team) if team is not None else found.none()


def upload_phases_seen_by(user: object, contest: Contest) -> QuerySet[Phase]:
    """The phases whose board of predictions somebody may read, with an account or without.

    Of the qualification only where the contest says so (R 2.7); staff read all.
    """
    found = contest.phases.filter(upload_terms__key__isnull=False).order_by("starts_at")
    if isinstance(user, User) and may_watch_sessions(user):
        return found
    if not contest.is_announced:
        return found.none()
    return found if contest.shows_test_board else found.exclude(kind=Phase.Kind.QUALIFICATION)
