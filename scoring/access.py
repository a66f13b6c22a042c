"""Who may read which figures: the one place that decides; of markups, ``annotator.access``."""

from __future__ import annotations

from accounts.models import User
from accounts.roles import EVERYBODY, STAFF


def may_read_scores(user: User) -> bool:
    """True for those who have a page of tables; which ones ``sets_measured_for`` says."""
    return user.role in EVERYBODY


def has_own_figures(user: User) -> bool:
    """True for those whose markups are measured by the experts' ones."""
    return user.role == User.Role.PARTICIPANT


def may_read_logins(user: User) -> bool:
    """True for those who read participants' logins; everybody else reads full names."""
    return user.role in STAFF
