from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from review.core.own_figures import FEWEST, Compared, Figures, Work, compared, median_told

figures = st.none() | st.floats(0, 100)


def test_each_figure_stands_beside_the_median_of_the_others():
    others = [Work(1, 10.0, 50.0, 0.0), Work(5, 30.0, None, 20.0), Work(3, 20.0, 70.0, None)]

    assert compared(Work(4, None, 60.0, 50.0), [*others, Work(9, 40.0, 90.0, None)]) == Figures(
        done=Compared(4, 4.0),
        minutes=Compared(None, 25.0),
        m1=Compared(60.0, 70.0),
        thirds=Compared(50.0, None),  # two others have one: nothing is told
    )


@given(st.lists(figures, max_size=8))
def test_of_fewer_than_three_known_figures_nothing_is_told(values):
    known = [value for value in values if value is not None]
    told = median_told(values)

    assert (told is None) == (len(known) < FEWEST)
    assert told is None or min(known) <= told <= max(known)
