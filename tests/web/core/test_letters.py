from __future__ import annotations

import pytest

from web.core.letters import language_by_letters


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Участники договорились", "ru"),
        ("Протокол № 5, session 12", "ru"),
        ("The code А.ошиб was withdrawn", ""),
        ("Gruppe B", ""),
        ("12 – 15", ""),
        ("", ""),
    ],
)
def test_mostly_cyrillic_letters_are_russian_and_others_tell_nothing(text, language):
    assert language_by_letters(text) == language
