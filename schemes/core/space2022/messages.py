"""The sentences of problems and readings: for the web, the API and the command line.

Each problem says what is wrong and what to do. The English words are the keys of the gettext
catalogue; whoever speaks to a person brings the translator.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from annotator.core import messages as of_markup
from schemes.core.space2022.errors import Space2022Error
from schemes.core.space2022.problems import Place, Problem
from schemes.core.space2022.values import ReadingCode
from schemes.core.wording import filled, placed, with_blank
from web.core.sentences import N_, Translate

SENTENCES: Final[Mapping[str, str]] = {
    "file-too-large": N_("The file is larger than {limit} MB. Split it."),
    "too-many-records": N_("The file has more than {limit} records. Split it."),
    "not-json-lines": N_(
        "No line of the file is a JSON object. JSON Lines are read here, no table and no CSV: "
        'write a record a line, as {{"qid": "1", "reasons": []}}, or one list of them.'
    ),
    "no-questions": N_("No question can be scored. Check that this is the answer file."),
    "no-predictions": N_("No question has a prediction: every figure is 0. Check the file."),
    "record-too-large": N_("The record has more than {limit} characters and was left out."),
    "not-an-object": N_("The record must be a JSON object."),
    "no-field": N_("The field is missing. Add it."),
    "empty-field": N_("The field is empty. Fill it in."),
    "not-a-string": N_("The field must be a string. Put it in quotes."),
    "not-a-list": N_("The field must be a list. Put it in square brackets."),
    "not-an-object-field": N_("The field must be a JSON object."),
    "not-indices": N_("The indices must be whole numbers of 0 or more, as in [41, 42]."),
    "unknown-type": N_("The type “{name}” is unknown. Use A, B or C."),
    "role-not-of-type": N_(
        "A reason of type {type} has no role “{name}”, so that no element can be hit with it. "
        "Use {roles}."
    ),
    "index-outside": N_(
        "The index {index} lies outside the context of {length} characters. Count them from 0."
    ),
    "text-not-of-context": N_(
        "The text is not what the context has at these indices; the indices count. "
        "Check which of the two is meant."
    ),
    "nothing-to-find": N_(
        "The question has no reference characters, so that it scores 0 whatever is predicted. "
        "Add a reason."
    ),
    "qid-twice": N_("The qid was given before, in record {record}. The last one counts."),
    "unknown-qid": N_(
        "The answer file has no usable question of this qid. The prediction was ignored."
    ),
    "more-problems": N_("More problems of this file: {count}."),
}

READINGS: Final[Mapping[ReadingCode, str]] = {
    ReadingCode.HEADLINE: N_(
        "reading: the three figures are means of their own, each of its own best pair; the "
        "element F1 ranks"
    ),
    ReadingCode.OMITTED: N_(
        "reading: a role of the reference that the prediction omits costs recall (the published "
        "script leaves it out)"
    ),
    ReadingCode.OTHER_TYPE: N_(
        "reading: an element is hit in reasons of one type and with the same role only"
    ),
    ReadingCode.INDICES: N_("reading: characters are compared by idxes, never by text"),
    ReadingCode.TYPE_AT_TEXT: N_(
        "reading: the type is that of the best text pair, not of some reason of the reference"
    ),
    ReadingCode.FIRST_PAIR: N_(
        "reading: of text pairs with equal F1 the first one, in the order of the files, decides "
        "about the type"
    ),
    ReadingCode.LITERAL: N_(
        "reading: roles are taken as written; text1 and text2, or both S-P-E triples, exchanged "
        "are no hit"
    ),
    ReadingCode.UNION: N_(
        "reading: of a role, or an index of a fragment, given twice the characters count once"
    ),
    ReadingCode.LAST: N_("reading: of records with one qid the last one counts"),
    ReadingCode.OUTSIDE: N_(
        "reading: a record with an index outside the context is left out, not scored in part"
    ),
    ReadingCode.MISSING: N_("reading: a question without a usable prediction gives 0"),
}


def describe(problem: Problem, translate: Translate) -> str:
    """The sentence of a problem, without its place."""
    sentence = filled(_sentence(problem.code), problem.fields, translate)
    named = {"unknown-qid": problem.place.qid, "unknown-type": problem.fields.get("name")}
    return with_blank(sentence, named.get(problem.code), translate)


def describe_error(error: Space2022Error, translate: Translate) -> str:
    """The sentence of an error, with its place in the file if it has one."""
    sentence = filled(_sentence(error.code), error.fields, translate)
    if "line" in error.fields:
        place = filled(N_("line {line}, column {column}"), error.fields, translate)
        return f"{place}: {sentence}"
    return f"{error.fields['path']}: {sentence}" if error.fields.get("path") else sentence


def describe_place(place: Place, translate: Translate) -> str:
    """Where a problem is, in words; empty when it concerns the whole file."""
    numbered = (
        (N_("line {number}"), place.line),
        (N_("record {number}"), place.record),
        (N_("qid {number}"), place.qid),
    )
    return placed(numbered, translate, place.field)


def describe_reading(code: ReadingCode, translate: Translate) -> str:
    """The sentence of a reading that was taken."""
    return translate(READINGS[code])


def _sentence(code: str) -> str:
    return SENTENCES[code] if code in SENTENCES else of_markup.SENTENCES[code]
