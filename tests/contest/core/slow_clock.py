"""The rules of docs/rules/sessions.md once more, moment by moment, to be slow and plain.

Nothing is computed ahead: at each moment files open by the clock, then the events of the moment
come, then what falls due at it. An answer of ``judge`` has to be the same.
"""

from __future__ import annotations


class SlowClock:
    """A session whose moments are small whole numbers."""

    def __init__(self, rules, files):
        self.rules, self.files = rules, files
        self.by_clock = rules.pace == "schedule"
        self.start = rules.start if self.by_clock else None
        self.state, self.opened, self.closed = "none", None, None
        self.opens, self.first_answer, self.answer = {}, {}, {}
        self.accepted = dict.fromkeys(files, 0)
        self.late, self.refused, self.keys = set(), set(), set()
        self.passed = {}
        self.lost_since = None

    # what happens

    def happen(self, event, index):
        if event.what == "open":
            return self.open(event.moment)
        if self.opened is None:
            return "no-session"
        if event.what == "send":
            return self.send(event, index)
        if self.closed is not None:
            return "ended"
        return getattr(self, event.what)(event.moment)

    def open(self, now):
        if self.opened is not None:
            return "already-open" if self.closed is None else "ended"
        window = self.rules.window
        if self.start is not None and window is not None and now > self.start + window:
            self.state = "refused"
            return "too-late"
        self.state, self.opened = "open", now
        self.clock(now)
        return None

    def ask(self, now):
        if self.by_clock or self.outstanding(now):
            return None
        if not self.unopened():
            return "nothing-left"
        self.opens[self.unopened()[0]] = now
        return None

    def connect(self, _now):
        self.lost_since = None

    def disconnect(self, now):
        if self.lost_since is None:
            self.lost_since = now

    def abort(self, now):
        self.end("aborted", now)

    def stop(self, now):
        self.end("stopped", now)

    def send(self, event, index):
        if event.key is not None and event.key in self.keys:
            return "repeated"
        self.keys.add(event.key)
        if self.closed is not None:
            return "closed"
        if event.file not in self.opens:
            return "not-open"
        if event.content != "valid":
            self.refused.add((event.file, event.content))
            return str(event.content)
        return self.send_markup(event.file, index, event.moment)

    def send_markup(self, file, index, now):
        if now > self.opens[file] + self.rules.limit:
            self.late.add(file)
            self.done(now)
            return "late"
        if self.accepted[file] >= self.rules.sends:
            return "over-limit"
        self.accepted[file] += 1
        self.answer[file] = (index, now)
        self.first_answer.setdefault(file, now)
        self.done(now)
        return None

    # what falls due

    def clock(self, now):
        first = self.first_opening()
        if self.by_clock and first is not None:
            for number, file in enumerate(self.files):
                if first + number * self.rules.interval == now:
                    self.opens[file] = now

    def falls_due(self, now):
        if self.opened is None or self.closed is not None:
            return
        if not self.by_clock and self.unopened() and not self.outstanding(now + 1):
            self.pass_over(now)
        if self.closed is None:
            self.end_by_itself(now)

    def pass_over(self, now):
        if now == self.free_since() + self.rules.limit:
            self.passed[self.unopened()[0]] = now
            self.done(now)

    def end_by_itself(self, now):
        if len(self.opens) + len(self.passed) == len(self.files):
            last = max([*self.opens.values(), *self.passed.values()])
            final = self.files[-1]
            over = last if final in self.passed else self.opens[final] + self.rules.limit
            if self.rules.linger is None and now >= over:
                return self.end("finished", now)
            if self.rules.linger is not None and now >= last + self.rules.linger:
                return self.end("timeout", now)
        if self.lost_since is not None and now >= self.lost_since + self.rules.lost:
            self.end("lost", now)
        return None

    def done(self, now):
        settled = {*self.passed, *self.late, *self.first_answer}
        if self.rules.linger is not None and settled == {*self.files}:
            self.end("finished", now)

    def end(self, how, now):
        self.state, self.closed = how, now

    # what is known

    def first_opening(self):
        return self.opened if self.start is None else self.start

    def outstanding(self, now):
        return [
            file
            for file, opened in self.opens.items()
            if file not in self.first_answer and now <= opened + self.rules.limit
        ]

    def unopened(self):
        return [file for file in self.files if file not in self.opens and file not in self.passed]

    def free_since(self):
        """Since when the next file may be asked for."""
        ends = [
            min(opened + self.rules.limit, self.first_answer.get(file, opened + self.rules.limit))
            for file, opened in self.opens.items()
        ]
        return max([self.opened, *ends, *self.passed.values()])

    # what is told

    def file(self, number, until):
        name = self.files[number]
        opens = self.opens.get(name)
        if self.by_clock and self.first_opening() is not None:
            opens = self.first_opening() + number * self.rules.interval
        due = None if opens is None else opens + self.rules.limit
        index, when = self.answer.get(name, (None, None))
        verdict, reason = self.verdict(name, opens, due, until)
        return {
            "file": name,
            "opens_at": opens,
            "due_at": due,
            "verdict": verdict,
            "reason": reason,
            "answer": index,
            "sends": self.accepted[name],
            "response": None if when is None else when - opens,
            "refused": {content for file, content in self.refused if file == name},
        }

    def verdict(self, name, opens, due, until):
        if name in self.answer:
            return "counted", None
        if self.closed is None and name not in self.passed:
            if opens is None or until < opens:
                return "waiting", None
            if until < due:
                return "open", None
        nobody = self.opened is None or (due is not None and self.opened > due)
        reasons = (
            ("not-requested", name in self.passed or nobody),
            ("late", name in self.late),
            ("rejected", name in {file for file, _content in self.refused}),
            ("missing", True),
        )
        return "annulled", next(reason for reason, holds in reasons if holds)

    def solution(self, files, annulled):
        undecided = any(each["verdict"] in ("waiting", "open") for each in files)
        if self.rules.share is None or undecided:
            return None
        return "annulled" if annulled > self.rules.share * len(files) else "stands"


def judged_slowly(rules, files, events, until):
    """A judgement as a plain dict."""
    session = SlowClock(rules, files)
    reasons = [None] * len(events)
    for now in range(until + 1):
        session.clock(now)
        for index, event in enumerate(events):
            if event.moment == now:
                reasons[index] = session.happen(event, index)
        session.falls_due(now)
    told = [session.file(number, until) for number in range(len(files))]
    annulled = sum(each["verdict"] == "annulled" for each in told)
    is_early = session.state == "open" and session.start is not None and until < session.start
    return {
        "session": {
            "state": "waiting" if is_early else session.state,
            "opened_at": session.opened,
            "closed_at": session.closed,
        },
        "files": told,
        "events": reasons,
        "annulled": annulled,
        "share": annulled / len(files),
        "solution": session.solution(told, annulled),
    }
