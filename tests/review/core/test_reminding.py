"""Which reminder of a deadline is due: the latest one only."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from review.core.reminding import AT, BEFORE, Schedule, windows

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
WHOLE = Schedule(before=24 * HOUR, at=True, every=2 * DAY, times=2)

schedules = st.builds(
    Schedule,
    before=st.none() | st.integers(1, 100).map(lambda n: n * HOUR),
    at=st.booleans(),
    every=st.none() | st.integers(1, 9).map(lambda n: n * DAY),
    times=st.integers(0, 5),
)
hours = st.integers(-2000, 2000).map(lambda n: n * HOUR)


def due(schedule, deadline, now=NOW):
    """The steps a deadline has due."""
    return [
        window.step
        for window in windows(schedule, now)
        if deadline <= window.until and (window.after is None or deadline > window.after)
    ]


def test_before_at_and_every_few_days_after_a_deadline():
    passed = [-25, -24, -1, 0, 1, 47, 48, 95, 96, 500]
    assert [due(WHOLE, NOW - hour * HOUR) for hour in passed] == [
        [],
        [BEFORE],
        [BEFORE],
        [AT],
        [AT],
        [AT],
        [AT + 1],
        [AT + 1],
        [AT + 2],
        [AT + 2],
    ]


def test_nothing_is_due_where_nothing_is_said():
    assert windows(Schedule(), NOW) == ()


@given(schedules, hours)
def test_one_reminder_at_most_is_due(schedule, left):
    assert len(due(schedule, NOW + left)) <= 1


@given(schedules, hours, st.integers(1, 500))
def test_steps_only_go_forward(schedule, left, later):
    before = due(schedule, NOW + left) or [-1]
    after = due(schedule, NOW + left, NOW + later * HOUR)
    assert not after or before <= after
