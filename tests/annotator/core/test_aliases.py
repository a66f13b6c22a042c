from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from annotator.core.aliases import FEWEST, as_login, draw

TAKEN = st.sets(st.integers(1, 60), max_size=30)


@given(TAKEN, st.integers(0, 40), st.randoms(use_true_random=False))
def test_drawn_numbers_are_new_and_within_the_range(taken, count, random):
    drawn = draw(taken, count, random.sample)

    most = max(FEWEST, 2 * (len(taken) + count))
    assert (len(drawn), len(set(drawn))) == (count, count)
    assert set(drawn) <= set(range(1, most + 1)) - taken


def test_the_same_experts_have_other_numbers_in_another_set():
    random = Random(1)

    sets = {tuple(draw([], 3, random.sample)) for _ in range(20)}

    assert len(sets) == 20


def test_an_alias_in_the_name_of_a_file():
    assert [as_login(number) for number in (3, 0)] == ["exp3", "exp"]
