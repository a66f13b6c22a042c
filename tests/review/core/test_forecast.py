from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.core.forecast import DAYS, LEAST, Forecast, Pace, forecast

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def ago(days):
    return NOW - timedelta(days=days)


@pytest.mark.parametrize(
    ("pace", "expected"),
    [
        (Pace(70, ago(7), 20, NOW), Forecast(10, NOW + timedelta(days=2))),
        (Pace(70, ago(6.9), 0, NOW), None),
        (Pace(LEAST - 1, ago(3), 20, NOW), None),
        (Pace(0, None, 20, NOW), None),
        (Pace(10, ago(2), 20, NOW), Forecast(5, NOW + timedelta(days=4))),
        (Pace(10, ago(0.01), 20, NOW), Forecast(10, NOW + timedelta(days=2))),
    ],
    ids=["a week", "nothing left", "too few", "none", "since two days", "since an hour"],
)
def test_a_forecast(pace, expected):
    assert forecast(pace) == expected


@given(st.integers(LEAST, 10**6), st.floats(0, DAYS), st.integers(1, 10**6), st.integers(1, 100))
def test_more_to_do_ends_later_and_more_done_ends_sooner(recent, days, left, more):
    usual = forecast(Pace(recent, ago(days), left, NOW))
    longer = forecast(Pace(recent, ago(days), left + more, NOW))
    faster = forecast(Pace(recent + more, ago(days), left, NOW))

    assert faster.ends_at <= usual.ends_at <= longer.ends_at
