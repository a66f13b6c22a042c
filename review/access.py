"""Who may see the desk and give checks away: the one place that decides."""

from __future__ import annotations

from accounts.models import User
from accounts.roles import MANAGERS, STAFF


def may_see_desk(user: User) -> bool:
    """True for those who see every essay and who checks it."""
    return user.role in STAFF


def may_assign(user: User) -> bool:
    """True for those who give checks away, take them back and reopen them."""
    return user.role in MANAGERS


def may_read_decisions(user: User) -> bool:
    """True for those who may read what a third check decided, of markups they may see."""
    return user.role in STAFF or user.role == User.Role.EXPERT
