"""What organisers decided of solutions and teams, for boards (R 9.5, 11.6)."""

from __future__ import annotations

from collections.abc import Collection

from contest.models import Annulment, Team


def exclusions_of(accounts: Collection[int]) -> dict[int, str]:
    """Which of these accounts are those of excluded teams, and why."""
    excluded = Team.objects.filter(account__in=accounts, excluded_at__isnull=False)
    return dict(excluded.values_list("account", "excluded_because"))


def reasons_of_annulments(sessions: Collection[int]) -> dict[int, str]:
    """Which of these sessions organisers annulled, and why."""
    standing = Annulment.objects.filter(session__in=sessions, lifted_at=None)
    return dict(standing.values_list("session", "reason"))
