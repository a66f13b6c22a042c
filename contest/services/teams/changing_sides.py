"""Who checks or decides is in no team (R 8), and whose account is closed holds no key of one."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.tokens import revoke_token
from contest.access import may_be_member
from contest.queries.teams import teams_in, teams_needing
from contest.services.teams.joining import keys_made_by


def why_role_stays(*, account_id: int, role: str) -> str | None:
    """Why an account does not get this role, and what is to be done before; ``None`` where it may:
    everybody may become a participant again.
    """
    if role == User.Role.PARTICIPANT:
        return None
    person = User.objects.get(pk=account_id)
    team = teams_needing(person).first()
    if team is None:
        return None
    fields = {"team": team, "contest": team.contest, "person": person}
    if team.account_id == account_id:
        message = _(
            "This is the account of the team “%(team)s” of the contest “%(contest)s”: it stays a "
            "participant."
        )
        return message % fields
    message = _(
        "%(person)s is in the team “%(team)s” of the contest “%(contest)s”, and who checks or "
        "decides is in no team: one leaves it first."
    )
    return message % fields


@transaction.atomic
def end_keys_for_teams(*, user_id: int, actor_id: int | None) -> None:
    """Revoke the keys that somebody made for teams who may act for none by now. Safe to repeat."""
    person = User.objects.get(pk=user_id)
    if may_be_member(person):
        return
    actor = User.objects.filter(pk=actor_id).first()
    for team in teams_in(person).order_by("pk"):
        User.objects.select_for_update(no_key=True).get(pk=team.account_id)
        for key in keys_made_by(person, team):
            revoke_token(token=key, actor=actor, reason="closed")
