from __future__ import annotations

import pytest
from django.utils import translation

from web.templatetags.ui import brief_digests, in_its_language, naming_language_of, percent


@pytest.mark.parametrize(
    ("value", "places", "shown"),
    [
        (20 / 3, 1, "6.7"),
        (99.95, 1, "100.0"),
        (0.0, 1, "0.0"),
        (62.555, 2, "62.56"),
        (None, 1, "–"),
    ],
)
def test_a_percentage_is_rounded_and_the_unknown_is_a_dash(value, places, shown):
    with translation.override("en"):
        assert percent(value, places) == shown


def test_a_russian_percentage_has_a_comma():
    with translation.override("ru"):
        assert percent(20 / 3) == "6,7"


def test_a_digest_is_shortened_to_its_beginning_and_other_words_stay():
    digest = "0123456789abcdef" * 4

    told = brief_digests(f"SHA-256 {digest}, {digest[:40]}.")

    assert told == f"SHA-256 0123456789ab…, {digest[:40]}."


@pytest.mark.parametrize(
    ("language", "text", "shown"),
    [
        ("en", "Сбой <b>", '<span lang="ru">Сбой &lt;b&gt;</span>'),
        ("ru", "Сбой <b>", "Сбой <b>"),
        ("en", "An outage", "An outage"),
        ("ru", "An outage", "An outage"),
    ],
)
def test_russian_words_on_an_english_page_bear_their_language(language, text, shown):
    with translation.override(language):
        assert in_its_language(text) == shown


@pytest.mark.parametrize(
    ("language", "typed", "shown"),
    [
        ("en", "Сбой <b>", 'Excluded &amp; told: “<span lang="ru">Сбой &lt;b&gt;</span>”'),
        ("ru", "Сбой <b>", "Excluded &amp; told: “Сбой &lt;b&gt;”"),
        ("en", "An outage", "Excluded &amp; told: “An outage”"),
    ],
)
def test_of_a_sentence_only_what_somebody_typed_bears_another_language(language, typed, shown):
    with translation.override(language):
        assert naming_language_of(f"Excluded & told: “{typed}”", typed) == shown
        assert naming_language_of("No words <of> a person", "") == "No words &lt;of&gt; a person"
