"""Zones are called alike on every page, in the language of the page."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from web.zones import ZONE_HELP, zone_words


@pytest.mark.parametrize(
    ("zone", "russian", "english"),
    [
        ("Europe/Moscow", "МСК", "MSK"),
        ("UTC", "UTC", "UTC"),
        ("Asia/Kamchatka", "UTC+12", "UTC+12"),
        ("Asia/Kolkata", "UTC+5:30", "UTC+5:30"),
        ("America/Phoenix", "UTC−7", "UTC−7"),
        ("Pacific/Marquesas", "UTC−9:30", "UTC−9:30"),
        ("Europe/Berlin", "Europe/Berlin", "Europe/Berlin"),
    ],
)
def test_a_zone_has_one_short_name_in_each_language(zone, russian, english):
    told = []
    for language in ("ru", "en"):
        with override(language):
            told.append(zone_words(zone))

    assert told == [russian, english]


@pytest.mark.parametrize("language", ["en", "ru"])
def test_whoever_types_a_zone_is_told_what_pages_call_it(language):
    with override(language):
        told = str(ZONE_HELP)
        for name in ("Europe/Moscow", "Asia/Yekaterinburg"):
            assert (name in told, zone_words(name) in told) == (True, True)
