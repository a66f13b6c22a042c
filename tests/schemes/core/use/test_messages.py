"""Every code has its sentence, and every sentence is needed."""

from pathlib import Path

import pytest

import schemes.core.use
from annotator.core import messages as of_markup
from schemes.core.use.errors import UnusableFileError
from schemes.core.use.messages import (
    READINGS,
    REASONS,
    SENTENCES,
    describe,
    describe_error,
    describe_place,
    describe_reading,
    describe_reason,
)
from schemes.core.use.problems import Place, Problem
from schemes.core.use.values import ReadingCode, Reason
from tests.schemes.core.source_codes import codes, codes_of_all, fields_of

CORE = Path(schemes.core.use.__file__).parent
MAKERS = {"UnusableFileError", "RecordError", "Problem", "add", "_refusal", "last_of_each"}
REASON_CODES = {"right", "no-prediction", "empty-answer", "numbers-differ", "words-differ"}
REASON_CODES |= {"positions-differ", "wrong-length"}


def english(sentence):
    return sentence


def test_every_code_has_a_sentence_and_every_sentence_is_needed():
    used = codes(CORE, MAKERS) | codes_of_all()

    assert set(SENTENCES) <= used
    assert used - set(SENTENCES) <= set(of_markup.SENTENCES)


def test_no_sentence_hides_one_of_the_markup():
    assert not set(SENTENCES) & set(of_markup.SENTENCES)


def test_every_reading_and_every_reason_has_a_sentence():
    assert set(READINGS) == set(ReadingCode)
    assert codes(CORE, {"Reason"}) | REASON_CODES == {*REASONS, "numbers-differ"}


@pytest.mark.parametrize("sentence", [*SENTENCES.values()])
def test_a_sentence_ends_with_a_full_stop_and_names_its_fields(sentence):
    assert sentence.strip() == sentence
    assert sentence.endswith(".")
    assert all(name.isidentifier() for name in fields_of(sentence))
    assert sentence.format(**dict.fromkeys(fields_of(sentence), "x"))


@pytest.mark.parametrize("code", ReadingCode)
def test_a_reading_says_that_it_is_one(code):
    assert describe_reading(code, english).startswith("reading: ")


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        (Reason("right"), "right"),
        (Reason("no-prediction"), "no prediction"),
        (Reason("empty-answer"), "no answer"),
        (
            Reason("numbers-differ", {"missing": ("5",), "extra": ("4", "")}),
            "missing 5; too many 4, “”",
        ),
        (Reason("numbers-differ", {"missing": (), "extra": ("4",)}), "too many 4"),
        (
            Reason("words-differ", {"tried": ("сова", "филин"), "read": "ёж"}),
            "read as “ёж”; accepted: сова, филин",
        ),
        (
            Reason("positions-differ", {"wrong": (2, 3), "expected": 4}),
            "wrong positions: 2, 3 (of 4)",
        ),
        (Reason("wrong-length", {"expected": 4, "got": 3}), "numbers expected: 4, given: 3"),
    ],
)
def test_a_reason_in_words(reason, sentence):
    assert describe_reason(reason, english) == sentence


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (Place(), ""),
        (Place(field="instruction"), "instruction"),
        (Place(5, 42, "899", "outputs"), "line 42, record 5, id 899, outputs"),
        (Place(5, id="{0}"), "record 5, id {0}"),
    ],
)
def test_a_place_in_words(place, words):
    assert describe_place(place, english) == words


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (
            UnusableFileError("no-split", name="x", names=("dev", "train")),
            "There is no split “x”; present are: dev, train. Choose one (--split).",
        ),
        (
            UnusableFileError("no-data", names=("test",)),
            (
                "The file has no “data”; its keys are: test. "
                'Write {"data": {"test": [...]}}, a list, JSON Lines or CSV.'
            ),
        ),
        (
            UnusableFileError("not-json", line=2, column=5),
            "line 2, column 5: This is not JSON. Look at the quotes, commas and brackets here.",
        ),
        (
            UnusableFileError("instructions-slot", path="text[0]", name="x"),
            (
                "text[0]: The instruction names {x}. "
                "Use {task}, {text}, {choices} or {additional_text}."
            ),
        ),
    ],
)
def test_an_error_in_words(error, words):
    assert describe_error(error, english) == words


def test_words_are_translated_before_the_fields_are_filled_in():
    russian = {
        "record {number}": "запись {number}",
        "Variant {name} is not whole; the key has no task {tasks}. Its points are divided by 34 "
        "all the same.": "Вариант {name}: нет заданий {tasks}.",
        "missing {numbers}": "не хватает {numbers}",
    }

    problem = Problem("incomplete-variant", fields={"name": "{0}", "tasks": ("1", "8_0")})
    reason = Reason("numbers-differ", {"missing": ("5",), "extra": ()})

    assert describe(problem, russian.__getitem__) == "Вариант {0}: нет заданий 1, 8_0."
    assert describe_place(Place(3), russian.__getitem__) == "запись 3"
    assert describe_reason(reason, russian.__getitem__) == "не хватает 5"
