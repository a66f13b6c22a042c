"""Every code has its sentence, and every sentence is needed."""

from pathlib import Path

import pytest

import schemes.core.space2022
from annotator.core import messages as of_markup
from schemes.core.space2022.errors import RecordError, UnusableFileError
from schemes.core.space2022.messages import (
    READINGS,
    SENTENCES,
    describe,
    describe_error,
    describe_place,
    describe_reading,
)
from schemes.core.space2022.problems import Place, Problem
from schemes.core.space2022.reading import KINDS
from schemes.core.space2022.values import ReadingCode
from tests.schemes.core.source_codes import codes, codes_of_all, fields_of

CORE = Path(schemes.core.space2022.__file__).parent
MAKERS = {"UnusableFileError", "RecordError", "Problem", "add"}


def english(sentence):
    return sentence


def test_every_code_has_a_sentence_and_every_sentence_is_needed():
    used = codes(CORE, MAKERS) | codes_of_all() | set(KINDS.values())

    assert set(SENTENCES) <= used
    assert used - set(SENTENCES) <= set(of_markup.SENTENCES)


def test_no_sentence_hides_one_of_the_markup():
    assert not set(SENTENCES) & set(of_markup.SENTENCES)


def test_every_reading_has_a_sentence_that_says_so():
    assert set(READINGS) == set(ReadingCode)
    assert all(describe_reading(code, english).startswith("reading: ") for code in ReadingCode)


@pytest.mark.parametrize("sentence", [*SENTENCES.values()])
def test_a_sentence_ends_with_a_full_stop_and_names_its_fields(sentence):
    assert sentence.strip() == sentence
    assert sentence.endswith(".")
    assert all(name.isidentifier() for name in fields_of(sentence))
    assert sentence.format(**dict.fromkeys(fields_of(sentence), "x"))


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (Place(), ""),
        (
            Place(42, 5, "2-dev-1", "reasons[0].type"),
            "line 42, record 5, qid 2-dev-1, reasons[0].type",
        ),
        (Place(qid="{0}\x1b[31m"), "qid {0}�[31m"),
    ],
)
def test_a_place_in_words(place, words):
    assert describe_place(place, english) == words


def test_an_error_and_a_problem_in_words():
    roles = {"name": "S", "type": "A", "roles": ("text1", "text2")}

    broken = UnusableFileError("not-json", line=2, column=7)
    assert describe_error(broken, english).startswith("line 2, column 7: This is not JSON.")
    assert (
        describe(Problem("role-not-of-type", fields=roles), english)
        == "A reason of type A has no role “S”, so that no element can be hit with it. "
        "Use text1, text2."
    )


def test_the_path_of_an_error_grows_outwards():
    error = RecordError("no-field", "role").within("fragments[1]").within("reasons[0]")

    assert (error.code, error.at) == ("no-field", "reasons[0].fragments[1].role")


def test_words_are_translated_before_the_fields_are_filled_in():
    russian = {SENTENCES["unknown-type"]: "Тип «{name}» неизвестен.", "qid {number}": "№ {number}"}

    problem = Problem("unknown-type", fields={"name": "{0}"})

    assert describe(problem, russian.__getitem__) == "Тип «{0}» неизвестен."
    assert describe_place(Place(qid="7"), russian.__getitem__) == "№ 7"
