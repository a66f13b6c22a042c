from __future__ import annotations

from tests.annotator.core.growth import LINEAR, growth


def test_a_linear_run_passes_and_a_quadratic_one_is_told():
    linear = growth(lambda n: sum(range(n)), lambda n: n, size=50_000)
    quadratic = growth(lambda n: sum(range(n * n)), lambda n: n, size=400, rounds=3)

    assert linear <= LINEAR < quadratic
