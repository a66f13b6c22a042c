"""Working days by the calendar of Russia, changed by what coordinators enter."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.core.calendar import MAX_DAYS, Due, WorkCalendar, due_after, moment, working_day
from review.core.russia import NamedDay, named_days, russian_calendar

MOSCOW = ZoneInfo("Europe/Moscow")
YEARS = range(2024, 2029)
CALENDAR = russian_calendar(YEARS)

days = st.dates(date(2024, 1, 1), date(2026, 12, 31))
counts = st.integers(1, 60)
entered = st.dictionaries(days, st.booleans(), max_size=30)
moments = st.datetimes(datetime(2024, 1, 1), datetime(2026, 12, 31), timezones=st.just(UTC))  # noqa: DTZ001 - the zone stands beside
zones = st.sampled_from(
    ["Europe/Moscow", "Asia/Kamchatka", "Europe/Kaliningrad", "America/New_York", "Asia/Kolkata"]
).map(ZoneInfo)
times = st.none() | st.times(time(0), time(23, 59))


@given(days, counts, entered)
def test_a_deadline_never_falls_on_a_day_off(start, count, own):
    calendar = CALENDAR.overridden(own)
    found = working_day(calendar, start, count)
    assert calendar.works(found)
    between = (start + timedelta(days=at) for at in range(1, (found - start).days + 1))
    assert sum(calendar.works(day) for day in between) == count


@given(days, days, counts, counts)
def test_later_starts_and_more_days_never_end_earlier(start, other, count, more):
    first, second = sorted([start, other])
    assert working_day(CALENDAR, first, count) <= working_day(CALENDAR, second, count)
    assert working_day(CALENDAR, first, count) < working_day(CALENDAR, first, count + more)


@given(days, counts, counts)
def test_days_add_up(start, count, more):
    there = working_day(CALENDAR, start, count)
    assert working_day(CALENDAR, there, more) == working_day(CALENDAR, start, count + more)


@given(entered)
def test_what_is_entered_goes_before_the_law(own):
    calendar = CALENDAR.overridden(own)
    assert {day: calendar.works(day) for day in own} == own


@given(moments, counts, times, zones)
def test_a_deadline_is_the_time_of_its_day_in_its_zone(start, count, at, zone):
    due = due_after(CALENDAR, start, count, at, zone)
    local = due.at.astimezone(zone)
    expected = working_day(CALENDAR, start.astimezone(zone).date(), count)
    assert local.date() == expected
    shown, asked = local.time(), at or time(23, 59)
    assert (
        shown == asked or shown == (datetime.combine(expected, asked) + timedelta(hours=1)).time()
    )
    assert due.at > start


@pytest.mark.parametrize(
    ("day", "at", "utc"),
    [
        ((2026, 3, 8), (2, 30), (2026, 3, 8, 7, 30)),  # clocks go forward: 2:30 does not come
        ((2026, 11, 1), (1, 30), (2026, 11, 1, 6, 30)),  # clocks go back: the second 1:30
        ((2026, 7, 1), (18, 0), (2026, 7, 1, 22, 0)),
        ((2026, 12, 1), (18, 0), (2026, 12, 1, 23, 0)),
    ],
)
def test_where_clocks_are_changed_nobody_loses_an_hour(day, at, utc):
    found = moment(date(*day), time(*at), ZoneInfo("America/New_York"))
    assert found == datetime(*utc, tzinfo=UTC)


def test_without_a_time_a_day_ends_with_its_last_minute():
    assert moment(date(2026, 1, 12), None, MOSCOW) == datetime(2026, 1, 12, 20, 59, tzinfo=UTC)


@pytest.mark.parametrize(
    ("start", "count", "end"),
    [
        ((2025, 12, 30), 1, (2026, 1, 12)),  # December 31 and January 9 are off: days were moved
        ((2025, 10, 31), 1, (2025, 11, 1)),  # a Saturday that was worked
        ((2025, 11, 1), 1, (2025, 11, 5)),
        ((2026, 5, 8), 1, (2026, 5, 12)),
        ((2026, 11, 3), 2, (2026, 11, 6)),
    ],
)
def test_russian_days_are_those_the_government_named(start, count, end):
    assert working_day(CALENDAR, date(*start), count) == date(*end)


def test_a_year_has_as_many_working_days_as_the_official_calendar():
    every = (date(2024, 1, 1) + timedelta(days=at) for at in range(366 + 365 * 3))
    worked = [day.year for day in every if CALENDAR.works(day)]
    assert {year: worked.count(year) for year in range(2024, 2028)} == {
        2024: 248,
        2025: 247,
        2026: 247,
        2027: 247,
    }


def test_a_year_whose_moved_days_are_not_known_says_so():
    assert CALENDAR.known == {2024, 2025, 2026, 2027}
    start = datetime(2027, 12, 29, 12, tzinfo=UTC)
    assert due_after(CALENDAR, start, 1, None, MOSCOW).guessed == ()
    assert due_after(CALENDAR, start, 3, None, MOSCOW) == Due(
        datetime(2028, 1, 11, 20, 59, tzinfo=UTC), guessed=(2028,)
    )


@pytest.mark.parametrize("count", [0, -1, MAX_DAYS + 1])
def test_so_many_working_days_are_no_deadline(count):
    with pytest.raises(ValueError, match="working days"):
        working_day(WorkCalendar(), date(2026, 1, 1), count)


def test_days_bear_their_names_in_both_languages():
    holiday = date(2025, 6, 12)
    found = {
        language: next(each for each in named_days(2025, language) if each.day == holiday)
        for language in ("ru", "en")
    }
    assert found == {
        "ru": NamedDay(holiday, "День России", works=False),
        "en": NamedDay(holiday, "Russia Day", works=False),
    }
    assert NamedDay(date(2025, 11, 1), "", works=True) in named_days(2025, "ru")


@pytest.mark.parametrize("language", ["ru", "en"])
def test_a_moved_day_off_bears_the_day_it_came_from_and_no_date_in_words(language):
    found = {each.day: each for each in named_days(2026, language)}

    moved = NamedDay(date(2026, 1, 9), "", works=False, moved_from=date(2026, 1, 3))
    assert found[moved.day] == moved
    assert [each for each in found.values() if any(map(str.isdigit, each.name))] == []
