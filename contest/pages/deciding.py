"""What organisers are asked before they annul a solution, exclude a team, or take either back."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from contest.models import ExchangeSession, Team


@dataclass(frozen=True, slots=True)
class Asked:
    """A question in words, and where the answer goes; ``takes_back``: what was done is undone."""

    title: str
    words: str
    button: str
    address: str
    takes_back: bool


def asked_of_solution(session: ExchangeSession, slug: str) -> Asked:
    """Of a session of ``solutions_listed``."""
    told = {
        "team": session.participant.team.name,
        "number": session.pk,
        "n": session.counted,
    }
    if session.annulled_by:  # type: ignore[attr-defined] - of the query
        words = _("Session %(number)s of the team “%(team)s” counts again. The team reads why.")
        return Asked(
            title=_("Let the solution stand again?"),
            words=words % told,
            button=_("Let it stand"),
            address=reverse("contest:lift_annulment", args=[slug, session.pk]),
            takes_back=True,
        )
    words = _(
        "All %(n)s counted answers of session %(number)s of the team “%(team)s” stand apart on the "
        "boards, without a rank. Everybody reads the reason there. It is taken back as long as the "
        "results are not final."
    )
    return Asked(
        title=_("Annul the solution?"),
        words=words % told,
        button=_("Annul"),
        address=reverse("contest:annul", args=[slug, session.pk]),
        takes_back=False,
    )


def asked_of_team(team: Team, slug: str) -> Asked:
    """Of a team that takes part, or did."""
    if team.excluded_at:
        words = _(
            "The team “%(team)s” takes part again. It reads why. Its account opens; it makes new "
            "keys to the API."
        )
        return Asked(
            title=_("Let the team take part again?"),
            words=words % {"team": team.name},
            button=_("Let it take part"),
            address=reverse("contest:take_team_back", args=[slug, team.pk]),
            takes_back=True,
        )
    words = _(
        "The team “%(team)s” opens no final any more, and all its solutions stand apart on the "
        "boards. Its account is closed: its keys to the API end at once, and a session that goes "
        "on is stopped with the reason. It is taken back as long as the results are not final."
    )
    return Asked(
        title=_("Exclude the team?"),
        words=words % {"team": team.name},
        button=_("Exclude"),
        address=reverse("contest:exclude_team", args=[slug, team.pk]),
        takes_back=False,
    )
