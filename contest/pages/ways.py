"""Where somebody may go from a page of a contest: no way is shown that ends at a closed door."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import User
from contest.access import (
    may_be_member,
    may_publish_data,
    may_release_modules,
    may_run_contests,
    may_see_running,
    may_see_teams,
    may_take_part,
    may_watch_sessions,
    upload_phases_seen_by,
)
from contest.models import Contest, Team
from contest.queries.teams import team_of
from schemes.adapters import SCHEMES


@dataclass(frozen=True, slots=True)
class Way:
    """A page somebody may open, and what it is called."""

    words: Promise | str
    address: str


@dataclass(frozen=True, slots=True)
class Ways:
    """The ways from a contest's own page; ``may_apply``: with a team that is still to be made."""

    may_apply: bool
    others: Sequence[Way]

    @classmethod
    def of(cls, request: HttpRequest, contest: Contest, *, takes_applications: bool) -> Ways:
        """Three queries at most, none of them for strangers of a contest of essays."""
        user = request.user
        if not isinstance(user, User):
            return cls(takes_applications, list(_to_upload_board(user, contest)))
        person: User = getattr(request, "member", None) or user
        team = team_of(person, contest) if may_take_part(person) else None
        may_apply = takes_applications and team is None and may_be_member(person)
        return cls(may_apply, [*_of_team(contest, team), *_of_person(user, contest, team)])


def ways_from_managing(user: User, contest: Contest) -> list[Way]:
    """The ways from the page on which a contest is run."""
    found = [_way(_("Page for everybody"), "contest", contest)]
    if may_see_teams(user):
        found.append(_way(_("Teams"), "teams", contest))
    if may_run_contests(user):
        found.append(_way(_("Announcements"), "announcements", contest))
    if may_release_modules(user):
        found.append(_way(_("Common modules"), "modules", contest))
    if may_publish_data(user):
        found.append(_way(_("Archives"), "archives", contest))
    found += _to_protocols(contest)
    if contest.takes_uploads and may_watch_sessions(user):
        found.append(_way(_("Uploads"), "uploads", contest))
    if contest.takes_uploads and may_publish_data(user):
        for phase in contest.phases.all():
            called = _("Key and quotas") if contest.scheme else _("Set and quotas")
            words = format_lazy("{}: {}", called, phase.get_kind_display())
            found.append(_way(words, "upload_terms", contest, phase.kind))
    return found


def instructions_of(contest: Contest) -> list[Way]:
    """What everybody reads of how to take part in a contest (R 12.3)."""
    taking_part = _document(_("taking part"), "taking-part")
    of_data = _document(_("data and uploads"), "contest-data")
    if contest.scheme:
        return [taking_part, of_data, _document(SCHEMES[contest.scheme].title, contest.scheme)]
    by_sessions = [
        Way(_("from an account to a session"), reverse("contest:participating")),
        _document(_("exchange of files"), "taking-part"),
        _document(_("rules of sessions"), "sessions"),
    ]
    of_markups = _document(_("rules of markups"), "markup")
    return [*(by_sessions if contest.live else [taking_part, of_data]), of_markups]


def _document(words: Any, name: str) -> Way:
    return Way(words, reverse("contest:document", args=[name]))


def _of_team(contest: Contest, team: Team | None) -> Iterator[Way]:
    if team is not None:
        yield _way(_("Your team"), "cabinet", contest)


def _of_person(user: User, contest: Contest, team: Team | None) -> Iterator[Way]:
    if contest.takes_uploads and (team is not None or may_watch_sessions(user)):
        yield _way(_("Uploads"), "uploads", contest)
    yield from _to_upload_board(user, contest)
    if may_see_teams(user):
        yield _way(_("Teams"), "teams", contest)
    if may_see_running(user):
        words = _("How it is run") if may_run_contests(user) else _("Dates and sets")
        yield _way(words, "manage", contest)
        if not contest.scheme:
            yield _way(pgettext_lazy("of a contest", "Parameters"), "parameters", contest)
        yield from _to_protocols(contest)
    if may_publish_data(user):
        yield _way(_("Archives"), "archives", contest)


def _to_protocols(contest: Contest) -> Iterator[Way]:
    for phase in contest.phases.all():
        called = format_lazy("{}: {}", _("Protocols"), phase.get_kind_display())
        yield _way(called, "phase_protocol", contest, phase.kind)


def _to_upload_board(user: object, contest: Contest) -> Iterator[Way]:
    if contest.scheme and upload_phases_seen_by(user, contest).exists():
        yield _way(_("Board of uploads"), "upload_board", contest)


def _way(words: Any, name: str, contest: Contest, *rest: str) -> Way:
    return Way(words, reverse(f"contest:{name}", args=[contest.slug, *rest]))
