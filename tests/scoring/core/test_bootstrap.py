"""Whether a difference holds 0 is told as the interpolated ends tell it, however close the call."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scoring.core.bootstrap import ENDS, holds_zero

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
