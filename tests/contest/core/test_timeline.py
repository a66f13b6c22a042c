"""Sessions are judged as docs/rules/sessions.md says, whoever asks and whenever."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contest.core.session_json import case_from_json, iso, judgement_to_json, log_from_json
from contest.core.session_rules import Content, Event, Pace, Rules, Verdict, What
from contest.core.timeline import Timeline, judge
from tests.contest.core.slow_clock import judged_slowly

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "golden/session.jsonl").read_text().splitlines()
]
FILES = ("0101", "0102", "0103")
FINAL = {"verdicts": (Verdict.COUNTED, Verdict.ANNULLED)}
LATEST = 40
SECOND = 1_000_000


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_worked_session_is_judged_as_written(case):
    read = case_from_json(case)

    assert judgement_to_json(read, read.judged()) == case["expect"]


@st.composite
def rules(draw):
    """Rules of small spans, so that limits meet."""
    pace = draw(st.sampled_from(Pace))
    few = st.integers(1, 8)
    return Rules(
        pace=pace,
        start=draw(st.none() | st.integers(0, 12)) if pace is Pace.SCHEDULE else None,
        interval=draw(few),
        limit=draw(few),
        window=draw(st.none() | st.integers(0, 6)),
        sends=draw(st.integers(1, 3)),
        share=draw(st.none() | st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(1, 2)])),
        linger=draw(st.none() | st.integers(0, 9)),
        lost=draw(st.integers(0, 9)),
    )


@st.composite
def timelines(draw):
    """Rules, files and events that ascend; most begin with an opening."""
    events = draw(
        st.lists(
            st.builds(
                Event,
                st.integers(0, LATEST),
                st.sampled_from([*What, What.SEND, What.SEND, What.SEND, What.ASK, What.ASK]),
                st.sampled_from([*FILES, "9999"]),
                st.sampled_from([Content.VALID, Content.VALID, *Content]),
                st.none() | st.sampled_from("ab"),
            ),
            max_size=14,
        )
    )
    events.append(Event(draw(st.integers(0, 14)), What.OPEN))
    count = draw(st.integers(1, len(FILES)))
    ordered = tuple(sorted(events, key=lambda event: event.moment))
    return draw(rules()), FILES[:count], ordered


def written(rules, files, events, until):
    """A judgement as plain values."""
    found = judge(rules, files, events, until)
    return {
        "session": {
            "state": found.state,
            "opened_at": found.opened_at,
            "closed_at": found.closed_at,
        },
        "files": [{name: getattr(each, name) for name in each.__slots__} for each in found.files],
        "events": list(found.reasons),
        "annulled": found.annulled,
        "share": found.share,
        "solution": found.solution,
    }


@given(timelines(), st.integers(0, LATEST + 12))
def test_the_slow_clock_judges_the_same(timeline, until):
    rules, files, events = timeline

    expected = judged_slowly(rules, files, events, until)

    assert written(rules, files, events, until) == expected


@given(timelines(), st.integers(0, LATEST), st.integers(0, LATEST))
def test_a_later_moment_never_takes_back_a_verdict_or_an_answer(timeline, one, other):
    earlier, later = (judge(*timeline, until) for until in sorted((one, other)))

    for before, after in zip(earlier.files, later.files, strict=True):
        if before.verdict in FINAL["verdicts"]:
            assert after.verdict is before.verdict
            assert after.reason is before.reason or before.reason is not None
        assert after.sends >= before.sends
    if earlier.closed_at is not None:
        assert (later.state, later.closed_at, later.files) == (
            earlier.state,
            earlier.closed_at,
            earlier.files,
        )


@given(timelines(), st.integers(0, LATEST), st.data())
def test_what_is_appended_never_uncounts_what_was_judged(timeline, until, data):
    rules, files, events = timeline
    told = [event for event in events if event.moment <= until]
    more = data.draw(st.sampled_from([*What]))
    appended = [*told, Event(until + 1, more, files[0], Content.BROKEN, "new")]

    before, after = judge(rules, files, told, until), judge(rules, files, appended, until + 1)

    assert after.reasons[: len(told)] == before.reasons
    for old, new in zip(before.files, after.files, strict=True):
        if old.verdict is Verdict.COUNTED:
            assert new == old
        if old.verdict is Verdict.ANNULLED:
            assert new.verdict is Verdict.ANNULLED


@given(timelines(), st.integers(0, 14), st.integers(0, LATEST), st.integers(0, LATEST))
def test_a_timeline_that_may_go_on_goes_on_as_one_that_is_told_anew(timeline, split, asked, next_):
    rules, files, events = timeline
    told, later = events[:split], [each for each in events[split:] if each.moment >= next_]
    known = Timeline(rules, files)
    reasons = [known.take(event) for event in told]
    known.judgement(asked)

    assert not known.may_go_on(len(told) - 1, LATEST + 99)
    if known.may_go_on(len(told), next_):
        reasons += [known.take(event) for event in later]
        anew = judge(rules, files, [*told, *later], LATEST + 12)
        assert known.judgement(LATEST + 12, reasons) == anew


def as_log(rules, files, events, until):
    """A timeline as the platform offers its log for download."""
    spans = ("interval", "limit", "window", "linger", "lost")
    kept = {name: getattr(rules, name) for name in spans}
    kept |= {"pace": rules.pace.value, "sends": rules.sends}
    kept["start"] = None if rules.start is None else iso(rules.start * SECOND)
    kept["share"] = None if rules.share is None else float(rules.share)
    return {
        "rules": kept,
        "files": list(files),
        "events": [event_as_logged(event) for event in events],
        "until": iso(until * SECOND),
    }


def event_as_logged(event):
    told = {"t": iso(event.moment * SECOND), "type": event.what.value}
    if event.what is not What.SEND:
        return told
    sent = {"file": event.file, "content": event.content.value}
    return told | sent | ({} if event.key is None else {"key": event.key})


@given(timelines(), st.integers(0, LATEST))
def test_a_log_that_is_replayed_gives_the_same_bytes_and_the_verdicts_of_its_session(
    timeline, until
):
    log = json.dumps(as_log(*timeline, until))

    def replayed():
        read = log_from_json(json.loads(log))
        return json.dumps(judgement_to_json(read, read.judged())).encode()

    assert replayed() == replayed()
    session = judge(*timeline, until)
    assert [(each["verdict"], each["answer"]) for each in json.loads(replayed())["files"]] == [
        (each.verdict.value, each.answer) for each in session.files
    ]


@given(timelines(), st.integers(1, 1000), st.integers(0, LATEST))
def test_a_finer_unit_changes_no_verdict(timeline, scale, until):
    rules, files, events = timeline
    spans = {
        name: None if getattr(rules, name) is None else getattr(rules, name) * scale
        for name in ("start", "interval", "limit", "window", "linger", "lost")
    }
    finer = [replace(event, moment=event.moment * scale) for event in events]

    found = judge(replace(rules, **spans), files, finer, until * scale)

    coarse = judge(rules, files, events, until)
    assert [(each.verdict, each.reason, each.answer) for each in found.files] == [
        (each.verdict, each.reason, each.answer) for each in coarse.files
    ]


def steps_of(count, sends):
    """How many lines of the timeline run for so many files and sends a file."""
    rules = Rules(Pace.SCHEDULE, 0, 60, 60, None, 10, Fraction(1, 20), None, 900)
    files = [f"{number:07d}" for number in range(count)]
    events = [Event(0, What.OPEN)] + [
        Event(60 * number + send, What.SEND, name, Content.VALID, f"{name}-{send}")
        for number, name in enumerate(files)
        for send in range(sends)
    ]
    lines = 0

    def trace(frame, event, _argument):
        nonlocal lines
        if "contest/core" not in frame.f_code.co_filename:
            return None
        lines += event == "line"
        return trace

    former = sys.gettrace()
    sys.settrace(trace)
    try:
        judge(rules, files, events, 60 * count)
    finally:
        sys.settrace(former)
    return lines


def test_the_cost_is_linear_in_files_and_in_sends():
    base = steps_of(20, 5)

    assert steps_of(80, 5) <= 4.2 * base
    assert steps_of(20, 20) <= 4.2 * base
