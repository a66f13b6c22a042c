"""Which accounts a manager keeps, and which roles it grants: administrators make administrators."""

from __future__ import annotations

from django.db.models import QuerySet

from accounts.models import User

Role = User.Role


def people_kept_by(manager: User) -> QuerySet[User]:
    """The accounts a manager sees, changes, invites and closes."""
    if manager.role == Role.ADMINISTRATOR:
        return User.objects.all()
    return User.objects.exclude(role=Role.ADMINISTRATOR)


def roles_granted_by(manager: User) -> list[Role]:
    """The roles a manager may give an account."""
    is_administrator = manager.role == Role.ADMINISTRATOR
    return [role for role in Role if is_administrator or role != Role.ADMINISTRATOR]
