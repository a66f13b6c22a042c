"""The sentences of problems, reasons and readings: for the web, the API and the command line.

Each problem says what is wrong and what to do. The English words are the keys of the gettext
catalogue; whoever speaks to a person brings the translator.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from annotator.core import messages as of_markup
from schemes.core.use.errors import UseError
from schemes.core.use.problems import Place, Problem
from schemes.core.use.values import ReadingCode, Reason
from schemes.core.wording import filled, has_blank, placed, with_blank
from web.core.sentences import N_, Translate

FILES: Final[Mapping[str, str]] = {
    "file-too-large": N_("The file is larger than {limit} MB. Split it."),
    "empty-file": N_("The file is empty. Choose another one."),
    "too-many-records": N_("The file has more than {limit} records. Split it."),
    "too-many-keys": N_("An object has more than {limit} keys. Check the file."),
    "no-data": N_(
        "The file has no “data”; its keys are: {names}. "
        'Write {{"data": {{"test": [...]}}}}, a list, JSON Lines or CSV.'
    ),
    "data-not-an-object": N_('“data” must be an object of splits, such as {{"test": [...]}}.'),
    "no-splits": N_('“data” has no split. Write {{"data": {{"test": [...]}}}}.'),
    "no-split": N_("There is no split “{name}”; present are: {names}. Choose one (--split)."),
    "split-idle": N_(
        "A list, lines or a table has no splits, so “{name}” cannot be chosen. "
        "Leave it out (--split)."
    ),
    "split-not-a-list": N_("The split “{name}” must be a list of records."),
    "no-columns": N_(
        "This is neither JSON nor a table with the columns that are needed; missing: {names}. "
        "Name them in the first line."
    ),
    "not-a-table": N_("The first line is no header of a table. Look at its quotes."),
    "no-tasks": N_("No task can be scored. Check the file and the split."),
    "archive-damaged": N_("The archive is damaged. Pack it anew."),
    "archive-too-many": N_("The archive holds more than {limit} files."),
    "archive-no-name": N_("The archive has no USE.json; it has: {names}. Pack USE.json."),
    "archive-names": N_("The archive has more than one USE.json: {names}. Leave one."),
    "archive-path": N_("The path “{name}” leads out of the archive. Pack the file anew."),
    "archive-link": N_("“{name}” is a link. Pack the file itself."),
    "archive-encrypted": N_("“{name}” is encrypted. Pack it without a password."),
    "archive-packing": N_("“{name}” is packed in an unusual way. Use Deflate."),
    "archive-ratio": N_(
        "USE.json is packed more than {limit} times, too tightly to be trusted. "
        "Give the JSON itself."
    ),
    "instructions-shape": N_(
        "Here a list of instructions is expected, texts that are not empty, under text, matching "
        "and multiple_choice with its based_on_text, options_within_text, independent_options."
    ),
    "instructions-slot": N_(
        "The instruction names {{{name}}}. Use {{task}}, {{text}}, {{choices}} or "
        "{{additional_text}}."
    ),
}
RECORDS: Final[Mapping[str, str]] = {
    "record-too-large": N_("The record has more than {limit} characters and was left out."),
    "not-an-object": N_("The record must be a JSON object."),
    "row-broken": N_("The row cannot be read. Look at its quotes."),
    "row-length": N_(
        "The row has {got} cells instead of {expected}. "
        "Put an answer that has the separator in quotes."
    ),
    "row-unsound": N_("The row holds a NUL character or half of a surrogate pair. Remove it."),
    "no-field": N_("The field is missing. Add it."),
    "no-field-anywhere": N_("No record has this field: prompts cannot be made of the file."),
    "empty-field": N_("The field is empty. Fill it in."),
    "not-an-object-field": N_("The field must be a JSON object."),
    "not-a-string": N_("The field must be a string. Put it in quotes."),
    "not-a-name": N_("The field must be a whole number or a string."),
    "number-as-text": N_("The field must be a whole number. Remove the quotes."),
    "text-as-number": N_("The field must be a string. Put it in quotes."),
    "unknown-type": N_(
        "The type “{name}” is unknown. Use text, matching, multiple_choice_based_on_text, "
        "multiple_choice_options_within_text or multiple_choice_independent_options."
    ),
    "unknown-task": N_("The exam has no task “{name}”. Use 1 to 7, 8_0 to 8_4, 9 to 26."),
    "type-does-not-fit": N_(
        "The points of task {task} are defined for the type {expected}, not “{name}”. "
        "Correct the one or the other."
    ),
    "type-unusual": N_("Task {task} of the exam is of the type {expected}, not “{name}”."),
    "empty-key": N_("The key is empty, so nothing could be right. Write the right answer."),
    "key-not-numbers": N_("The key “{key}” is no list of numbers. Write them as 1,3."),
    "key-format": N_("Write the key “{key}” as numbers with commas and without blanks, as 1,3."),
    "key-length": N_("The key must have {expected} numbers, and has {got}."),
    "score-differs": N_("The score of task {task} must be {expected}."),
    "unknown-slot": N_(
        "The instruction names {{{name}}}. Use {{task}}, {{text}}, {{choices}} or "
        "{{additional_text}}."
    ),
    "no-instruction": N_("There is no instruction for the type “{name}”. Add one."),
    "id-twice": N_("The id was given before, in record {record}. The last one counts."),
    "task-twice": N_(
        "The variant has this task already, in record {record}: {name}. The last one counts."
    ),
    "unknown-id": N_("The key has no task of this id. The answer was ignored."),
    "incomplete-variant": N_(
        "Variant {name} is not whole; the key has no task {tasks}. Its points are divided by 34 "
        "all the same."
    ),
    "train-has-no-grade": N_(
        "The variants of the train split are not whole: grade_norm is not defined for them, only "
        "their points are."
    ),
    "more-problems": N_("More problems of this file: {count}."),
}
SENTENCES: Final[Mapping[str, str]] = {**FILES, **RECORDS}

REASONS: Final[Mapping[str, str]] = {
    "right": N_("right"),
    "no-prediction": N_("no prediction"),
    "empty-answer": N_("no answer"),
    "positions-differ": N_("wrong positions: {wrong} (of {expected})"),
    "wrong-length": N_("numbers expected: {expected}, given: {got}"),
    "words-differ": N_("read as “{read}”; accepted: {tried}"),
}
MISSING: Final = N_("missing {numbers}")
TOO_MANY: Final = N_("too many {numbers}")
BLANK_IN: Final = N_("a blank stands in “{blank_in}”")
OF_NAMES: Final = ("unknown-task", "unknown-type")
"""Problems of a name that no other one is."""

READINGS: Final[Mapping[ReadingCode, str]] = {
    ReadingCode.WRONG_LENGTH: N_(
        "reading: task 26 with another number of entries than four gives 0, not a point for each "
        "entry in its place"
    ),
    ReadingCode.STRICT: N_(
        "reading: numbers are separated by commas without blanks; an entry with any other sign "
        "matches nothing (--lenient reads it)"
    ),
    ReadingCode.LENIENT: N_(
        "reading: blanks, semicolons and full stops separate numbers as well (--lenient)"
    ),
    ReadingCode.TRIMMED: N_("reading: blanks before and after an answer do not count"),
    ReadingCode.REPEATED: N_("reading: a number given more than once counts once"),
    ReadingCode.SINGLE_KEY: N_(
        "reading: task 16 with a key of one number and another number given gives 0, since "
        "nothing right is left"
    ),
    ReadingCode.ANY_ORDER: N_(
        "reading: of a key of several words every order of the words is accepted"
    ),
    ReadingCode.KEY_LETTERS: N_(
        "reading: the key is compared by its letters in lower case, as the answer is"
    ),
    ReadingCode.YO_DIFFERS: N_("reading: ё and е are different letters (--yo makes them alike)"),
    ReadingCode.YO_ALIKE: N_("reading: ё and е are one letter (--yo)"),
    ReadingCode.MISSING: N_("reading: a task without a prediction gives 0"),
    ReadingCode.INCOMPLETE: N_(
        "reading: a variant is divided by 34 even if the key does not have all its tasks"
    ),
    ReadingCode.LAST: N_(
        "reading: of records with the same id, or for the same task of a variant, the last one "
        "counts"
    ),
    ReadingCode.AS_TEXT: N_(
        "reading: ids are compared as strings, whether they are written as numbers or as text"
    ),
}


def describe(problem: Problem, translate: Translate) -> str:
    """The sentence of a problem, without its place."""
    sentence = filled(_sentence(problem.code), problem.fields, translate)
    if problem.code == "unknown-id":
        return with_blank(sentence, problem.place.id, translate)
    named = problem.fields.get("name") if problem.code in OF_NAMES else None
    return with_blank(sentence, named, translate)


def describe_error(error: UseError, translate: Translate) -> str:
    """The sentence of an error, with its place in the file if it has one."""
    fields = error.fields
    sentence = filled(_sentence(error.code), fields, translate)
    if "line" in fields and "column" in fields:
        place = translate(N_("line {line}, column {column}"))
        return f"{filled(place, fields, str)}: {sentence}"
    return f"{fields['path']}: {sentence}" if fields.get("path") else sentence


def describe_place(place: Place, translate: Translate) -> str:
    """Where a problem is, in words; empty when it concerns the whole file."""
    numbered = (
        (N_("line {number}"), place.line),
        (N_("record {number}"), place.record),
        (N_("id {number}"), place.id),
    )
    return placed(numbered, translate, place.field)


def describe_reason(reason: Reason, translate: Translate) -> str:
    """Why an answer has its points: “missing 5; too many 4”."""
    parts = _differences if reason.code == "numbers-differ" else _whole
    told = list(parts(reason, translate))
    if "blank_in" in reason.fields:
        told.append(filled(BLANK_IN, reason.fields, translate))
    return "; ".join(told)


def describe_reading(code: ReadingCode, translate: Translate) -> str:
    """The sentence of a reading that was taken."""
    return translate(READINGS[code])


def _whole(reason: Reason, translate: Translate) -> Iterator[str]:
    yield filled(REASONS[reason.code], reason.fields, translate)


def _differences(reason: Reason, translate: Translate) -> Iterator[str]:
    """A number with a blank in it is none too many: the blank is what is told of it."""
    given: Any = reason.fields["extra"]
    extra = [item for item in given if not has_blank(item)]
    for words, numbers in ((MISSING, reason.fields["missing"]), (TOO_MANY, extra)):
        if numbers:
            yield filled(words, {"numbers": numbers}, translate)


def _sentence(code: str) -> str:
    return SENTENCES[code] if code in SENTENCES else of_markup.SENTENCES[code]
