from __future__ import annotations

import pytest
from django import forms

from web.forms import asked_words, is_number_of_row, refuse_surrogates


def test_half_of_a_surrogate_pair_is_refused_in_words():
    refuse_surrogates(["лиса", "👩"])

    with pytest.raises(forms.ValidationError) as caught:
        refuse_surrogates(["лиса", "\ud83d"])

    assert caught.value.messages == ["A field holds half of a surrogate pair. Remove it."]


@pytest.mark.parametrize(
    ("written", "asked"), [("  лиса ", "лиса"), ("л\0ис", "лис"), ("x" * 9, "xxxxx"), (None, "")]
)
def test_what_is_looked_for_is_cut_and_has_no_nul(written, asked):
    given = {} if written is None else {"q": written}

    assert asked_words(given, "q", 5) == asked


@pytest.mark.parametrize(
    ("word", "is_one"),
    [
        *(("0", True), ("12", True), ("9" * 18, True)),
        *(
            ("9" * 19, False),
            ("", False),
            ("²", False),
            ("٣", False),
            ("-1", False),
            ("1.5", False),
        ),
    ],
)
def test_a_number_of_a_row_has_few_digits_and_nothing_else(word, is_one):
    assert is_number_of_row(word) is is_one
