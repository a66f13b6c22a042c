"""Letters about applications and invitations, to people who may have no account yet.

The link is no secret of the row: it is computed anew from it for each try, and only its digest is
kept.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.core.mail import EmailMessage
from django.db.models import F
from django.db.models.functions import Now
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.services import posting
from accounts.services.tokens import digest
from contest.models import Application, TeamInvitation, TeamLetter
from jobs.services.work import fenced, order
from review.models import LetterTerms

GOOD_FOR: Final = timedelta(days=7)
"""How long the link of a letter opens anything."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Post:
    """What the links of a letter begin with, and the language of who has it sent: it is written
    in that one to people who have chosen none.
    """

    home: str
    language: str


About = Application | TeamInvitation


def link_token(about: About) -> str:
    """What the link of a letter bears: nobody finds it who has not the letter or our key."""
    moment = about.sent_at if isinstance(about, Application) else about.made_at
    value = f"{about._meta.label_lower}:{about.pk}:{moment.isoformat()}"
    return salted_hmac("letters of contests", value, algorithm="sha256").hexdigest()


def seal(about: About) -> None:
    """Keep the digest of a new row's link, in the caller's transaction."""
    about.refresh_from_db()
    about.token = digest(link_token(about))
    about.save(update_fields=["token"])


def order_letter(*, about: About, post: Post) -> TeamLetter:
    """Write the letter and promise to send it, in the caller's transaction."""
    letter = TeamLetter.objects.create(
        application=about if isinstance(about, Application) else None,
        invitation=about if isinstance(about, TeamInvitation) else None,
        home=post.home,
        language=_chosen_by(about.email) or post.language,
    )
    _promise(letter.pk, 0)
    return letter


def send_team_letter(*, letter_id: int) -> None:
    """Send a letter whose link opens something still. Safe to repeat.

    Nothing is locked while the mail server is spoken to. A worker that is lost between sending
    and writing so down leaves a letter that goes out again, under the same Message-ID.
    """
    found = TeamLetter.objects.filter(pk=letter_id, sent_at=None, refused_at=None)
    known = ("application__contest", "invitation__team__contest", "invitation__invited_by")
    letter = found.select_related(*known).first()
    if letter is None:
        return
    unsent = posting.post(message_of(letter))
    if unsent is None:
        with fenced():
            TeamLetter.objects.filter(pk=letter.pk).update(sent_at=Now(), error="")
    elif unsent.for_good:
        _refuse(letter, unsent.reason)
    else:
        _put_off(letter, unsent.reason)


def message_of(letter: TeamLetter) -> EmailMessage:
    """The letter in its language; the same row always has the same Message-ID."""
    about: Any = letter.application or letter.invitation
    with override(letter.language):
        if isinstance(about, Application):
            contest, page, kind = about.contest, "contest:confirm_application", "application"
            subject = _("Confirm the application of “%s”") % about.name
        else:
            contest, page, kind = about.team.contest, "contest:invitation", "invitation"
            subject = _("You are invited to the team “%s”") % about.team.name
        link = f"{letter.home}{reverse(page, kwargs={'token': link_token(about)})}"
        said = {"about": about, "contest": contest, "link": link}
        return EmailMessage(
            subject=subject,
            body=render_to_string(f"contest/teams/{kind}.txt", said).strip() + "\n",
            to=[about.email],
            headers={
                "Message-ID": posting.message_id(f"teams.{letter.key}"),
                **posting.letter_headers(),
            },
        )


def _chosen_by(email: str) -> str:
    """The language in which whoever has this address reads letters; empty where none is known."""
    found = LetterTerms.objects.filter(person__email__iexact=email, person__is_active=True)
    return found.values_list("language", flat=True).first() or ""


def _promise(letter_id: int, tries: int, after: timedelta | None = None) -> None:
    """Each try is a job of its own."""
    key, args = f"team-letter:{letter_id}:{tries}", {"letter_id": letter_id}
    order(kind="contest.send_team_letter", key=key, args=args, after=after)


def _put_off(letter: TeamLetter, reason: str) -> None:
    """Try again later, less and less often; in the end the letter is given up."""
    log.warning("Letter %s about a team is put off: %s", letter.pk, reason)
    pause = posting.pause_after(letter.tries)
    if pause is None:
        _refuse(letter, reason)
        return
    with fenced():
        TeamLetter.objects.filter(pk=letter.pk).update(tries=F("tries") + 1, error=reason[:300])
        _promise(letter.pk, letter.tries + 1, pause)


def _refuse(letter: TeamLetter, reason: str) -> None:
    with fenced():
        TeamLetter.objects.filter(pk=letter.pk).update(refused_at=Now(), error=reason[:300])
