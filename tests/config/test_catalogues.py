from __future__ import annotations

import re
import string
from collections import Counter

import pytest

from config import catalogues

PERCENT = re.compile(r"%(?:\(\w+\))?[drs]")
PLACES = ("razbor", "locale")


@pytest.fixture(scope="module")
def places():
    """The catalogues by the folder they stand in; the sources are read once."""
    return {place.po.relative_to(catalogues.ROOT).parts[0]: place for place in catalogues.collect()}


@pytest.fixture(scope="module")
def messages(places):
    return [message for place in places.values() for message in place.known() if message.id]


def english(message):
    """The forms of a message: one, or the singular and the plural."""
    return [message.id] if isinstance(message.id, str) else list(message.id)


def russian(message):
    """The forms of its translation: one, or those of one, of few and of many."""
    return [message.string] if isinstance(message.string, str) else list(message.string)


def placeholders(message, text):
    """How often each place to fill in stands in a form, with how its value is written."""
    found = Counter(PERCENT.findall(text) if message.python_format else ())
    if "{" in english(message)[0]:
        for _before, name, form, turn in string.Formatter().parse(text):
            found[name, form, turn] += name is not None
    return +found


@pytest.mark.parametrize("name", PLACES)
def test_a_catalogue_is_written_the_same_way_each_time(places, name):
    place = places[name]
    first = place.po.read_bytes(), place.mo.read_bytes()
    again = catalogues._merged(place)

    assert (catalogues._po(again), catalogues._mo(again)) == first


@pytest.mark.parametrize("name", PLACES)
def test_the_header_tells_the_language_and_no_dates_or_names(places, name):
    place = places[name]
    comment, header = place.po.read_text("utf-8").split("\n\n", 1)[0].split('\nmsgid ""\n')

    assert comment == "# Razbor, in Russian."
    assert re.findall(r'"([\w-]+): ', header) == [
        "Language",
        "MIME-Version",
        "Content-Type",
        "Content-Transfer-Encoding",
        "Plural-Forms",
    ]


def test_every_form_of_a_translation_is_there(messages):
    assert [
        message.id
        for message in messages
        if len(russian(message)) != (1 if len(english(message)) == 1 else 3)
        or not all(russian(message))
    ] == []


def test_a_translation_fills_in_what_the_message_does(messages):
    assert [
        message.id
        for message in messages
        for text in russian(message)
        if placeholders(message, text) != placeholders(message, english(message)[-1])
    ] == []


def test_russian_has_its_own_quotes_and_straight_ones_only_where_the_message_quotes_code(messages):
    assert [
        message.id
        for message in messages
        for text in russian(message)
        if set("“”") & set(text) or text.count('"') > english(message)[0].count('"')
    ] == []


def test_a_subcode_is_called_by_the_one_word_of_the_glossary(messages):
    about = [each for each in messages if "subcode" in " ".join(english(each)).lower()]

    assert len(about) >= 10
    assert [
        each.id for each in about if not all("подтип" in text.lower() for text in russian(each))
    ] == []


def test_what_is_not_translated_is_told_with_the_file_where_it_stands(monkeypatch, tmp_path):
    monkeypatch.setattr(catalogues, "ROOT", tmp_path)
    monkeypatch.setattr(catalogues, "collect", lambda: [one_message_for(tmp_path)])

    told = "locale/ru/LC_MESSAGES/django.po: not translated: Write a code."
    assert (catalogues.update(), catalogues.check()) == ([told], [told])


def one_message_for(root):
    collected = catalogues._empty()
    collected.add("Write a code.", None, [("razbor/main.py", 1)])
    return catalogues.Located(root / "locale", collected)
