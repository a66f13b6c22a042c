"""One step of a schedule is lit, whatever the moment."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from contest.core.schedule import Change, Step, Stretch, Turn, lit, next_change

DAY = timedelta(days=1)
START = datetime(2026, 9, 1, tzinfo=UTC)


def day(n):
    return START + n * DAY


LINE = (
    Stretch(Step.ANNOUNCED, day(0), day(0)),
    Stretch(Step.APPLICATIONS, day(5), day(15)),
    Stretch(Step.QUALIFICATION, day(10), day(20)),
    Stretch(Step.FINALS, day(30), day(31)),
    Stretch(Step.MARKING, day(31), day(50)),
    Stretch(Step.RESULTS, None, day(60)),
)
PAST, NOW, BESIDES, AHEAD = Turn.PAST, Turn.NOW, Turn.BESIDES, Turn.AHEAD


@pytest.mark.parametrize(
    ("at", "turns", "waits"),
    [
        (1, [PAST, NOW, AHEAD, AHEAD, AHEAD, AHEAD], True),
        (5, [PAST, NOW, AHEAD, AHEAD, AHEAD, AHEAD], False),
        (12, [PAST, BESIDES, NOW, AHEAD, AHEAD, AHEAD], False),
        (15, [PAST, PAST, NOW, AHEAD, AHEAD, AHEAD], False),
        (20, [PAST, PAST, PAST, NOW, AHEAD, AHEAD], True),
        (31, [PAST, PAST, PAST, PAST, NOW, AHEAD], False),
        (55, [PAST, PAST, PAST, PAST, PAST, NOW], True),
        (99, [PAST, PAST, PAST, PAST, PAST, NOW], True),
    ],
)
def test_the_last_step_that_is_on_is_lit_else_the_next_one(at, turns, waits):
    found = lit(LINE, day(at))

    assert [each.turn for each in found] == turns
    assert [each.is_waiting for each in found if each.turn is NOW] == [waits]


def test_of_a_contest_that_is_not_announced_that_is_what_it_waits_for():
    found = lit((Stretch(Step.ANNOUNCED), *LINE[1:]), day(-1))

    assert [each.turn for each in found] == [NOW, *[AHEAD] * 5]


def test_final_results_stay_lit():
    found = lit((*LINE[:-1], Stretch(Step.RESULTS, day(58))), day(400))

    assert (found[-1].turn, found[-1].is_waiting) == (NOW, False)


@pytest.mark.parametrize(
    ("at", "change"),
    [
        (1, Change(Step.APPLICATIONS, day(5), begins=True)),
        (12, Change(Step.APPLICATIONS, day(15), begins=False)),
        (30, Change(Step.MARKING, day(31), begins=True)),
        (55, Change(Step.RESULTS, day(60), begins=False)),
        (60, None),
    ],
)
def test_the_next_change_is_what_begins_or_ends_first(at, change):
    assert next_change(LINE, day(at)) == change
