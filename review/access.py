"""Who may see the desk and give checks away: the one place that decides."""

from __future__ import annotations

from accounts.models import User
from accounts.roles import MANAGERS, STAFF
from annotator.access import sees_everything
from annotator.models import Essay


def may_see_desk(user: User) -> bool:
    """True for those who see every essay and who checks it."""
    return user.role in STAFF


def may_assign(user: User) -> bool:
    """True for those who give checks away, take them back and reopen them."""
    return user.role in MANAGERS


def may_read_decisions(user: User) -> bool:
    """True for those who may read what a third check decided, of markups they may see."""
    return user.role in STAFF or user.role == User.Role.EXPERT


def may_see_grade(user: User, essay: Essay) -> bool:
    """True for those who see everything that was marked on an essay: staff, and who has done."""
    return user.role != User.Role.PARTICIPANT and sees_everything(user, essay)


def may_hand_out(user: User) -> bool:
    """True for those who make protocols, and pages for pupils."""
    return user.role in STAFF
