"""What is asked before a verdict of teams, one or several (R 8.1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.models import User
from contest.models import Contest, TeamVerdict
from contest.pages.teams import DOING, TeamLine, TeamPage
from web.asking import Question, of_verdict

Kind = TeamVerdict.Kind
ASKED_OF_ONE: Final = {
    Kind.CHECKED: gettext_lazy("Is the conclusion about “%s” right?"),
    Kind.VERIFIED: gettext_lazy("Verify the conclusion about “%s”?"),
    Kind.ADMITTED: gettext_lazy("Admit “%s” to the finals?"),
    Kind.RETURNED: gettext_lazy("Return “%s” to the judges?"),
}
ASKED_OF_SEVERAL: Final[Mapping[Kind, Callable[[int], str]]] = {
    Kind.CHECKED: lambda n: ngettext(
        "Is the conclusion about %d team right?", "Are the conclusions about %d teams right?", n
    ),
    Kind.VERIFIED: lambda n: ngettext(
        "Verify the conclusion about %d team?", "Verify the conclusions about %d teams?", n
    ),
    Kind.ADMITTED: lambda n: ngettext(
        "Admit %d team to the finals?", "Admit %d teams to the finals?", n
    ),
    Kind.RETURNED: lambda n: ngettext(
        "Return %d team to the judges?", "Return %d teams to the judges?", n
    ),
}
WHAT_HAPPENS: Final = {
    Kind.CHECKED: gettext_lazy(
        "The technical commission verifies the conclusion next, then organisers decide on the "
        "admission."
    ),
    Kind.VERIFIED: gettext_lazy("Organisers decide on the admission next."),
    Kind.ADMITTED: gettext_lazy("Who is admitted takes part in the finals."),
    Kind.RETURNED: gettext_lazy("Judges check the conclusion anew."),
}


def asked_of_team_verdict(page: TeamPage, user: User, kind: str, seen: str) -> Question | None:
    """Before a verdict of one team; ``seen``: the digest its page showed. ``None`` where it is not
    for whoever looks to say.
    """
    if kind not in [each for each, _words in page.choices_for(user)]:
        return None
    team = page.team
    address = [team.contest.slug, team.pk]
    lines = [TeamLine(team, page.concluded)]
    return _asked(
        Question(
            title=str(ASKED_OF_ONE[Kind(kind)] % team),
            words=_words_of(Kind(kind), lines),
            button=str(DOING[Kind(kind)]),
            back=reverse("contest:team", args=address),
            address=reverse("contest:say_of_team", args=address),
            fields={"kind": kind, "seen": seen},
        ),
        Kind(kind),
    )


def asked_of_teams(contest: Contest, lines: Sequence[TeamLine], kind: Kind) -> Question:
    """Before the same verdict of ``lines``, at least one team."""
    one = str(ASKED_OF_ONE[kind] % lines[0].team)
    title = ASKED_OF_SEVERAL[kind](len(lines)) % len(lines) if len(lines) > 1 else one
    return _asked(
        Question(
            title=title,
            words=_words_of(kind, lines),
            button=str(DOING[kind]),
            back=reverse("contest:teams", args=[contest.slug]),
            address=reverse("contest:say_of_teams", args=[contest.slug]),
            fields={"kind": kind.value},
        ),
        kind,
    )


def _asked(asked: Question, kind: Kind) -> Question:
    if kind == Kind.RETURNED:
        return of_verdict(asked, why_returned=_("Why the team is returned; it reads the reason"))
    return replace(of_verdict(asked), reason=_("Remark; the team reads it"))


def _words_of(kind: Kind, lines: Sequence[TeamLine]) -> list[str]:
    """What happens then; which teams nothing is concluded about, and which do not pass, by name."""
    words = [str(WHAT_HAPPENS[kind])]
    if kind == Kind.RETURNED:
        return words
    negative = [each.team.name for each in lines if each.concluded.conclusion.is_negative]
    unknown = [each.team.name for each in lines if not each.concluded.conclusion.is_concluded]
    if unknown:
        told = _(
            "Nothing is concluded yet about: %s. Clause 6.3 of the regulation: such a team is not "
            "admitted, and once something is concluded, judges check it anew."
        )
        words.append(told % ", ".join(unknown))
    if negative:
        told = _(
            "The conclusion is negative about: %s. Clause 6.3 of the regulation: such a team is "
            "not admitted."
        )
        words.append(told % ", ".join(negative))
    return words
