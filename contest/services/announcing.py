"""What a contest announces: in both languages, to everybody, and to its members by letter."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit
from contest.core.both import Both
from contest.core.moments import at
from contest.models import Announcement, AnnouncementLetter, Contest, ModuleRelease
from contest.queries.announcements import members_to_tell
from contest.queries.running import finals_begin
from contest.services.sessions.clock import moment_now
from review.models import Letter
from review.services.letters import Said, link_to
from review.services.reminding import order
from web.refusals import Refused
from web.zones import told_at

MODULES_STAND: Final = timedelta(days=10)
"""So long before the finals the common modules change no more (R 4.7)."""

Kind = Announcement.Kind


@dataclass(frozen=True, slots=True)
class Module:
    """A version of a common module; ``checksum``: SHA-256 in hexadecimal digits."""

    name: str
    version: str
    checksum: str
    address: str = ""


@transaction.atomic
def announce(
    *, contest: Contest, kind: str, title: Both, body: Both, actor: User | None
) -> Announcement:
    """Tell everybody something of a contest, and its teams' members by letter.

    Announcement and letters are one transaction; each letter keeps its Message-ID however often it
    is sent. Of a contest that is not announced itself nobody gets a letter.
    """
    made = Announcement.objects.create(
        contest=contest,
        kind=Kind(kind),
        title_ru=title.ru,
        title_en=title.en,
        body_ru=body.ru,
        body_en=body.en,
        made_by=actor,
    )
    letters = _write_letters(made) if contest.is_announced else 0
    audit(
        actor=actor,
        action="contest.told",
        target=contest,
        announcement=made.pk,
        kind=made.kind,
        letters=letters,
    )
    return made


@transaction.atomic
def tell_news(*, contest: Contest, title: Both, body: Both, actor: User) -> Announcement:
    """Announce news. Raises ``Refused`` for the very words of others: a form was sent twice."""
    Contest.objects.select_for_update(no_key=True).get(pk=contest.pk)
    same = {"title_ru": title.ru, "title_en": title.en, "body_ru": body.ru, "body_en": body.en}
    told = contest.announcements.filter(kind=Kind.NEWS, **same).order_by("pk").last()
    if told is not None:
        message = _("This was announced already, on %s, in the same words.")
        raise Refused(message % told_at(told.published_at, contest.zone))
    return announce(contest=contest, kind=Kind.NEWS, title=title, body=body, actor=actor)


@transaction.atomic
def release_module(
    *, contest: Contest, module: Module, purpose: Both, actor: User | None
) -> ModuleRelease:
    """Announce a version of a common module with its purpose (R 4.7).

    Raises ``Refused`` from 10 days before the finals, by the database's clock, and for a version
    that was released before.
    """
    Contest.objects.select_for_update(no_key=True).get(pk=contest.pk)
    _refuse_late_module(contest)
    called = f"{module.name} {module.version}"
    if contest.releases.filter(name=module.name, version=module.version).exists():
        raise Refused(_("%s was released before. Give it another version.") % called)
    title = Both(ru=called, en=called)
    announcement = announce(
        contest=contest, kind=Kind.MODULES, title=title, body=purpose, actor=actor
    )
    return ModuleRelease.objects.create(
        contest=contest,
        name=module.name,
        version=module.version,
        checksum=module.checksum.lower(),
        address=module.address,
        announcement=announcement,
    )


def told_by(announcement: Announcement) -> Said:
    """The words of a letter about an announcement, in the language in force."""
    contest = announcement.contest
    link = link_to("contest:announcement", contest.slug, announcement.pk)
    said = {"announcement": announcement, "link": link}
    return f"{contest}: {announcement}", "contest/announcement_letter.txt", said


def _write_letters(announcement: Announcement) -> int:
    """A letter to each member, ordered with the announcement; returns how many."""
    people = list(members_to_tell(announcement.contest))
    letters = Letter.objects.bulk_create(Letter(person=person) for person in people)
    AnnouncementLetter.objects.bulk_create(
        AnnouncementLetter(announcement=announcement, person=letter.person, letter=letter)
        for letter in letters
    )
    order(letters)
    return len(letters)


def _refuse_late_module(contest: Contest) -> None:
    start = finals_begin(contest)
    if start is not None and at(moment_now()) >= start - MODULES_STAND:
        raise Refused(
            _(
                "Clause 4.7 of the regulation: common modules are updated no later than 10 days "
                "before the finals, which begin on %s."
            )
            % told_at(start, contest.zone)
        )
