from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError

from web.validators import clean_name


@pytest.mark.parametrize(
    "name",
    ["", "Анна-Мария О’Нил", "Йёж №7", "李雷", "José", "Ann \u200d Lee", "מרים", "🦔"],
)
def test_names_of_all_languages_are_taken(name):
    clean_name(name)


@pytest.mark.parametrize(
    "sign",
    ["\x00", "\t", "\n", "\r", "\x1b", "\x7f", "\x85", "\u2028", "\u202e", "\u2066", "\ud800"],
    ids=ascii,
)
def test_a_name_with_signs_nobody_sees_is_refused(sign):
    with pytest.raises(ValidationError) as refused:
        clean_name(f"Ivan{sign}nehoc")

    assert refused.value.messages == ["The name holds control characters. Remove them."]


def test_a_name_in_decomposed_letters_is_refused():
    with pytest.raises(ValidationError) as refused:
        clean_name("Сергеи\u0306")

    assert refused.value.messages == ["Write the name with composed letters (NFC)."]
