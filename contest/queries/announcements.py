"""What contests have announced, and who is told of it by letter."""

from __future__ import annotations

from django.db.models import QuerySet

from accounts.models import User
from contest.models import Announcement, AnnouncementLetter, Contest


def announced_by(contest: Contest) -> QuerySet[Announcement]:
    """The announcements of a contest, the latest first."""
    return contest.announcements.order_by("-published_at", "-pk")


def members_to_tell(contest: Contest) -> QuerySet[User]:
    """Everybody who is in a team of the contest now, with an open account and an address."""
    of_teams = User.objects.filter(
        memberships__contest=contest,
        memberships__left_at=None,
        memberships__team__excluded_at=None,
        is_active=True,
    )
    return of_teams.exclude(email="").distinct().order_by("pk")


def announcement_of_letter(letter_id: int) -> Announcement | None:
    """What a letter tells of; ``None`` for letters about anything else."""
    found = AnnouncementLetter.objects.filter(letter=letter_id, person__is_active=True)
    row = found.select_related("announcement__contest").first()
    return row.announcement if row else None
