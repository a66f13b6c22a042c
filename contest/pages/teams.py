"""What the pages of teams show: what each waits for, its conclusion, its verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import ApiToken, AuditEntry, User
from accounts.services.tokens import lets_in
from contest.access import may_be_member, may_lead, step_of
from contest.core.admission import Step, round_after, step_after
from contest.core.readiness import Conclusion, Name, conclusion_from_json
from contest.models import (
    Announcement,
    Annulment,
    Contest,
    ExchangeSession,
    Membership,
    Team,
    TeamInvitation,
    TeamVerdict,
    Upload,
)
from contest.models import Final as PlannedFinal
from contest.queries.decisions import taken_back
from contest.queries.readiness import conclusion_of, conclusions_of, tests_of
from contest.queries.teams import members_of, membership_of, open_invitations, verdicts_of_team
from contest.services.counting import said_of_other_runs
from contest.services.teams.joining import who_comes_back
from contest.services.teams.verdicts import SAID_AT, seen_of

Kind = TeamVerdict.Kind
SHOWN: Final = 10
"""So many sessions and announcements stand in the cabinet."""

WAITS: Final = {
    Step.JUDGES: _("waits for the judges"),
    Step.COMMISSION: _("checked, waits for the commission"),
    Step.ORGANISERS: _("verified, waits for the organisers"),
    Step.ADMITTED: pgettext_lazy("verdict of a team", "admitted"),
}
DOING: Final = {
    Kind.CHECKED: _("The conclusion is right: checked"),
    Kind.VERIFIED: _("Verify"),
    Kind.ADMITTED: _("Admit to the finals"),
    Kind.RETURNED: _("Return to the judges"),
}
CONDITIONS: Final = {
    Name.FORM: _("The application is complete"),
    Name.ANNULLED: _("Share of annulled files"),
    Name.STAR: _("STAR on the test set"),
    Name.SCORED: _("Uploads of the qualification that got a score"),
}
FIELDS: Final = {
    "name": _("team"),
    "about": _("about the solution"),
    "email": _("e-mail"),
    "members": _("members"),
    "agrees": _("agrees to the regulation"),
}


@dataclass(frozen=True, slots=True)
class Shown:
    """A condition in words; ``value`` and ``line`` in percent, or numbers where ``is_counted``."""

    words: Any
    is_met: bool
    clause: str
    value: float | None
    line: float | None
    is_known: bool
    at_most: bool
    is_counted: bool

    @property
    def words_of_unmet(self) -> Any:
        """What a list says of a condition that is not met."""
        return _("not met") if self.is_known else _("not known yet")


@dataclass(frozen=True, slots=True)
class Concluded:
    """A conclusion in words."""

    conclusion: Conclusion

    @property
    def is_ready(self) -> bool:
        return self.conclusion.is_ready

    @property
    def words(self) -> Any:
        if self.is_ready:
            return _("positive")
        return _("negative") if self.conclusion.is_negative else _("not concluded yet")

    @property
    def look(self) -> str:
        """The colour of its badge."""
        if self.is_ready:
            return "ok"
        return "warn" if self.conclusion.is_negative else ""

    @property
    def missing(self) -> list[Any]:
        """The fields the application lacks."""
        return [FIELDS.get(each, each) for each in self.conclusion.missing]

    @property
    def conditions(self) -> list[Shown]:
        return [
            Shown(
                CONDITIONS[each.name],
                each.is_met,
                each.clause,
                _percent(each.value, each.name),
                _percent(each.line, each.name),
                each.is_known,
                each.name is Name.ANNULLED,
                each.name is Name.SCORED,
            )
            for each in self.conclusion.conditions
        ]


def _percent(value: float | None, name: Name) -> float | None:
    return value * 100 if value is not None and name is Name.ANNULLED else value


@dataclass(frozen=True, slots=True)
class TeamLine:
    """A team in the list: what it waits for, and what is concluded about it."""

    team: Any
    concluded: Concluded

    @property
    def words(self) -> Any:
        return _("excluded") if self.team.excluded_at else WAITS[Step(self.team.step)]

    def waits_for(self, step: Step | None) -> bool:
        """Whether something may be said of it at this step."""
        return self.team.step == step and self.team.excluded_at is None

    @property
    def is_returned(self) -> bool:
        return bool(self.team.last == Kind.RETURNED)

    @property
    def look(self) -> str:
        """The colour of its badge."""
        if self.team.excluded_at:
            return "bad"
        if self.team.step == Step.ADMITTED:
            return "ok"
        return "warn" if self.is_returned else "accent"


def team_lines(teams: Iterable[Team]) -> list[TeamLine]:
    """Teams of ``teams_of`` with their conclusions, in as many queries as for one."""
    wanted = list(teams)
    found = conclusions_of(wanted)
    return [TeamLine(each, Concluded(found[each.pk])) for each in wanted]


@dataclass(frozen=True, slots=True)
class SaidOfTeam:
    """A verdict with the conclusion it was given of."""

    verdict: TeamVerdict
    concluded: Concluded


@dataclass(frozen=True, slots=True)
class TeamPage:
    """A team as those see it who decide on it; ``seen`` names what is shown here."""

    team: Team
    concluded: Concluded
    said: Sequence[SaidOfTeam]
    members: Sequence[Membership]
    sessions: Sequence[ExchangeSession]
    other_runs: Sequence[str] = ()
    invitations: Sequence[TeamInvitation] = ()

    @classmethod
    def of(cls, team: Team) -> TeamPage:
        return cls(
            team,
            Concluded(conclusion_of(team)),
            said_of(team),
            list(members_of(team)),
            sessions_of(team),
            said_of_other_runs(team.contest, tests_of(team.contest)),
            list(open_invitations(team)),
        )

    @property
    def leader(self) -> Membership | None:
        return first_of(self.members)

    @property
    def is_led_by_nobody(self) -> bool:
        """Whether it takes part, and somebody has to be asked into it: into its own account nobody
        signs in.
        """
        takes_part = self.team.excluded_at is None and self.team.contest.final_at is None
        signs_in = self.team.account.has_usable_password()
        return takes_part and self.leader is None and not signs_in

    @property
    def kinds(self) -> list[str]:
        return [each.verdict.kind for each in self.said]

    @property
    def step(self) -> Step:
        return step_after(self.kinds)

    @property
    def words(self) -> Any:
        return _("excluded") if self.team.excluded_at else WAITS[self.step]

    @property
    def number(self) -> int:
        """The round the next verdict is of."""
        return round_after(self.kinds)

    @property
    def seen(self) -> str:
        last = self.said[-1].verdict.pk if self.said else None
        return seen_of(self.concluded.conclusion, last)

    def choices_for(self, user: User) -> list[tuple[str, Any]]:
        """What somebody may say of it now, with the words of the buttons."""
        if self.team.excluded_at or self.step is Step.ADMITTED or step_of(user) is not self.step:
            return []
        if user.pk in [each.verdict.who_id for each in self.said if _is_of(each, self.number)]:
            return []
        kinds = [SAID_AT[self.step], Kind.RETURNED]
        return [(each.value, DOING[each]) for each in kinds]


def first_of(members: Sequence[Membership]) -> Membership | None:
    """Who leads of ``members_of``, as ``leaders_of`` has it."""
    return next((each for each in members if may_be_member(each.person)), None)


def asked_back(team: Team) -> dict[str, str]:
    """Whom the form names that asks somebody into a team nobody leads."""
    back = who_comes_back(team)
    return {"name": str(back), "email": back.email} if back else {}


def _is_of(said: SaidOfTeam, number: int) -> bool:
    return said.verdict.round == number


def said_of(team: Team) -> list[SaidOfTeam]:
    """The verdicts of a team in their order."""
    return [
        SaidOfTeam(each, Concluded(conclusion_from_json(each.conclusion)))
        for each in verdicts_of_team(team)
    ]


def sessions_of(team: Team) -> list[ExchangeSession]:
    """The last sessions of a team's programs, with what annulled them."""
    found = ExchangeSession.objects.filter(participant=team.account_id).select_related("final")
    return list(found.order_by("-pk")[:SHOWN])


@dataclass(frozen=True, slots=True)
class Deadline:
    """A date of a contest, what happens then, and whether it is past."""

    words: Any
    at: datetime
    is_past: bool


@dataclass(frozen=True, slots=True)
class Cabinet:
    """A team's own page (R 2.14): all of it that its members read and do.

    ``annulments``: of its solutions, also those that were taken back.
    """

    team: Team
    own: Membership | None
    leads: bool
    members: Sequence[Membership]
    invitations: Sequence[TeamInvitation]
    keys: Sequence[ApiToken]
    sessions: Sequence[ExchangeSession]
    uploads: Sequence[Upload]
    annulments: Sequence[Annulment]
    announcements: Sequence[Announcement]
    deadlines: Sequence[Deadline]
    concluded: Concluded
    said: Sequence[SaidOfTeam]
    taken_back: AuditEntry | None

    @classmethod
    def of(cls, team: Team, person: User, now: datetime) -> Cabinet:
        sessions = sessions_of(team)
        own = Q(session__participant=team.account_id) | Q(upload__team=team)
        annulled = Annulment.objects.filter(own).select_related("session", "upload")
        return cls(
            team=team,
            own=membership_of(person, team),
            leads=may_lead(person, team),
            members=list(members_of(team)),
            invitations=list(open_invitations(team)),
            keys=list(
                team.account.api_tokens.filter(revoked_at=None).annotate(is_held=lets_in())[:SHOWN]
            ),
            sessions=sessions,
            uploads=list(team.uploads.select_related("phase").order_by("-pk")[:SHOWN]),
            annulments=list(annulled.order_by("-pk")),
            announcements=list(team.contest.announcements.all()[:SHOWN]),
            deadlines=deadlines_of(team.contest, now),
            concluded=Concluded(conclusion_of(team)),
            said=said_of(team),
            taken_back=taken_back(team),
        )

    @property
    def step(self) -> Any:
        return WAITS[step_after([each.verdict.kind for each in self.said])]

    @property
    def leader(self) -> Membership | None:
        return first_of(self.members)

    @property
    def is_alone(self) -> bool:
        """Whether nobody leads it once the reader has left."""
        return first_of([each for each in self.members if each != self.own]) is None

    @property
    def hands_over_first(self) -> bool:
        """Whether the reader leads others, of whom one leads before the reader leaves."""
        leads = self.own is not None and self.own == self.leader
        return leads and not self.is_alone and self.team.excluded_at is None

    @property
    def lost(self) -> list[ExchangeSession]:
        """The solutions annulled by the rule of 5 % (R 7.7), of those that could count."""
        annulled = ExchangeSession.Solution.ANNULLED
        return [each for each in self.sessions if each.solution == annulled and each.may_count]


def deadlines_of(contest: Contest, now: datetime) -> list[Deadline]:
    """The dates of a contest in their order: applications, phases, planned finals."""
    dates: list[tuple[Any, datetime | None]] = [
        (_("Applications begin"), contest.applications_from),
        (_("Applications end"), contest.applications_until),
    ]
    words = {
        "qualification": (_("The qualification begins"), _("The qualification ends")),
        "finals": (_("The finals begin"), _("The finals end")),
    }
    for phase in contest.phases.all():
        begins, ends = words[phase.kind]
        dates += [(begins, phase.starts_at), (ends, phase.ends_at)]
    planned = PlannedFinal.objects.filter(essay_set__data_set__contest=contest, cancelled_at=None)
    dates += [(f"{each.get_kind_display()}: {each}", each.starts_at) for each in planned]
    known = [Deadline(what, moment, moment < now) for what, moment in dates if moment is not None]
    return sorted(known, key=lambda each: each.at)
