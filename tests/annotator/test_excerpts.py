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
        ("four " * 7 + "six… " + "four " * 9, f"{'four ' * 7}six … four four four"),
        ("four " * 6 + "six?.. " + "four " * 9, f"{'four ' * 6}six? … four four four"),
        ("four " * 12 + "…and then some", f"{'four ' * 7}four … and then some"),
    ],
)
def test_a_long_piece_of_text_is_shown_by_its_first_and_last_whole_words(text, shown):
    assert excerpt(text) == shown
