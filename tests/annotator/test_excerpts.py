from __future__ import annotations

import pytest

from annotator.pages.marks import excerpt


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a few words\n on two lines", "a few words on two lines"),
        ("x" * 60, "x" * 60),
        (
            "The first reason is ecology. If people did not pay, the air becomes more clean.",
            "The first reason is ecology. If people … more clean.",
        ),
        ("four " * 20, "four four four four four four four four … four four four"),
        ("x" * 70, f"{'x' * 40} … {'x' * 15}"),
    ],
)
def test_a_long_piece_of_text_is_shown_by_its_first_and_last_whole_words(text, shown):
    assert excerpt(text) == shown
