"""How many uploads a team has left: counter rows, exact however many come at once."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db.models import Case, F, IntegerField, Q, Value, When

from contest.core.moments import at
from contest.models import Contest, Phase, Team, UploadCounter, UploadTerms
from contest.services.sessions.clock import moment_now


@dataclass(frozen=True, slots=True)
class Left:
    """What a team has used of its uploads today and in all, and when the day's begin anew."""

    of_day: int
    per_day: int
    total: int
    in_all: int
    resets_at: datetime

    @property
    def is_used_up(self) -> bool:
        return self.of_day >= self.per_day or self.total >= self.in_all


def today_in(contest: Contest) -> date:
    """The day by the database's clock in the contest's zone."""
    return at(moment_now()).astimezone(ZoneInfo(contest.zone)).date()


def left_of(terms: UploadTerms, team: Team, day: date) -> Left:
    """The counters of a team on a day."""
    found = UploadCounter.objects.filter(phase=terms.phase_id, team=team).first()
    of_day = found.of_day if found and found.day == day else 0
    zone = ZoneInfo(terms.phase.contest.zone)
    midnight = datetime.combine(day + timedelta(days=1), time(), zone)
    return Left(of_day, terms.per_day, found.total if found else 0, terms.in_all, midnight)


def hold_counter(phase: Phase, team: Team) -> None:
    """Lock a team's counter to the end of the transaction; it is made where there is none."""
    UploadCounter.objects.bulk_create(
        [UploadCounter(phase=phase, team=team)],
        update_conflicts=True,
        unique_fields=["phase", "team"],
        update_fields=["team"],
    )


def count_upload(terms: UploadTerms, team: Team, day: date) -> bool:
    """Count one upload, today and in all; false where one of them is used up."""
    counter = UploadCounter.objects.filter(phase=terms.phase_id, team=team)
    fits = Q(total__lt=terms.in_all) & (
        ~Q(day=day) | Q(day=None) | Q(day=day, of_day__lt=terms.per_day)
    )
    more = When(day=day, then=F("of_day") + 1)
    of_day = Case(more, default=Value(1), output_field=IntegerField())
    return bool(counter.filter(fits).update(total=F("total") + 1, of_day=of_day, day=day))


def give_back(*, phase_id: int, team_id: int, day: date) -> None:
    """An upload of that day counts no more, in the caller's transaction."""
    counter = UploadCounter.objects.filter(phase=phase_id, team=team_id, total__gt=0)
    is_of_day = Q(day=day, of_day__gt=0)
    fewer = When(is_of_day, then=F("of_day") - 1)
    of_day = Case(fewer, default=F("of_day"), output_field=IntegerField())
    counter.update(total=F("total") - 1, of_day=of_day)
