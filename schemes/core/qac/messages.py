"""The sentences of problems and readings: for the web, the API and the command line.

Each problem says what is wrong and what to do. The English words are the keys of the gettext
catalogue; whoever speaks to a person brings the translator.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from schemes.core.qac.errors import QacError
from schemes.core.qac.problems import Place, Problem
from schemes.core.qac.values import ReadingCode
from schemes.core.wording import BLANK_INSIDE, filled, placed
from web.core.sentences import JSON_SENTENCES, N_, Translate

SENTENCES: Final[Mapping[str, str]] = {
    "file-too-large": N_("The file is larger than {limit} MB. Split it."),
    "utf-16": N_("The file is UTF-16. Save it as UTF-8, EUC-JP, Shift_JIS or ISO-2022-JP."),
    "is-packed": JSON_SENTENCES["is-packed"],
    "not-text": N_(
        "The file is no text in UTF-8, EUC-JP, Shift_JIS or ISO-2022-JP. Choose another file or "
        "save it as UTF-8."
    ),
    "no-questions": N_("The file has no question. Give the file with the right answers."),
    "not-decodable": N_("Byte {byte} of the line is not {encoding}. Save the file as UTF-8."),
    "control-character": N_("The line holds a control character. Remove it."),
    "no-id": N_(
        "The line does not begin with the ID of a question. Write the ID, a colon, then answers: "
        'QAC1-1100-01: "津市", 990201005.'
    ),
    "blank-inside": BLANK_INSIDE,
    "unquoted-answer": N_(
        "“{name}” is not in its place. Put an answer in quotes and its article after it: "
        '"津市", 990201005.'
    ),
    "open-quote": N_(
        'The quote that opens here is never closed. Close it; inside an answer write it twice: "".'
    ),
    "after-quote": N_(
        "After a closing quote a comma is expected. Write the article after it; "
        'inside an answer write a quote twice: "".'
    ),
    "no-article": N_('“{name}” has no article. Write its ID after the answer: "津市", 990201005.'),
    "empty-string": N_(
        "There is nothing between the quotes. Write the answer, or nothing after the ID if there "
        "is none."
    ),
    "not-a-question": N_('Here a question is expected. Write the ID, a colon and "the question".'),
    "id-twice": N_("The question was given before, in line {earlier}. Leave one of the lines."),
    "text-only": N_(
        "The question has its text but no line of answers. Add one: the ID, a colon, the answers."
    ),
    "no-responses": N_(
        "The responses have no line for this question. It counts as one without any."
    ),
    "many-ranks": N_(
        "The system gave {count} responses; task 1 asks for {most}. All of them were counted."
    ),
    "unknown-question": N_("The key has no such question. What was said to it was ignored."),
    "no-extraction": N_("--extract {number}: there is none. Use 1, 2, 3, 4 or 5."),
    "other-task": N_("--extract {number} works for task {task} only. Add --task {task}."),
    "more-problems": N_("More problems of this file: {count}."),
}

READINGS: Final[Mapping[ReadingCode, str]] = {
    ReadingCode.ARTICLE: N_(
        "reading: a response is right when its string and its article stand in the key; right "
        "strings with another article count as wrong (--match string takes them)"
    ),
    ReadingCode.STRING: N_(
        "reading: a response is right when its string stands in the key, whatever its article "
        "(--match string)"
    ),
    ReadingCode.EXACT: N_(
        "reading: strings are compared sign by sign; letters of another width or form differ "
        "(--nfkc makes them alike)"
    ),
    ReadingCode.NFKC: N_("reading: letters of another width or form are alike (--nfkc)"),
    ReadingCode.TRIMMED: N_("reading: blanks before and after a string do not count"),
    ReadingCode.REPEATED: N_(
        "reading: a right answer that is given again is right, but counts once in Correct"
    ),
    ReadingCode.EMPTY_RIGHT: N_(
        "reading: no response to a question without an answer is worth the full mark"
    ),
    ReadingCode.DISTINCT: N_(
        "reading: Answer and Recall count an answer once, however many articles have it"
    ),
    ReadingCode.FLAT: N_("reading: the average of task 3 is taken over every ID of the key"),
    ReadingCode.NOT_CUT: N_("reading: responses after the fifth are counted as well"),
    ReadingCode.ABSENT: N_(
        "reading: a question without a line in the responses counts as one without a response"
    ),
    ReadingCode.UNKNOWN: N_(
        "reading: responses to a question that the key does not have are not in Output"
    ),
    ReadingCode.TEXT_ONLY: N_(
        "reading: a question with its text but without a line of answers has no answer"
    ),
    ReadingCode.BROKEN: N_(
        "reading: a question whose line cannot be read gets 0, or is left out if it is the key's"
    ),
}


def describe(problem: Problem, translate: Translate) -> str:
    """The sentence of a problem, without its place."""
    return filled(SENTENCES[problem.code], problem.fields, translate)


def describe_error(error: QacError, translate: Translate) -> str:
    """The sentence of an error, with its line if it has one."""
    sentence = filled(SENTENCES[error.code], error.fields, translate)
    line = error.fields.get("line")
    if line is None:
        return sentence
    return f"{filled(N_('line {number}'), {'number': line}, translate)}: {sentence}"


def describe_place(place: Place, translate: Translate) -> str:
    """Where a problem is, in words; empty when it concerns the whole file."""
    numbered = (
        (N_("line {number}"), place.line),
        (N_("column {number}"), place.column),
        (N_("id {number}"), place.id),
    )
    return placed(numbered, translate)


def describe_reading(code: ReadingCode, translate: Translate) -> str:
    """The sentence of a reading that was taken."""
    return translate(READINGS[code])
