"""Organisers annul a solution or exclude a team, and take it back (R 9.5, 10.1, 11.6).

Both bear a reason and a protocol, and stand on boards apart from the others. They are taken back as
long as the results are not final; what the rule of 5 % annulled never is.
"""

from __future__ import annotations

from contextlib import suppress

from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.queries import trail_of
from accounts.services.audit import audit
from accounts.services.people import set_active
from contest.core.moments import moment_of
from contest.models import Annulment, Contest, ExchangeSession, Team, Upload
from contest.services.contests import hold_contest, refuse_final
from contest.services.sessions.clock import moment_now
from contest.services.sessions.ending import stop, withdraw
from contest.services.sessions.refusals import SessionRefused
from contest.services.teams.admitting import admit_to_runs_ahead
from contest.services.teams.joining import ask_back_within
from contest.services.teams.letters import Post
from web.refusals import Conflict, Refused


@transaction.atomic
def annul_solution(
    *,
    contest: Contest,
    solution: ExchangeSession | Upload,
    reason: str,
    protocol: str,
    actor: User,
) -> Annulment:
    """Annul the answers of a session, or an upload. Raises ``Refused`` while it is under way,
    without reason and protocol, and for what does not count anyway; ``Conflict`` done twice.
    """
    refuse_final(hold_contest(contest))
    _refuse_unfounded(reason, protocol)
    _refuse_uncounted(solution)
    try:
        with transaction.atomic():
            made: Annulment = solution.annulments.create(
                reason=reason.strip(), protocol=protocol.strip(), who=actor
            )
    except IntegrityError:
        raise Conflict(_("The solution is annulled already. Look at it again.")) from None
    told = {"reason": made.reason, "protocol": made.protocol}
    audit(actor=actor, action="solution.annulled", target=solution, **told)
    return made


@transaction.atomic
def lift_annulment(
    *, contest: Contest, solution: ExchangeSession | Upload, reason: str, actor: User
) -> None:
    """Let a solution stand again. Raises ``Refused`` for the rule of 5 % (R 10.1)."""
    refuse_final(hold_contest(contest))
    if _is_annulled_by_rule(solution):
        raise Refused(
            _("Clause 10.1 of the regulation: what the rule of 5 % annulled is never taken back.")
        )
    if not reason.strip():
        raise Refused(_("Say why: the team reads it."))
    standing = solution.annulments.filter(lifted_at=None)
    if not standing.update(lifted_at=Now(), lifted_because=reason.strip()):
        raise Conflict(_("The solution is not annulled any more. Look at it again."))
    audit(actor=actor, action="solution.restored", target=solution, reason=reason.strip())


@transaction.atomic
def exclude_team(*, contest: Contest, team: Team, reason: str, protocol: str, actor: User) -> None:
    """Let a team take part no more: its account is closed, and its open session is stopped.

    Raises ``Refused`` without reason and protocol, ``Conflict`` done twice.
    """
    refuse_final(hold_contest(contest))
    _refuse_unfounded(reason, protocol)
    taking_part = contest.teams.filter(pk=team.pk, excluded_at=None)
    told = {"reason": reason.strip(), "protocol": protocol.strip()}
    values = {"excluded_because": told["reason"], "excluded_by": told["protocol"]}
    if not taking_part.update(excluded_at=Now(), **values):
        raise Conflict(_("The team is excluded already. Look at it again."))
    is_open = User.objects.filter(pk=team.account_id, is_active=True).exists()
    audit(actor=actor, action="team.excluded", target=team, **told, closed=is_open)
    set_active(person=team.account, active=False, actor=actor)
    _stop_open_sessions(team, told["reason"], actor)


@transaction.atomic
def take_team_back(
    *, contest: Contest, team: Team, reason: str, actor: User, post: Post | None = None
) -> None:
    """Let an excluded team take part again; its account opens if the exclusion closed it.

    Where everybody has left it, the last who can is asked back by ``post``. Raises ``Refused``
    without a reason, ``Conflict`` done twice.
    """
    refuse_final(hold_contest(contest))
    if not reason.strip():
        raise Refused(_("Say why: the team reads it."))
    excluded = contest.teams.filter(pk=team.pk, excluded_at__isnull=False)
    if not excluded.update(excluded_at=None, excluded_because="", excluded_by=""):
        raise Conflict(_("The team is not excluded any more. Look at it again."))
    audit(actor=actor, action="team.taken_back", target=team, reason=reason.strip())
    if _was_closed_with(team):
        set_active(person=team.account, active=True, actor=actor)
    if post is not None:
        ask_back_within(team=team, actor=actor, post=post)
    admit_to_runs_ahead(contest, actor=actor)


def why_closed(*, account_id: int) -> str | None:
    """Why the account of a team stays closed, and where that is taken back; ``None``: it may open.

    Asked in the transaction that opens the account; the team is held, so that no exclusion comes
    between.
    """
    held = Team.objects.select_for_update(of=("self",)).select_related("contest")
    team = held.filter(account=account_id).first()
    if team is None or team.excluded_at is None:
        return None
    message = _(
        "Clause 11.6 of the regulation: the team “%(team)s” is excluded from the contest "
        "“%(contest)s” (%(reason)s), its account stays closed. Organisers take the exclusion back "
        "under “Solutions” of the contest."
    )
    fields = {"team": team, "contest": team.contest, "reason": team.excluded_because}
    return message % fields


def _stop_open_sessions(team: Team, reason: str, actor: User) -> None:
    """Asked after the account is closed: whoever opens one waits for it, and is refused.

    One of a final that waits for its start is withdrawn: a team that is taken back opens another.
    """
    going_on = ExchangeSession.objects.filter(participant=team.account_id, closed_at=None)
    for session in going_on.select_related("final").order_by("pk"):
        now, final = moment_now(), session.final
        with suppress(SessionRefused):  # its time is over, and it is settled in its turn
            waits = final is not None and now < moment_of(final.starts_at)
            end = withdraw if waits else stop
            end(session_id=session.pk, reason=reason, actor=actor, moment=now)


def _was_closed_with(team: Team) -> bool:
    last = trail_of(team).filter(action="team.excluded").order_by("-pk").first()
    return last is not None and bool(last.details.get("closed"))


def _refuse_uncounted(solution: ExchangeSession | Upload) -> None:
    """Refuse what is under way still, or counts not anyway."""
    if isinstance(solution, Upload):
        if solution.state == Upload.State.WAITING:
            raise Refused(_("The upload is still under way: wait for what comes of it."))
        if solution.state not in Upload.COUNTED:
            raise Refused(_("This upload does not count anyway: nothing of it is annulled."))
        return
    if solution.is_open:
        raise Refused(_("The session is still going on: stop it first."))
    if _is_annulled_by_rule(solution):
        raise Refused(
            _("Clause 7.7 of the regulation has annulled this solution already: that stands.")
        )
    if not solution.may_count:
        raise Refused(_("This session does not count anyway: nothing of it is annulled."))


def _is_annulled_by_rule(solution: ExchangeSession | Upload) -> bool:
    if isinstance(solution, Upload):
        return False
    return solution.solution == ExchangeSession.Solution.ANNULLED


def _refuse_unfounded(reason: str, protocol: str) -> None:
    if not reason.strip():
        raise Refused(_("Say why: the team reads it."))
    if not protocol.strip():
        raise Refused(
            _("Clauses 9.5 and 11.6 of the regulation: name the protocol this is decided by.")
        )
