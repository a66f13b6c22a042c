"""When a final may be (R 7.5, 7.15.2)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from contest.core.run_times import (
    NOTICE,
    RunFault,
    RunSpan,
    is_within_notice,
    run_fault,
    span_of_run,
)

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
TICK = timedelta(microseconds=1)


def at(start, hours=1):
    return RunSpan(start, start + hours * HOUR)


@pytest.mark.parametrize(
    ("start", "is_exempt", "fault"),
    [
        (NOW - HOUR, False, RunFault.PAST),
        (NOW, True, RunFault.PAST),
        (NOW + TICK, True, None),
        (NOW + TICK, False, RunFault.NOTICE),
        (NOW + NOTICE - TICK, False, RunFault.NOTICE),
        (NOW + NOTICE, False, None),
    ],
)
def test_a_final_is_ten_days_ahead_unless_it_is_exempt(start, is_exempt, fault):
    assert run_fault(at(start), [], NOW, is_exempt=is_exempt) is fault


@pytest.mark.parametrize(
    ("hours", "fault"),
    [(-2, None), (-1, None), (-0.5, RunFault.OVERLAP), (0, RunFault.OVERLAP), (1, None)],
)
def test_two_runs_meet_only_where_one_moment_belongs_to_both(hours, fault):
    other = at(NOW + 20 * NOTICE)

    span = at(other.start + hours * HOUR)

    assert run_fault(span, [other], NOW, is_exempt=False) is fault


def test_a_run_lasts_until_the_last_answer_may_come():
    span = span_of_run(NOW, files=3, interval=60, limit=90)

    assert span == RunSpan(NOW, NOW + timedelta(seconds=210))


def test_exactly_ten_days_before_nothing_is_late():
    assert [is_within_notice(NOW + NOTICE + each, NOW) for each in (-TICK, 0 * TICK)] == [
        True,
        False,
    ]
