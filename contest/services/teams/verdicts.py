"""Verdicts of teams (R 8.1): judges check the conclusion, the commission verifies it, organisers
admit.

What is said is said of the conclusion that was shown: where it changed since judges checked it, the
team goes back to them. Each of the three is another person; either may return the team.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit
from contest.access import step_of
from contest.core.admission import CLAUSES, Step, round_after, step_after
from contest.core.readiness import Conclusion, conclusion_to_json
from contest.models import Contest, Team, TeamVerdict
from contest.queries.readiness import conclusion_of, conclusions_of
from contest.queries.teams import verdicts_of_team
from contest.services.contests import hold_contest
from contest.services.teams.admitting import admit_to_runs_ahead
from contest.services.teams.joining import hold_team, refuse_excluded
from review.core.canonical import canonical, digest_of
from web.refusals import Conflict, Refused

Kind = TeamVerdict.Kind
SAID_AT: Final = {
    Step.JUDGES: Kind.CHECKED,
    Step.COMMISSION: Kind.VERIFIED,
    Step.ORGANISERS: Kind.ADMITTED,
}


@dataclass(frozen=True, slots=True)
class Said:
    """What somebody says: of the conclusion as it was ``seen`` (``seen_of``)."""

    kind: Kind
    seen: str
    reason: str = ""


def seen_of(conclusion: Conclusion, last: int | None) -> str:
    """What a page shows of a team, as a digest: its conclusion, and its last verdict."""
    return digest_of(canonical({"conclusion": conclusion_to_json(conclusion), "last": last}))


def say_of_team(*, team: Team, said: Said, actor: User) -> TeamVerdict:
    """Give one verdict. Raises ``Refused`` by the clause, ``Conflict`` for what has changed."""
    return _say(team, said, actor, conclusion_of(team))


def say_of_teams(
    *, contest: Contest, seen: Mapping[int, str], kind: Kind, reason: str, actor: User
) -> dict[int, str]:
    """Give the same verdict of several teams of a contest, each for itself.

    ``seen``: what the page showed of each, by its number. Returns why some were refused.
    """
    teams = list(contest.teams.filter(pk__in=list(seen)).select_related("contest"))
    conclusions = conclusions_of(teams)
    refused = {}
    for team in teams:
        try:
            _say(team, Said(kind, seen[team.pk], reason), actor, conclusions[team.pk])
        except Refused as refusal:
            refused[team.pk] = str(refusal)
    return refused


@transaction.atomic
def _say(team: Team, said: Said, actor: User, conclusion: Conclusion) -> TeamVerdict:
    if said.kind == Kind.ADMITTED:
        hold_contest(team.contest)  # no final is planned without the team meanwhile
    held = hold_team(team)
    refuse_excluded(held)
    before = list(verdicts_of_team(held))
    last = before[-1] if before else None
    if last and last.who == actor and last.kind == said.kind and last.reason == said.reason:
        return last  # the form was sent twice
    kinds = [each.kind for each in before]
    number = round_after(kinds)
    of_round = [each for each in before if each.round == number]
    _refuse_turn(step_after(kinds), said, actor, before)
    if actor in [each.who for each in of_round]:
        message = _("Clause 8.1 of the regulation: nobody gives two verdicts of the same team.")
        raise Refused(message)
    if said.seen != seen_of(conclusion, last.pk if last else None):
        raise Conflict(_("Something of the team changed meanwhile. Look at it again."))
    if said.kind == Kind.RETURNED and not said.reason:
        raise Refused(_("Say why the team is returned: it reads the reason."))
    if said.kind in (Kind.VERIFIED, Kind.ADMITTED):
        _refuse_other_conclusion(of_round, conclusion)
    if said.kind == Kind.ADMITTED:
        _refuse_negative(held, conclusion)
    return _written(held, number, said, actor, conclusion)


def _refuse_turn(step: Step, said: Said, actor: User, before: list[TeamVerdict]) -> None:
    """Raise ``Refused`` for whose word the team does not wait for."""
    if step is Step.ADMITTED:
        raise Conflict(_("The team is admitted already, by %s.") % before[-1].who)
    if step_of(actor) is not step or said.kind not in (SAID_AT[step], Kind.RETURNED):
        words = {
            Step.JUDGES: _("judges check the conclusion first"),
            Step.COMMISSION: _("now the technical commission verifies the conclusion"),
            Step.ORGANISERS: _("now the organisers decide on the admission"),
        }
        message = _("Clause %(clause)s of the regulation: %(words)s.")
        raise Refused(message % {"clause": CLAUSES[step], "words": words[step]})


def _refuse_other_conclusion(of_round: list[TeamVerdict], conclusion: Conclusion) -> None:
    """Raise ``Conflict`` where the conclusion is not the one that judges checked."""
    checked: Any = next(each.conclusion for each in of_round if each.kind == Kind.CHECKED)
    if canonical(checked) != canonical(conclusion_to_json(conclusion)):
        message = _("The conclusion has changed since judges checked it: return the team to them.")
        raise Conflict(message)


def _refuse_negative(team: Team, conclusion: Conclusion) -> None:
    if not conclusion.is_concluded:
        message = _("Clause 6.3 of the regulation: nothing is concluded about “%s” yet.")
        raise Refused(message % team)
    if not conclusion.is_ready:
        message = _("Clause 6.3 of the regulation: the conclusion about “%s” is negative.")
        raise Refused(message % team)


def _written(
    team: Team, number: int, said: Said, actor: User, conclusion: Conclusion
) -> TeamVerdict:
    try:
        with transaction.atomic():
            verdict = TeamVerdict.objects.create(
                team=team,
                round=number,
                kind=said.kind,
                who=actor,
                reason=said.reason,
                conclusion=conclusion_to_json(conclusion),
            )
    except IntegrityError:  # somebody was quicker, where nothing can be held
        raise Conflict(_("Something of the team changed meanwhile. Look at it again.")) from None
    if said.kind == Kind.ADMITTED:
        Team.objects.filter(pk=team.pk).update(admitted_at=Now())
        admit_to_runs_ahead(team.contest, actor=actor)
    audit(actor=actor, action=f"team.{said.kind}", target=team, round=number, reason=said.reason)
    return verdict
