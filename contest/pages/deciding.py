"""What organisers are asked before an act that stays, or that everybody learns of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from contest.core.licences import licence_of
from contest.models import Contest, ExchangeSession, Publication, Team, Upload
from contest.queries.solutions_of_teams import annulled_by, is_of_approved_phase
from contest.services.contest_words import PARTS
from contest.services.contests import DATED
from contest.services.teams.joining import who_comes_back
from web.asking import Question
from web.zones import told_at


@dataclass(frozen=True, slots=True)
class Moved:
    """A date in words: what it was and what it would be."""

    name: str
    old: str
    new: str


def asked_of_solution(session: ExchangeSession, contest: Contest) -> Question:
    """Of a session of ``solutions_listed``."""
    back = reverse("contest:solutions", args=[contest.slug])
    at = [contest.slug, session.pk]
    is_approved = is_of_approved_phase(session, contest)
    told = {
        "team": session.participant.team.name,
        "number": session.pk,
        "n": session.counted,
    }
    if annulled_by(session):
        words = _("Session %(number)s of the team “%(team)s” counts again. The team reads why.")
        if is_approved:
            words = _(
                "Session %(number)s of the team “%(team)s” is annulled no more; the places the "
                "approved protocol has stay. The team reads why."
            )
        return _asked_back(words % told, reverse("contest:lift_annulment", args=at), back)
    words = _(
        "All %(n)s counted answers of session %(number)s of the team “%(team)s” stand apart on the "
        "boards, without a rank. Everybody reads the reason there. It is taken back as long as the "
        "results are not final."
    )
    if is_approved:
        words = _(
            "The board tells that session %(number)s of the team “%(team)s” was annulled since; "
            "the team reads why. It is taken back as long as the results of the contest are not "
            "final."
        )
    address = reverse("contest:annul", args=at)
    return _asked_to_annul(words % told, address, back, is_approved=is_approved)


def asked_of_upload(upload: Upload, contest: Contest) -> Question:
    """Of an upload of ``uploads_listed``."""
    back = reverse("contest:solutions", args=[contest.slug])
    at = [contest.slug, upload.pk]
    told = {"team": upload.team.name, "name": upload.name}
    is_approved = upload.phase.closed_at is not None
    if annulled_by(upload):
        words = _("The upload “%(name)s” of the team “%(team)s” counts again. The team reads why.")
        if is_approved:
            words = _(
                "The upload “%(name)s” of the team “%(team)s” is annulled no more; the places the "
                "approved protocol has stay. The team reads why."
            )
        return _asked_back(words % told, reverse("contest:lift_upload", args=at), back)
    words = _(
        "The upload “%(name)s” of the team “%(team)s” stands apart on the board, without a place; "
        "the best of its other uploads counts. It stays in the quotas. Everybody reads the reason "
        "there. It is taken back as long as the results are not final."
    )
    if is_approved and contest.scheme:
        words = _(
            "Beside them everybody reads that the upload “%(name)s” of the team “%(team)s” was "
            "annulled, and why. It is taken back as long as the results of the contest are not "
            "final."
        )
    elif is_approved:
        words = _(
            "With “%(name)s” all markups that the team “%(team)s” uploaded in this phase are "
            "annulled, and the board tells that they were since; the team reads why. It is taken "
            "back as long as the results of the contest are not final."
        )
    elif not contest.scheme:
        words = _(
            "With “%(name)s” all markups that the team “%(team)s” uploads in this phase stand "
            "apart on the boards, without a rank: they replace one another essay by essay. "
            "Everybody reads the reason there. It is taken back as long as the results are not "
            "final."
        )
    address = reverse("contest:annul_upload", args=at)
    return _asked_to_annul(words % told, address, back, is_approved=is_approved)


def _asked_to_annul(words: str, address: str, back: str, *, is_approved: bool) -> Question:
    stay = _(
        "The results of the phase are approved: places on its board stay as the protocol has them "
        "(clause 8.2.5 of the regulation)."
    )
    return Question(
        title=_("Annul the solution?"),
        words=[stay, words] if is_approved else [words],
        button=_("Annul"),
        address=address,
        back=back,
        is_grave=True,
    )


def _asked_back(words: str, address: str, back: str) -> Question:
    return Question(
        title=_("Let the solution stand again?"),
        words=[words],
        button=_("Let it stand"),
        address=address,
        back=back,
    )


def asked_of_team(team: Team, slug: str) -> Question:
    """Of a team that takes part, or did."""
    back = reverse("contest:solutions", args=[slug])
    if team.excluded_at:
        words = _(
            "The team “%(team)s” takes part again. It reads why. Its account opens; it makes new "
            "keys to the API."
        )
        return Question(
            title=_("Let the team take part again?"),
            words=[words % {"team": team.name}, *_asked_back_into(team)],
            button=_("Let it take part"),
            address=reverse("contest:take_team_back", args=[slug, team.pk]),
            back=back,
        )
    words = _(
        "The team “%(team)s” opens no final any more, and all its solutions stand apart on the "
        "boards. Its account is closed: its keys to the API end at once, and a session that goes "
        "on is stopped with the reason. It is taken back as long as the results are not final."
    )
    if team.contest.takes_uploads:
        words = _(
            "The team “%(team)s” uploads nothing any more, and all its uploads stand apart on the "
            "boards. Its account is closed: its keys to the API end at once. It is taken back as "
            "long as the results are not final."
        )
    return Question(
        title=_("Exclude the team?"),
        words=[words % {"team": team.name}, *_told_of_approved(team.contest)],
        button=_("Exclude"),
        address=reverse("contest:exclude_team", args=[slug, team.pk]),
        back=back,
        is_grave=True,
    )


def _told_of_approved(contest: Contest) -> list[str]:
    """That an exclusion changes no places of a phase whose results are approved, if any is."""
    if not contest.phases.filter(closed_at__isnull=False).exists():
        return []
    words = _(
        "Results of a phase that are approved stay: its board keeps the places its protocol has "
        "(clause 8.2.5 of the regulation), and the exclusion is told there."
    )
    return [words]


def _asked_back_into(team: Team) -> list[str]:
    """That somebody gets a letter where nobody leads a team any more."""
    back = who_comes_back(team)
    if back is None:
        return []
    words = _(
        "Nobody leads it any more: %s, who left last of those who can come back, is asked back by "
        "a letter. Who joins it first leads it."
    )
    return [words % back]


def asked_of_archive(contest: Contest, kind: Publication.Kind) -> Question:
    """Before an archive is made and published."""
    words = _(
        "“%(archive)s” of the contest “%(contest)s” is made and published at once: everybody takes "
        "it under %(licence)s, without an account. It is announced on the site and by letters to "
        "the participants."
    )
    if not contest.is_announced:
        words = _(
            "“%(archive)s” of the contest “%(contest)s” is made and published under %(licence)s: "
            "everybody takes it once the contest is announced."
        )
    licence = licence_of(contest.licence, is_of_finals=kind == Publication.Kind.FINALS)
    told = {"archive": kind.label, "contest": contest, "licence": licence}
    address = reverse("contest:archives", args=[contest.slug])
    return Question(
        title=_("Make and publish: %s?") % kind.label,
        words=[words % told],
        button=_("Make and publish"),
        back=address,
        address=address,
        fields={"kind": kind.value},
        warning=_("What was published is not taken back: a later archive only takes its place."),
    )


def moved_applications(contest: Contest, values: Mapping[str, Any]) -> list[Moved]:
    """Which dates of applications would be other ones, with their words."""
    return [
        Moved(str(PARTS[name]), _at(getattr(contest, name), contest), _at(values[name], contest))
        for name in DATED
        if values[name] != getattr(contest, name)
    ]


def moved_phase(contest: Contest, kind: str, starts_at: datetime, ends_at: datetime) -> list[Moved]:
    """The dates of a phase that has some, where they would be other ones."""
    former = contest.phases.filter(kind=kind).first()
    if former is None or (former.starts_at, former.ends_at) == (starts_at, ends_at):
        return []
    spans = [
        f"{_at(start, contest)} – {_at(end, contest)}"
        for start, end in ((former.starts_at, former.ends_at), (starts_at, ends_at))
    ]
    return [Moved(str(former.get_kind_display()), *spans)]


def asked_of_dates(
    contest: Contest, moved: Sequence[Moved], typed: Mapping[str, str], address: str
) -> Question:
    """Before dates of an announced contest move; ``typed`` goes to ``address`` once more."""
    line = _("%(name)s: %(old)s → %(new)s.")
    words = [line % {"name": each.name, "old": each.old, "new": each.new} for each in moved]
    told = _("It is announced on the site and by letters to the participants at once.")
    kept = {name: each for name, each in typed.items() if name != "csrfmiddlewaretoken"}
    return Question(
        title=_("Move the dates of “%s”?") % contest,
        words=[*words, told],
        button=_("Move the dates"),
        back=reverse("contest:manage", args=[contest.slug]),
        address=address,
        fields={**kept, "sure": "1"},
        warning=_("The announcement stays: another move is announced as another one."),
    )


def _at(moment: datetime | None, contest: Contest) -> str:
    return told_at(moment, contest.zone) if moment else "–"
