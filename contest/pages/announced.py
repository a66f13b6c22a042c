"""What a participant's page says of finals ahead, and of how a program begins."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.http import HttpRequest
from django.urls import reverse

from accounts.models import User
from contest.core.moments import at
from contest.models import ExchangeSession, Final
from contest.pages.doors import Door, doors
from contest.pages.remedies import REMEDIES
from contest.queries.announced import finals_ahead, subjects_of
from contest.queries.run_moments import opened_until
from contest.queries.sessions import sessions_in
from contest.services.sessions.opening import opens_from


class Stage(StrEnum):
    """How a final stands for its reader."""

    CANCELLED = "cancelled"
    NOT_ADMITTED = "not-admitted"
    AHEAD = "ahead"
    OPENS = "opens"
    BEGAN = "began"
    HELD = "held"
    MISSED = "missed"


@dataclass(frozen=True, slots=True)
class Announced:
    """A final or rehearsal. A program opens it from ``opens_at`` to ``closes_at``;
    ``session``: the one its reader's program has of it.
    """

    final: Final
    size: int
    subjects: tuple[str, ...]
    is_admitted: bool
    session: ExchangeSession | None
    opens_at: datetime
    closes_at: datetime
    now: datetime

    @property
    def stage(self) -> Stage:
        if self.final.cancelled_at is not None:
            return Stage.CANCELLED
        if self.session is not None:
            return Stage.HELD
        if self.now > self.closes_at:
            return Stage.MISSED
        if not self.is_admitted:
            return Stage.NOT_ADMITTED
        if self.now < self.opens_at:
            return Stage.AHEAD
        return Stage.OPENS if self.now < self.final.starts_at else Stage.BEGAN


def announced_to(participant: User, moment: int) -> list[Announced]:
    """The finals and rehearsals that are ahead of a participant, or under way."""
    finals = list(finals_ahead(participant, at(moment)))
    subjects, sessions = subjects_of(finals), sessions_in(finals, participant)
    found = [
        Announced(
            each,
            each.size,
            tuple(subjects.get(each.pk, ())),
            each.is_admitted,
            sessions.get(each.pk),
            at(opens_from(each)),
            at(opened_until(each)),
            at(moment),
        )
        for each in finals
    ]
    return [each for each in found if _is_news(each)]


@dataclass(frozen=True, slots=True)
class Beginning:
    """Where programs begin: the platform's address, and that for clients of the original."""

    origin: str
    socketio: str

    @property
    def doors(self) -> str:
        """Where the doors are told to programs."""
        return f"{self.origin}{reverse('api:api_exchange')}"

    @property
    def remedies(self) -> list[tuple[str, str, str]]:
        """Why an answer does not count, as programs and as people read it, and what to do."""
        return [(each.value, str(each.label), str(remedy)) for each, remedy in REMEDIES]

    @property
    def command(self) -> str:
        """What is typed to try the connection."""
        marker = '"python -m razbor.markers.rules"'
        return f"razbor exchange --url {self.origin} --mode technical --marker {marker}"


def beginning(request: HttpRequest) -> Beginning:
    """How one begins at the platform of the address that was asked."""
    origin = request.build_absolute_uri("/").rstrip("/")
    named = {each["door"]: each["address"] for each in doors("")}
    return Beginning(origin, named.get(Door.SOCKETIO.value, ""))


def _is_news(each: Announced) -> bool:
    """What is over for its reader stands in the list of sessions, or nowhere."""
    if each.stage is Stage.HELD:
        return each.session is not None and each.session.is_open
    is_over = each.now > each.closes_at
    return not is_over or (each.stage is Stage.MISSED and each.is_admitted)
