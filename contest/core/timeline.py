"""How a session is judged (sessions.md 1 to 8): rules, files and events in, verdicts out.

The live session, its report and ``razbor session`` are judged here, so that a participant can have
a session judged again from its log. The cost is linear in files and events.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction

from contest.core.session_rules import (
    Annulled,
    Content,
    Event,
    FileVerdict,
    Ineffective,
    Judgement,
    Pace,
    Rules,
    Solution,
    State,
    Verdict,
    What,
)

MISMATCHED = {Content.FOREIGN: Ineffective.FOREIGN, Content.BROKEN: Ineffective.BROKEN}


def judge(rules: Rules, files: Sequence[str], events: Iterable[Event], until: int) -> Judgement:
    """The session as of ``until``, its events and what falls due at it included.

    Events ascend in time; those after ``until`` are not looked at. Files have different names.
    """
    timeline = Timeline(rules, files)
    told = list(events)
    seen = [timeline.take(event) for event in told if event.moment <= until]
    return timeline.judgement(until, (*seen, *[None] * (len(told) - len(seen))))


def refusal(
    *, content: Content, moment: int, due_at: int, accepted: int, sends: int
) -> Ineffective | None:
    """Why an answer to a file that has opened does not count, if it does not (sessions.md 4)."""
    if content is not Content.VALID:
        return MISMATCHED[content]
    if moment > due_at:
        return Ineffective.LATE
    return Ineffective.OVER_LIMIT if accepted >= sends else None


class _File:
    """What has happened to a file so far."""

    __slots__ = (
        "accepted",
        "answer",
        "answered_at",
        "late",
        "name",
        "opens_at",
        "passed",
        "refused",
    )

    def __init__(self, name: str) -> None:
        self.name = name
        self.opens_at: int | None = None
        self.answer: int | None = None
        self.answered_at = 0
        self.accepted = 0
        self.late = self.passed = False
        self.refused: frozenset[Content] = frozenset()


class Timeline:
    """A session told event by event: ``take`` each, then ask for the ``judgement``."""

    def __init__(self, rules: Rules, files: Sequence[str]) -> None:
        self.rules = rules
        self.files = [_File(name) for name in files]
        self._numbers = {name: number for number, name in enumerate(files)}
        self._by_clock = rules.pace is Pace.SCHEDULE
        self._taken = 0
        self._fell_due_at = -1
        """The moment of what happened last by itself."""
        self._keys: set[Hashable] = set()
        self.opened_at: int | None = None
        self.closed_at: int | None = None
        self._state = State.NONE
        self._lost_at: int | None = None
        self._settled = 0
        """So many files were passed over or have an accepted or a late send."""
        self._next = 0
        """The first file that neither opened nor was passed over (pace ``asked``)."""
        self._outstanding: _File | None = None
        self._free_at = 0
        """Since when the next file may be asked for, while none is outstanding."""
        if self._by_clock and rules.start is not None:
            self._schedule(rules.start)

    def take(self, event: Event) -> Ineffective | None:
        """Why the event has no effect, or ``None``. Events come in their order."""
        self._settle(before=event.moment)
        index, self._taken = self._taken, self._taken + 1
        if event.what is What.OPEN:
            return self._open(event.moment)
        if self.opened_at is None:
            return Ineffective.NO_SESSION
        if event.what is What.SEND:
            return self._send(event, index)
        if self.closed_at is not None:
            return Ineffective.ENDED
        return self._steps[event.what](self, event.moment)

    def knows(self, key: Hashable) -> bool:
        """Whether a send of the session bore this key."""
        return key in self._keys

    def know(self, key: Hashable) -> None:
        """The send that was taken last bears this key after all: none to come may bear it."""
        self._keys.add(key)

    def judgement(self, until: int, reasons: Sequence[Ineffective | None] = ()) -> Judgement:
        """The session as of ``until``; all events up to it have been taken."""
        self._settle(before=until + 1)
        verdicts = tuple(self._verdict(each, until) for each in self.files)
        annulled = sum(each.verdict is Verdict.ANNULLED for each in verdicts)
        return Judgement(
            self.state_at(until),
            self.opened_at,
            self.closed_at,
            verdicts,
            tuple(reasons),
            annulled,
            self._solution(verdicts, annulled),
        )

    def falls_due(self, after: int) -> int | None:
        """When the session or a verdict changes by itself next, later than ``after``.

        ``None``: by itself not any more. To be asked after the ``judgement`` as of ``after``.
        """
        if self.opened_at is None or self.closed_at is not None:
            return None
        first = self.files[0].opens_at if self._by_clock else None
        moments = [first, self._file_due(), self._end_due()[0]]
        moments += [
            each.opens_at + self.rules.limit
            for each in self.files
            if self._by_clock and each.opens_at is not None and each.answer is None
        ]
        return min((each for each in moments if each is not None and each > after), default=None)

    def outstanding(self, moment: int) -> str | None:
        """The file that was asked for and waits for its answer at ``moment`` (sessions.md 2).

        Its last moment included; ``None`` for pace ``schedule``. No event is later than that.
        """
        self._settle(before=moment)
        is_over = self.closed_at is not None or self._outstanding is None
        return None if is_over or self._outstanding is None else self._outstanding.name

    def may_go_on(self, events: int, moment: int) -> bool:
        """True when it was told no more than so many events, and all it was asked of later moments
        changed nothing: as one that is told anew it goes on, if no event to come is earlier.
        """
        return self._taken <= events and self._fell_due_at < moment

    def accepted(self, file: str) -> int | None:
        """How many answers to a file were accepted; ``None`` where there is no such file."""
        number = self._numbers.get(file)
        return None if number is None else self.files[number].accepted

    def has_opened(self, file: str, moment: int) -> bool:
        """Whether a file opened in the session by ``moment``, to be asked after events up to it."""
        number = self._numbers.get(file)
        opens_at = None if number is None else self.files[number].opens_at
        if opens_at is None or self.opened_at is None:
            return False
        return opens_at <= (moment if self.closed_at is None else min(moment, self.closed_at))

    def opens_after(self, moment: int) -> int | None:
        """When the next file opens by the clock; ``None`` where none does, or it is asked for."""
        later = (each.opens_at for each in self.files if each.opens_at and each.opens_at > moment)
        return min(later, default=None)

    def has_ended(self, moment: int) -> bool:
        """True when an event at ``moment`` finds the session ended. No event is later than that."""
        self._settle(before=moment)
        return self.closed_at is not None

    def verdicts(self, moment: int) -> tuple[FileVerdict, ...]:
        """What is known of the files at ``moment``, before anything falls due at it."""
        self._settle(before=moment)
        return tuple(self._verdict(each, moment) for each in self.files)

    def _schedule(self, start: int) -> None:
        for number, each in enumerate(self.files):
            each.opens_at = start + number * self.rules.interval

    def _open(self, moment: int) -> Ineffective | None:
        if self.closed_at is not None:
            return Ineffective.ENDED
        if self.opened_at is not None:
            return Ineffective.ALREADY_OPEN
        latest = self.rules.latest_opening
        if latest is not None and moment > latest:
            self._state = State.REFUSED
            return Ineffective.TOO_LATE
        self.opened_at = self._free_at = moment
        self._state = State.OPEN
        if self._by_clock and self.rules.start is None:
            self._schedule(moment)
        return None

    def _ask(self, moment: int) -> Ineffective | None:
        if self._by_clock or self._outstanding:
            return None
        if self._next == len(self.files):
            return Ineffective.NOTHING_LEFT
        self._outstanding = self.files[self._next]
        self._outstanding.opens_at = moment
        self._next += 1
        return None

    def _connect(self, moment: int) -> None:  # noqa: ARG002 - steps are alike
        self._lost_at = None

    def _disconnect(self, moment: int) -> None:
        if self._lost_at is None:
            self._lost_at = moment + self.rules.lost

    def _abort(self, moment: int) -> None:
        self._end(State.ABORTED, moment)

    def _stop(self, moment: int) -> None:
        self._end(State.STOPPED, moment)

    _steps = {
        What.ASK: _ask,
        What.CONNECT: _connect,
        What.DISCONNECT: _disconnect,
        What.ABORT: _abort,
        What.STOP: _stop,
    }

    def _send(self, event: Event, index: int) -> Ineffective | None:
        if event.key is not None:
            if event.key in self._keys:
                return Ineffective.REPEATED
            self._keys.add(event.key)
        if self.closed_at is not None:
            return Ineffective.CLOSED
        number = self._numbers.get(event.file)
        found = None if number is None else self.files[number]
        if found is None or found.opens_at is None or found.opens_at > event.moment:
            return Ineffective.NOT_OPEN
        reason = refusal(
            content=event.content,
            moment=event.moment,
            due_at=found.opens_at + self.rules.limit,
            accepted=found.accepted,
            sends=self.rules.sends,
        )
        self._remember(found, event, index, reason)
        return reason

    def _remember(self, found: _File, event: Event, index: int, reason: Ineffective | None) -> None:
        """What a send that reached its file means for it, and for the session."""
        if event.content is not Content.VALID:
            found.refused |= {event.content}
            return
        is_first = not found.accepted and not found.late
        if reason is None:
            found.accepted += 1
            found.answer, found.answered_at = index, event.moment
            if found is self._outstanding:
                self._outstanding, self._free_at = None, event.moment
        elif reason is Ineffective.LATE:
            found.late = True
        if is_first:
            self._file_done(event.moment)

    def _file_done(self, moment: int) -> None:
        self._settled += 1
        if self.rules.linger is not None and self._settled == len(self.files):
            self._end(State.FINISHED, moment)

    def _end(self, state: State, moment: int) -> None:
        self._state, self.closed_at = state, moment

    def _settle(self, before: int) -> None:
        """Let all happen that falls due earlier than ``before``, in its order."""
        while self.opened_at is not None and self.closed_at is None:
            turn = self._file_due()
            end, state = self._end_due()
            if turn is not None and turn < before and (end is None or turn <= end):
                self._turn(turn)
                self._fell_due_at = turn
            elif end is not None and end < before:
                self._end(state, end)
                self._fell_due_at = end
            else:
                return

    def _file_due(self) -> int | None:
        """When a file that was asked for falls due, or one that was not is passed over."""
        if self._by_clock:
            return None
        if self._outstanding and self._outstanding.opens_at is not None:
            return self._outstanding.opens_at + self.rules.limit
        return self._free_at + self.rules.limit if self._next < len(self.files) else None

    def _turn(self, moment: int) -> None:
        """The outstanding file falls due, or the next one is passed over."""
        self._free_at = moment
        if self._outstanding:
            self._outstanding = None
            return
        self.files[self._next].passed = True
        self._next += 1
        self._file_done(moment)

    def _end_due(self) -> tuple[int | None, State]:
        """When the session ends by itself, and how; of one moment the first of sessions.md 7."""
        ends = []
        last = self._last_opening()
        if last is not None:
            if self.rules.linger is not None:
                ends.append((last + self.rules.linger, State.TIMEOUT))
            else:
                is_passed = self.files[-1].passed
                ends.append((last if is_passed else last + self.rules.limit, State.FINISHED))
        if self._lost_at is not None:
            ends.append((self._lost_at, State.LOST))
        if not ends or self.opened_at is None:
            return None, State.OPEN
        moment, state = min(ends, key=lambda each: max(each[0], self.opened_at or 0))
        return max(moment, self.opened_at), state

    def _last_opening(self) -> int | None:
        """When the last file opened or was passed over; ``None`` while that is not known."""
        if self._by_clock:
            return self.files[-1].opens_at
        if self._next < len(self.files):
            return None
        last = self.files[-1]
        return self._free_at if last.passed else last.opens_at

    def state_at(self, until: int) -> State:
        """How the session stands at ``until``, as far as it was told and settled."""
        is_early = self._by_clock and self.rules.start is not None and until < self.rules.start
        return State.WAITING if self._state is State.OPEN and is_early else self._state

    def _verdict(self, file: _File, until: int) -> FileVerdict:
        due = None if file.opens_at is None else file.opens_at + self.rules.limit
        verdict, reason = self._found(file, due, until)
        has_answer = file.answer is not None and file.opens_at is not None
        return FileVerdict(
            file.name,
            file.opens_at,
            due,
            verdict,
            reason,
            file.answer,
            file.accepted,
            file.answered_at - file.opens_at if has_answer and file.opens_at is not None else None,
            file.refused,
        )

    def _found(self, file: _File, due: int | None, until: int) -> tuple[Verdict, Annulled | None]:
        if file.answer is not None:
            return Verdict.COUNTED, None
        if self.closed_at is None and not file.passed:
            if file.opens_at is None or due is None or until < file.opens_at:
                return Verdict.WAITING, None
            if until < due:
                return Verdict.OPEN, None
        return Verdict.ANNULLED, self._why(file, due)

    def _why(self, file: _File, due: int | None) -> Annulled:
        is_unopened = self.opened_at is None or (due is not None and due < self.opened_at)
        if file.passed or is_unopened:
            return Annulled.NOT_REQUESTED
        if file.late:
            return Annulled.LATE
        return Annulled.REJECTED if file.refused else Annulled.MISSING

    def _solution(self, verdicts: Sequence[FileVerdict], annulled: int) -> Solution | None:
        undecided = {Verdict.WAITING, Verdict.OPEN}
        if self.rules.share is None or any(each.verdict in undecided for each in verdicts):
            return None
        is_over = Fraction(annulled, len(verdicts)) > self.rules.share
        return Solution.ANNULLED if is_over else Solution.STANDS
