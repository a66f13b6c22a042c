"""However hostile two markups are, matching them takes polynomial time, no absolute times here."""

import time

import pytest

from compare.core.matcher import match
from tests.compare.core.peers import FAMILIES, crowd

CUBIC = 8
GENEROUS = 2


def seconds(left, right):
    """The best of several runs: noise only adds."""
    times = []
    for _ in range(4):
        start = time.process_time()
        match(left, right)
        times.append(time.process_time() - start)
    return min(times)


@pytest.mark.parametrize("family", FAMILIES)
def test_match_of_twice_as_many_fragments_takes_at_most_cubically_longer(family):
    small = crowd(family, 50, seed=1), crowd(family, 50, seed=2)
    large = crowd(family, 100, seed=1), crowd(family, 100, seed=2)

    assert seconds(*large) <= GENEROUS * CUBIC * seconds(*small)


@pytest.mark.parametrize("family", ["one code", "one place", "one sentence"])
def test_match_of_few_with_many_fragments_grows_with_the_many_at_most_quadratically(family):
    few = crowd(family, 12, seed=1)

    small = seconds(few, crowd(family, 200, seed=2))
    large = seconds(few, crowd(family, 400, seed=2))

    assert large <= GENEROUS * 4 * small
