"""Every code has its sentence, and every sentence is needed."""

from pathlib import Path

import pytest

import schemes.core.qac
from schemes.core.qac.errors import ExtractionError, UnusableFileError
from schemes.core.qac.messages import (
    READINGS,
    SENTENCES,
    describe,
    describe_error,
    describe_place,
    describe_reading,
)
from schemes.core.qac.problems import Place, Problem
from schemes.core.qac.values import ReadingCode
from schemes.core.wording import LONGEST
from tests.schemes.core.source_codes import codes, codes_of_all, fields_of

CORE = Path(schemes.core.qac.__file__).parent
MAKERS = {"UnusableFileError", "LineError", "ExtractionError", "Problem", "add"}


def english(sentence):
    return sentence


def test_every_code_has_a_sentence_and_every_sentence_is_needed():
    assert codes(CORE, MAKERS) | codes_of_all() == set(SENTENCES)


def test_every_reading_has_a_sentence():
    assert set(READINGS) == set(ReadingCode)


@pytest.mark.parametrize("sentence", [*SENTENCES.values()])
def test_a_sentence_ends_with_a_full_stop_and_names_its_fields(sentence):
    assert sentence.strip() == sentence
    assert sentence.endswith(".")
    assert sentence.format(**dict.fromkeys(fields_of(sentence), "x"))


@pytest.mark.parametrize("code", ReadingCode)
def test_a_reading_says_that_it_is_one(code):
    assert describe_reading(code, english).startswith("reading: ")


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (Place(), ""),
        (Place(3), "line 3"),
        (Place(3, 15, "QAC1-1-01"), "line 3, column 15, id QAC1-1-01"),
    ],
)
def test_a_place_in_words(place, words):
    assert describe_place(place, english) == words


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (
            UnusableFileError("not-text", line=2),
            (
                "line 2: The file is no text in UTF-8, EUC-JP, Shift_JIS or ISO-2022-JP. "
                "Choose another file or save it as UTF-8."
            ),
        ),
        (UnusableFileError("file-too-large", limit=20), "The file is larger than 20 MB. Split it."),
        (
            ExtractionError("other-task", number=4, task=2),
            "--extract 4 works for task 2 only. Add --task 2.",
        ),
    ],
)
def test_an_error_in_words(error, words):
    assert describe_error(error, english) == words


def test_a_foreign_string_is_shown_short_and_on_one_line():
    name = "{津}\x1b" + "x" * 100

    shown = describe(Problem("no-article", fields={"name": name}), english)

    assert shown.startswith(f"“{{津}}�{'x' * (LONGEST - 4)}…” has no article.")


def test_words_are_translated_before_the_fields_are_filled_in():
    russian = {"More problems of this file: {count}.": "Ещё замечаний: {count}."}

    problem = Problem("more-problems", fields={"count": "{0}"})

    assert describe(problem, russian.__getitem__) == "Ещё замечаний: {0}."
