"""What the page of a session shows: its files as cells, the one that is open, the log in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from statistics import median
from typing import Final

from django.db.models import Min
from django.utils.translation import gettext as _

from annotator.core.messages import joined, sentence_of
from annotator.core.problems import Problem, how_many
from contest.core.moments import at, at_if_known, moment_of
from contest.core.session_rules import FileVerdict, Judgement, Solution, Verdict
from contest.models import Annulment, Delivery, ExchangeSession, Outage, SessionEvent
from contest.pages.standing import why_lost
from contest.queries.decisions import exclusions_of
from contest.queries.judging import judged_now
from contest.queries.logs import accepted_sends
from contest.queries.outages import outages_in

LOGGED: Final = 50
"""So many of the last lines of the log stand on the page; the file has all."""
SECOND: Final = 1_000_000
NAMED: Final = 20
"""So many files that an outage hit are named beside it."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the log: when, of which file, what in words, how many seconds after it opened.

    ``more``: what else is wrong with the answer of event ``number``.
    """

    at: datetime
    file: str
    words: str
    after: float | None = None
    kind: str = ""
    number: int | None = None
    more: Sequence[Problem] = ()

    @property
    def sentences(self) -> list[str]:
        return [sentence_of(each, _) for each in self.more]

    @property
    def how_many(self) -> int:
        return how_many(self.more)


@dataclass(frozen=True, slots=True)
class Lost:
    """A file that is annulled, and why in words."""

    file: str
    why: str


@dataclass(frozen=True, slots=True)
class Hit:
    """An outage, and the files of a session that were open in it and not answered before it."""

    outage: Outage
    files: list[FileVerdict]

    @property
    def annulled(self) -> int:
        return sum(each.verdict is Verdict.ANNULLED for each in self.files)

    @property
    def shown(self) -> list[FileVerdict]:
        """Those that are named: the annulled ones first."""
        return sorted(self.files, key=lambda each: each.verdict is not Verdict.ANNULLED)[:NAMED]

    @property
    def more(self) -> int:
        return len(self.files) - len(self.shown)


@dataclass(frozen=True)
class SessionPage:
    """A session at a moment of the database's clock."""

    session: ExchangeSession
    judged: Judgement
    moment: int

    @classmethod
    def of(cls, session: ExchangeSession, moment: int) -> SessionPage:
        now = max(moment, moment_of(session.last_event_at))
        return cls(session, judged_now(session, now), now)

    @property
    def is_live(self) -> bool:
        return self.judged.closed_at is None

    @property
    def state(self) -> str:
        return str(ExchangeSession.State(self.judged.state.value).label)

    @property
    def now(self) -> datetime:
        return at(self.moment)

    @property
    def closed_at(self) -> datetime | None:
        return at_if_known(self.judged.closed_at)

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many files have each verdict."""
        found = [each.verdict.value for each in self.judged.files]
        return {verdict.value: found.count(verdict.value) for verdict in Verdict}

    @property
    def share(self) -> float:
        """Annulled files of all, in percent."""
        return 100 * self.judged.share

    @property
    def allowed(self) -> float | None:
        """The share above which the solution is annulled, in percent; ``None``: no such rule."""
        share = self.session.rules.get("share")
        return None if share is None else 100 * share

    @property
    def solution(self) -> str:
        """What the rules make of it; nothing where organisers decided that it does not stand."""
        found = self.judged.solution
        if found is None or (found is Solution.STANDS and self._is_apart):
            return ""
        return str(ExchangeSession.Solution(found.value).label)

    @cached_property
    def responses(self) -> list[float]:
        """Seconds from the opening of a file to its answer, the shortest first."""
        found = (each.response for each in self.judged.files)
        return sorted(each / SECOND for each in found if each is not None)

    @property
    def median(self) -> float | None:
        return median(self.responses) if self.responses else None

    @property
    def longest(self) -> float | None:
        return self.responses[-1] if self.responses else None

    @property
    def cells(self) -> Sequence[FileVerdict]:
        return self.judged.files

    @property
    def current(self) -> FileVerdict | None:
        """The file that is open; of several the latest."""
        found = [each for each in self.judged.files if each.verdict is Verdict.OPEN]
        return found[-1] if found and self.is_live else None

    @property
    def seconds_left(self) -> float:
        """Until the last moment of the file that is open."""
        current = self.current
        due = current.due_at if current else None
        return max(0, (due or self.moment) - self.moment) / SECOND

    @property
    def limit(self) -> float:
        return float(self.session.rules["limit"])

    @property
    def sends(self) -> int:
        return int(self.session.rules["sends"])

    @property
    def next_at(self) -> datetime | None:
        """When the next file opens by the clock."""
        later = [each.opens_at for each in self.judged.files]
        found = min((each for each in later if each and each > self.moment), default=None)
        return at(found) if found and self.is_live else None

    @cached_property
    def lost(self) -> list[Lost]:
        return [
            Lost(each.file, why)
            for each in self.judged.files
            if (why := why_lost(self.judged, each)) is not None
        ]

    @cached_property
    def log(self) -> list[Line]:
        """The last lines of the log, the latest first; of what came since it was judged none."""
        opened = {each.file: each.opens_at for each in self.judged.files}
        handed = Delivery.objects.filter(slot__session=self.session).order_by("-pk")
        lines = [
            Line(moment, name, _("Handed out"), _after(moment, opened.get(name)), "quiet")
            for moment, name in handed.values_list("at", "slot__name")[:LOGGED]
        ]
        judged = self.session.log.filter(number__lt=len(self.judged.reasons))
        events = judged.order_by("-number").defer("body")[:LOGGED]
        lines += [
            _line(event, self.judged.reasons[event.number] is None, opened) for event in events
        ]
        return sorted(lines, key=lambda line: line.at, reverse=True)[:LOGGED]

    @cached_property
    def decided(self) -> list[Annulment]:
        """What organisers decided of the solution, the latest first; taken back ones too."""
        return [] if self.is_live else list(self.session.annulments.order_by("-pk"))

    @cached_property
    def excluded_because(self) -> str:
        """Why the session's team takes part no more."""
        return exclusions_of([self.session.participant_id]).get(self.session.participant_id, "")

    @property
    def _is_apart(self) -> bool:
        """Whether organisers annulled the solution or excluded its team, and it is so still."""
        is_annulled = any(each.lifted_at is None for each in self.decided)
        return is_annulled or bool(self.excluded_because)

    @cached_property
    def outages(self) -> list[Hit]:
        """When no gateway answered while the session was open, and which files it hit."""
        found = outages_in(self.session.opened_at, self.closed_at or self.now, self.now)
        return [Hit(outage, self._hit_by(outage)) for outage in found]

    def _hit_by(self, outage: Outage) -> list[FileVerdict]:
        began, ended = moment_of(outage.began_at), moment_of(outage.ended_at)
        if self.judged.closed_at is not None:
            ended = min(ended, self.judged.closed_at)
        return [
            each
            for each in self.judged.files
            if each.opens_at is not None
            and each.due_at is not None
            and each.opens_at < ended
            and min(each.due_at, self._answered.get(each.file, each.due_at)) > began
        ]

    @cached_property
    def _answered(self) -> dict[str, int]:
        """When the first answer to a file was accepted, by the file."""
        sends = accepted_sends().filter(session=self.session).order_by()
        first = sends.values("named").annotate(first=Min("at"))
        return {name: moment_of(at) for name, at in first.values_list("named", "first")}


def _line(event: SessionEvent, has_effect: bool, opened: dict[str, int | None]) -> Line:
    if event.what != SessionEvent.What.SEND:
        kind = "bad" if event.what == SessionEvent.What.DISCONNECT else ""
        return Line(event.at, "", str(SessionEvent.What(event.what).label).capitalize(), None, kind)
    after = _after(event.at, opened.get(event.named))
    found = [each for each in event.found() if has_effect or each.blocks]
    words = _("Not accepted: %s") % event.why_in_words()
    if has_effect:
        words = joined([_("Answer accepted"), *(sentence_of(each, _) for each in found[:1])])
    kind = "" if has_effect else "bad"
    return Line(event.at, event.named, words, after, kind, event.number, found[1:])


def _after(moment: datetime, opened: int | None) -> float | None:
    return None if opened is None else max(0, moment_of(moment) - opened) / SECOND
