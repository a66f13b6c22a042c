"""What organisers decided of solutions and teams, for boards (R 9.5, 11.6)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from django.db.models import Value

from accounts.models import AuditEntry
from accounts.queries import trail_of
from annotator.core.origins import OF_SESSION
from contest.models import Annulment, ExchangeSession, Team

ALL: Final = -1
FREELY: Final = 0


def exclusions_of(accounts: Collection[int]) -> dict[int, str]:
    """Which of these accounts are those of excluded teams, and why."""
    excluded = Team.objects.filter(account__in=accounts, excluded_at__isnull=False)
    return dict(excluded.values_list("account", "excluded_because"))


def taken_back(team: Team) -> AuditEntry | None:
    """When the exclusion of a team that takes part was taken back, and why; ``None``: never."""
    found = trail_of(team).filter(action="team.taken_back").order_by("-pk")
    return None if team.excluded_at else found.first()


def reasons_of_annulments(sessions: Collection[int]) -> dict[int, str]:
    """Which of these sessions organisers annulled, and why."""
    standing = Annulment.objects.filter(session__in=sessions, lifted_at=None)
    return dict(standing.values_list("session", "reason"))


def annulled_uploads_of(sets: Collection[int]) -> dict[tuple[int, int], str]:
    """By account and set, why what a team uploaded for it does not stand."""
    standing = Annulment.objects.filter(
        upload__phase__upload_terms__essay_set__in=sets, lifted_at=None
    )
    of_uploads = ("upload__team__account", "upload__phase__upload_terms__essay_set")
    rows = standing.order_by("-pk").values_list(*of_uploads, "reason")
    return {(account, number): reason for account, number, reason in rows}


def solutions_in_doubt() -> list[tuple[int, str | None]]:
    """What was annulled by organisers, excluded, or of a final that was cancelled or started anew:
    accounts and origins, ``None`` for whatever an account has sent. One query.
    """
    excluded = Team.objects.filter(excluded_at__isnull=False).values_list("account", Value(ALL))
    standing = Annulment.objects.filter(lifted_at=None).order_by()
    uploads = standing.filter(upload__isnull=False)
    sessions = standing.filter(session__isnull=False)
    void = ExchangeSession.objects.filter(final__cancelled_at__isnull=False)
    rows = excluded.order_by().union(
        uploads.values_list("upload__team__account", Value(FREELY)),
        sessions.values_list("session__participant", "session"),
        void.order_by().values_list("participant", "pk"),
    )
    origins = {ALL: None, FREELY: ""}
    return [(account, origins.get(number, f"{OF_SESSION}{number}")) for account, number in rows]
