"""Sessions as JSON: a case of ``razbor session --jsonl``, the log for download, and the answer.

Both have the same keys. Times of a case are seconds, those of a log moments as ISO 8601; of a case
the finest decimal is the unit, so that nothing is rounded; of a log a microsecond.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any, Final

from contest.core.errors import SessionCaseError
from contest.core.session_fields import count, decimals_of, seconds, share
from contest.core.session_rules import (
    Content,
    Event,
    FileVerdict,
    Judgement,
    Pace,
    Rules,
    What,
)
from contest.core.timeline import judge
from web.core.json_values import items, object_with, one_of, refuse_others, string

FINAL: Final[Mapping[str, Any]] = {
    "pace": "schedule",
    "start": None,
    "interval": 60,
    "limit": 60,
    "window": 120,
    "sends": 10,
    "share": 0.05,
    "linger": None,
    "lost": 900,
}
"""The rules of a final; a case says what differs."""
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND: Final = timedelta(microseconds=1)
NEVER: Final = 10**30
"""Later than all that falls due, in whatever unit."""

Moment = Callable[[Any, str], int]
"""A time of a case and its place -> the unit."""
Told = Callable[[int | None], Any]


@dataclass(frozen=True, slots=True)
class Case:
    """What is judged, and how a moment and a span of it are written.

    ``is_rehearsal``: whether a log says that what comes of it counts nowhere.
    """

    rules: Rules
    files: tuple[str, ...]
    events: tuple[Event, ...]
    until: int
    moment: Told
    span: Told
    is_rehearsal: bool = False

    def judged(self) -> Judgement:
        return judge(self.rules, self.files, self.events, self.until)

    def closes_at(self) -> int | None:
        """When the session ends if nothing more is said; ``None`` where nobody opened it."""
        return judge(self.rules, self.files, self.events, NEVER).closed_at


def case_from_json(found: Mapping[str, Any]) -> Case:
    """A case whose times are seconds. Raises ``SessionCaseError``."""
    object_with(found, ("files", "events", "until"))
    scale = 10 ** _decimals(found)

    def read(value: Any, path: str) -> int:
        return int(seconds(value, path) * scale)

    def told(moment: int | None) -> int | float | None:
        return None if moment is None else _number(moment, scale)

    return _case(found, read, read, told, told)


def log_from_json(found: Mapping[str, Any]) -> Case:
    """A session's log, as the platform offers it. Raises ``SessionCaseError``."""
    object_with(found, ("files", "events", "until"))

    def told(moment: int | None) -> str | None:
        return None if moment is None else iso(moment)

    case = _case(found, _iso_moment, _log_span, told, _span_of)
    return replace(case, is_rehearsal=found.get("rehearsal") is True)


def rules_from_log(found: Mapping[str, Any]) -> Rules:
    """The rules of a log, spans and moments in microseconds. Raises ``SessionCaseError``."""
    return _rules(found, _iso_moment, _log_span)


def iso(moment: int) -> str:
    """Microseconds since 1970 as ISO 8601 with whole microseconds."""
    return (EPOCH + moment * MICROSECOND).isoformat(timespec="microseconds")


def judgement_to_json(case: Case, judged: Judgement) -> dict[str, Any]:
    """The answer to a case; times are written as the case writes them."""
    return {
        "session": {
            "state": judged.state.value,
            "opened_at": case.moment(judged.opened_at),
            "closed_at": case.moment(judged.closed_at),
        },
        "files": [_file_to_json(case, each) for each in judged.files],
        "events": [each.value if each else None for each in judged.reasons],
        "annulled": judged.annulled,
        "share": judged.share,
        "solution": judged.solution.value if judged.solution else None,
    }


def _file_to_json(case: Case, each: FileVerdict) -> dict[str, Any]:
    return {
        "file": each.file,
        "opens_at": case.moment(each.opens_at),
        "due_at": case.moment(each.due_at),
        "verdict": each.verdict.value,
        "reason": each.reason.value if each.reason else None,
        "answer": each.answer,
        "sends": each.sends,
        "response": case.span(each.response),
    }


def _case(
    found: Mapping[str, Any],
    moment: Moment,
    span: Moment,
    moment_told: Told,
    span_told: Told,
) -> Case:
    return Case(
        _rules(found.get("rules", {}), moment, span),
        _files(found["files"]),
        _events(found["events"], moment),
        moment(found["until"], "until"),
        moment_told,
        span_told,
    )


def _rules(found: Any, moment: Moment, span: Moment) -> Rules:
    object_with(found, (), "rules")
    refuse_others(found, FINAL, "rules")
    said = {**FINAL, **found}

    def length(name: str, *, may_be_nothing: bool = True) -> int:
        path = f"rules.{name}"
        length = span(said[name], path)
        if length < 0:
            raise SessionCaseError("negative", path)
        if length == 0 and not may_be_nothing:
            raise SessionCaseError("not-positive", path)
        return length

    return Rules(
        pace=one_of(Pace, said["pace"], "rules.pace"),
        start=None if said["start"] is None else moment(said["start"], "rules.start"),
        interval=length("interval", may_be_nothing=False),
        limit=length("limit", may_be_nothing=False),
        window=None if said["window"] is None else length("window"),
        sends=count(said["sends"], "rules.sends"),
        share=None if said["share"] is None else share(said["share"], "rules.share"),
        linger=None if said["linger"] is None else length("linger"),
        lost=length("lost"),
    )


def _files(found: Any) -> tuple[str, ...]:
    if not items(found, "files"):
        raise SessionCaseError("no-files", "files")
    seen: set[str] = set()
    for index, each in enumerate(found):
        name = string(each, f"files[{index}]")
        if name in seen:
            raise SessionCaseError("file-twice", f"files[{index}]", name=name)
        seen.add(name)
    return tuple(found)


def _events(found: Any, moment: Moment) -> tuple[Event, ...]:
    events: list[Event] = []
    for index, each in enumerate(items(found, "events")):
        event = _event(each, f"events[{index}]", moment)
        if events and event.moment < events[-1].moment:
            raise SessionCaseError("descending", f"events[{index}].t")
        events.append(event)
    return tuple(events)


def _event(found: Any, path: str, moment: Moment) -> Event:
    object_with(found, ("t", "type"), path)
    at = moment(found["t"], f"{path}.t")
    what = one_of(What, found["type"], f"{path}.type")
    if what is not What.SEND:
        refuse_others(found, {"t", "type"}, path)
        return Event(at, what)
    refuse_others(found, {"t", "type", "file", "content", "key"}, path)
    object_with(found, ("file", "content"), path)
    return Event(
        at,
        what,
        string(found["file"], f"{path}.file"),
        one_of(Content, found["content"], f"{path}.content"),
        None if found.get("key") is None else string(found["key"], f"{path}.key"),
    )


def _decimals(found: Mapping[str, Any]) -> int:
    """The decimals of the finest number of a case that may be a time."""
    rules, events = found.get("rules"), found["events"]
    said = [*rules.values()] if isinstance(rules, Mapping) else []
    listed = events if isinstance(events, list) else []
    told = [each.get("t") for each in listed if isinstance(each, Mapping)]
    numbers = [each for each in (*said, *told, found["until"]) if isinstance(each, float)]
    return max((decimals_of(Decimal(repr(each))) for each in numbers), default=0)


def _number(moment: int, scale: int) -> int | float:
    whole, rest = divmod(moment, scale)
    return whole if not rest else moment / scale


def _span_of(span: int | None) -> int | float | None:
    return None if span is None else _number(span, 1_000_000)


def _log_span(value: Any, path: str) -> int:
    return int(seconds(value, path) * 1_000_000)


def _iso_moment(value: Any, path: str) -> int:
    try:
        moment = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        raise SessionCaseError("not-an-iso-moment", path) from None
    if moment.tzinfo is None:
        raise SessionCaseError("not-an-iso-moment", path)
    return (moment - EPOCH) // MICROSECOND
