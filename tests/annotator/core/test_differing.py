from __future__ import annotations

import pytest

from annotator.core.differing import Difference, first_difference

ESSAY = "He have a dog.\n\nIt barks at cats all day long."


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ("He has a dog. It barks", Difference(1, "have a dog. It barks", "has a dog. It barks")),
        (ESSAY.replace("cats", "rats"), Difference(3, "cats all day long.", "rats all day long.")),
        ("He have", Difference(1, "a dog. It barks at", "…")),
        (ESSAY + " Really.", Difference(3, "…", "Really.")),
        ("", Difference(1, "He have a dog. It", "…")),
        (ESSAY.replace(" ", "  "), Difference(3, "…", "…")),
        ("x" * 100, Difference(1, "He have a dog. It", "x" * 79 + "…")),
    ],
)
def test_the_first_word_that_differs_is_named_with_its_line(sent, expected):
    assert first_difference(ESSAY, sent) == expected
