"""The parameters of a contest: their bounds, what differs (R 2.17); and who speaks next (R 8)."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from contest.core.errors import SessionCaseError
from contest.core.parameter_values import (
    BOUNDS,
    Change,
    changes_between,
    refuse_values,
    session_values,
)
from contest.core.phase_course import Step, next_step, results_due
from review.core.calendar import WorkCalendar
from web.core.errors import JsonValueError

QUALIFYING = ("star_to_qualify", "annulled_to_qualify")


@pytest.mark.parametrize("name", BOUNDS)
@pytest.mark.parametrize("end", [0, 1])
def test_the_ends_are_allowed_and_nothing_beyond_them(name, end):
    beyond = -0.5 if end == 0 else 0.5
    for value, is_refused in ((BOUNDS[name][end], False), (BOUNDS[name][end] + beyond, True)):
        said = dict.fromkeys(QUALIFYING, 0) | {name: value}
        star, annulled = (said.pop(each) for each in QUALIFYING)
        if not is_refused:
            refuse_values(said, star, annulled)
            continue
        with pytest.raises(SessionCaseError) as refused:
            refuse_values(said, star, annulled)
        assert (refused.value.code, refused.value.path) == ("out-of-range", name)


def test_no_other_rule_of_a_session_is_a_parameter():
    with pytest.raises(JsonValueError) as refused:
        refuse_values({"pace": "asked"}, 0, 0)

    assert refused.value.code == "key-unknown"


def test_what_is_left_out_is_the_regulation_s():
    regulation = {"limit": 60, "interval": 60, "sends": 10, "share": 0.05, "window": 120}

    assert session_values({"limit": 30}) == {**regulation, "limit": 30}


def test_only_what_differs_is_a_change():
    assert changes_between({"a": 1, "b": 2}, {"a": 1, "b": 3}) == (Change("b", 2, 3),)


def test_judges_the_commission_and_organisers_speak_in_this_order():
    said = []
    while (step := next_step(said)) is not None:
        said.append(step)

    assert said == [Step.CHECKED, Step.VERIFIED, Step.APPROVED]


def test_results_are_due_at_the_end_of_the_fifth_working_day_in_the_contest_s_zone():
    zone = ZoneInfo("Asia/Yekaterinburg")
    thursday = datetime(2026, 3, 5, 20, tzinfo=UTC)  # Friday there

    due = results_due(WorkCalendar(), thursday, zone).at

    assert due.astimezone(zone) == datetime(2026, 3, 13, 23, 59, tzinfo=zone)
