"""A contest in a line: what is on now, and what comes next and when."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from contest.core.schedule import Change, Lit, Step, Stretch, Turn, lit, next_change
from contest.models import Contest, Phase
from contest.queries.contests import now_of, with_what_lines_say
from contest.queries.phase_contents import last_checks_of
from review.core.calendar import WorkCalendar, due_after
from review.services.due import work_calendar

MARKING_DAYS: Final = 15
"""Working days of the experts after the finals (R 7.3)."""
RESULTS_DAYS: Final = 5
"""Working days of the organisers after the experts (R 7.10)."""

NAMES: Final[Mapping[Step, Promise]] = {
    Step.ANNOUNCED: pgettext_lazy("step", "Announced"),
    Step.APPLICATIONS: pgettext_lazy("step", "Applications"),
    Step.QUALIFICATION: pgettext_lazy("step", "Qualification"),
    Step.FINALS: pgettext_lazy("step", "Finals"),
    Step.MARKING: pgettext_lazy("step", "Experts mark"),
    Step.RESULTS: pgettext_lazy("step", "Results"),
}
WAITING: Final[Mapping[Step, Promise]] = {
    Step.ANNOUNCED: _("Not announced yet"),
    Step.APPLICATIONS: _("Before the applications"),
    Step.QUALIFICATION: _("Before the qualification"),
    Step.FINALS: _("Before the finals"),
    Step.RESULTS: _("Results are being drawn up"),
}
"""What is said where nothing is on and this comes next."""
CHANGES: Final[Mapping[tuple[Step, bool], Promise]] = {
    (Step.APPLICATIONS, True): _("applications open"),
    (Step.APPLICATIONS, False): _("applications close"),
    (Step.QUALIFICATION, True): _("the qualification begins"),
    (Step.QUALIFICATION, False): _("the qualification ends"),
    (Step.FINALS, True): _("the finals begin"),
    (Step.FINALS, False): _("the finals end"),
    (Step.MARKING, True): _("the experts begin"),
    (Step.MARKING, False): _("the experts’ markups are due"),
    (Step.RESULTS, False): _("the results are due"),
}


@dataclass(frozen=True, slots=True)
class ContestLine:
    """What stands of a contest in a list; ``now`` is the database's."""

    contest: Contest
    now: datetime
    steps: tuple[Lit, ...]
    change: Change | None

    @property
    def step(self) -> Lit | None:
        """The one that is lit."""
        return next((each for each in self.steps if each.turn is Turn.NOW), None)

    @property
    def what(self) -> Promise | str:
        """What is on, in a word or two."""
        step = self.step
        if step is None:
            return ""
        words = WAITING if step.is_waiting else NAMES
        return words.get(step.stretch.step, NAMES[step.stretch.step])

    @property
    def is_waiting(self) -> bool:
        """True where nothing is on, and something is still to come."""
        return self.step is None or self.step.is_waiting

    @property
    def late_since(self) -> datetime | None:
        """When what is on, or comes next, should have been over; ``None`` where it is in time."""
        step = self.step
        return step.stretch.ends if step and step.stretch.is_late(self.now) else None

    @property
    def since(self) -> datetime | None:
        """From when on what is on has been."""
        return self.step.stretch.starts if self.step and not self.step.is_waiting else None

    @property
    def next_words(self) -> Promise | str:
        """What comes at ``change``."""
        return CHANGES[self.change.step, self.change.begins] if self.change else ""

    @property
    def takes_applications(self) -> bool:
        """True while a team may apply."""
        stretches = (each.stretch for each in self.steps)
        return any(each.step is Step.APPLICATIONS and each.is_on(self.now) for each in stretches)


def lines_of(contests: Iterable[Contest]) -> list[ContestLine]:
    """The lines of contests that ``with_what_lines_say`` has found."""
    found = list(contests)
    calendar = _calendar_of(found)
    marked = {each.pk: finals for each in found if (finals := _finals_marked(each))}
    checked = last_checks_of(marked.values()) if marked else {}
    return [
        _line(each, calendar, checked.get(marked[each.pk].pk) if each.pk in marked else None)
        for each in found
    ]


def line_of(contests: QuerySet[Contest], slug: str) -> ContestLine | None:
    """The line of the contest with this address, of those somebody sees."""
    found = with_what_lines_say(contests.filter(slug=slug)).first()
    return lines_of([found])[0] if found else None


def stretches_of(
    contest: Contest, calendar: WorkCalendar, checked: datetime | None = None
) -> tuple[Stretch, ...]:
    """When each step of a contest is on, as far as its dates say it.

    ``checked``: when the last check of the finals came in, ``None`` while some are open.
    """
    announced = contest.announced_at
    found = [Stretch(Step.ANNOUNCED, announced, announced)]
    if contest.applications_from or contest.applications_until:
        opened = contest.applications_from or announced
        found.append(Stretch(Step.APPLICATIONS, opened, contest.applications_until))
    phases = {each.kind: each for each in contest.phases.all()}
    if qualification := phases.get(Phase.Kind.QUALIFICATION):
        found.append(_of_phase(Step.QUALIFICATION, qualification))
    finals = phases.get(Phase.Kind.FINALS)
    due = None
    if finals:
        found.append(_of_phase(Step.FINALS, finals))
        if not contest.scheme:  # experts mark the final set, be it of sessions or of uploads
            marking = _marking(contest, finals, calendar, checked)
            found.append(marking)
            due = _after(calendar, checked or marking.ends, RESULTS_DAYS, contest)
    if contest.is_final:
        found.append(Stretch(Step.RESULTS, contest.final_at))
    else:
        found.append(Stretch(Step.RESULTS, None, due, is_due=True))
    return tuple(found)


def _marking(
    contest: Contest, finals: Phase, calendar: WorkCalendar, checked: datetime | None
) -> Stretch:
    """Experts mark until every check is settled, and should be done after 15 working days."""
    due = _after(calendar, finals.ends_at, MARKING_DAYS, contest)
    if contest.final_at:
        return Stretch(Step.MARKING, finals.ends_at, min(due, contest.final_at))
    if checked:
        return Stretch(Step.MARKING, finals.ends_at, max(checked, finals.ends_at))
    return Stretch(Step.MARKING, finals.ends_at, due, is_due=True)


def _finals_marked(contest: Contest) -> Phase | None:
    """The finals whose essays experts mark now, or have marked."""
    now = now_of(contest)
    is_open = not contest.scheme and not contest.is_final
    phases = (each for each in contest.phases.all() if each.kind == Phase.Kind.FINALS)
    return next((each for each in phases if is_open and each.ends_at <= now), None)


def _line(contest: Contest, calendar: WorkCalendar, checked: datetime | None) -> ContestLine:
    stretches = stretches_of(contest, calendar, checked)
    now = now_of(contest)
    change = None if contest.is_final else next_change(stretches, now)
    return ContestLine(contest, now, lit(stretches, now), change)


def _of_phase(step: Step, phase: Phase) -> Stretch:
    return Stretch(step, phase.starts_at, phase.ends_at)


def _after(calendar: WorkCalendar, start: datetime, days: int, contest: Contest) -> datetime:
    return due_after(calendar, start, days, None, ZoneInfo(contest.zone)).at


def _calendar_of(contests: Iterable[Contest]) -> WorkCalendar:
    """The working days of the years that follow finals; none are asked for without finals."""
    years = {
        phase.ends_at.year
        for each in contests
        for phase in each.phases.all()
        if phase.kind == Phase.Kind.FINALS
    }
    return work_calendar(min(years) - 1, max(years) + 1) if years else WorkCalendar()
