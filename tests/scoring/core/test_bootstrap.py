"""Whether a difference holds 0 is told as the interpolated ends tell it, however close the call."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scoring.core.bootstrap import ENDS, Bootstrap, _like, holds_zero
from tests.annotator.core.growth import seconds

WHOLE = st.integers(-3, 3)


@given(st.lists(WHOLE | st.just(100) | st.just(-100), min_size=1, max_size=120))
def test_zero_is_held_where_the_interpolated_ends_have_it_between_them(drawn):
    differences = np.array(drawn, dtype=np.float64)
    low, high = np.percentile(differences, ENDS)

    assert holds_zero(differences) == (low <= 0 <= high)


def test_of_a_close_call_the_lengths_of_both_sides_decide():
    # The lower end lies 0.975 of the way from the second to the third of 80 differences.
    def beside(second, third):
        return np.array([second, second, *[third] * 78], dtype=np.float64)

    far, near = beside(-40, 1), beside(-38, 1)

    assert [holds_zero(each) for each in (far, near, -far, -near)] == [True, False, True, False]


def test_what_is_not_known_of_a_resample_tells_nothing():
    nothing = np.array([np.nan, np.nan])

    assert [holds_zero(nothing), holds_zero(np.array([np.nan, 1.0]))] == [True, False]


SCORES = st.integers(0, 6).map(float) | st.just(np.nan)


@given(st.lists(st.tuples(SCORES, SCORES, SCORES), min_size=1, max_size=90))
def test_two_rows_are_alike_where_their_differences_hold_zero_however_they_are_counted(drawn):
    scores = np.array(drawn)

    expected = [[holds_zero(scores[:, a] - scores[:, b]) for b in range(3)] for a in range(3)]
    assert _like(scores).tolist() == expected


def board(entries):
    """Of so many entries and six hundred essays."""
    essays = [f"{number:04}" for number in range(600)]
    generator = np.random.default_rng(15)
    drawn = generator.uniform(0, 100, (entries, 600)) * 0.5 + np.linspace(0, 20, entries)[:, None]
    values = [dict(zip(essays, row, strict=True)) for row in drawn.tolist()]
    return essays, values, [f"{number:09}" for number in range(entries)]


def test_a_board_of_three_hundred_entries_tells_who_is_like_the_first():
    essays, values, names = board(300)

    found = Bootstrap(7)(essays, values, names)

    assert (len(found), names[1] in found[0].like, names[299] in found[0].like) == (
        300,
        True,
        False,
    )


def test_twice_as_many_entries_are_resampled_in_at_most_four_times_the_time():
    small, large = board(75), board(300)

    assert seconds(lambda told: Bootstrap(7)(*told), large) <= 1.5 * 16 * min(
        seconds(lambda told: Bootstrap(7)(*told), small) for _ in range(4)
    )
