"""The sentence of every problem and error: one catalogue for the web, the API and the command line.

Each names what is wrong and what to do. The English words are the keys of the standard gettext
catalogue in ``razbor/locale``; whoever speaks to a person brings the translator.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from annotator.core.file_words import FILE_SENTENCES, KINDS_OF_FILES
from annotator.core.problems import Problem
from annotator.core.stated import Stated, write_points
from web.core.errors import CoreError
from web.core.sentences import JSON_SENTENCES, N_, Translate, fill, in_one_line

SENTENCES: Final[Mapping[str, str]] = {
    # the bracket language, Appendix 3, 1.6
    "unknown-field": N_("The field “{name}” is unknown and was skipped. Check its spelling."),
    "bad-field-value": N_(
        "The value “{value}” of the field “{name}” was skipped: it cannot be read."
    ),
    "unknown-code": N_(
        "The code “{word}” is not in the classifier and was left out. Check its spelling."
    ),
    "separator-forgotten": N_(
        "No “\\” stands between the code and “{word}”: the text begins here."
    ),
    "no-code": N_("The fragment has no code. Write one before the “\\”."),
    "not-closed": N_("The bracket is never closed; it ends with the text. Add “{expected}”."),
    "nothing-to-close": N_("“{sign}” closes nothing and was dropped."),
    "other-bracket": N_("“{found}” closes the bracket, though “{expected}” was expected."),
    "no-correction": N_("ИСП needs a correction after “>>”; the fragment was left out."),
    "text-differs": N_("The text differs from the essay, beginning with “{found}”."),
    # what the bracket language has no place for
    "field-trimmed": N_("The field “{name}” is written without its outer white space."),
    "field-folded": N_(
        "The line breaks of the field “{name}” are written as blanks: no bracket can hold them."
    ),
    "text-trimmed": N_("The essay is written without its outer white space."),
    "fragment-trimmed": N_(
        "The fragment is written without its outer white space, at {start}–{end}."
    ),
    "element-trimmed": N_("The {element} is written without its outer white space."),
    # what the bracket language cannot write
    "text-has-outer-space": N_("The text begins or ends with white space. Remove it."),
    "text-has-carriage-return": N_(
        "The text has a carriage return at position {offset}. Remove it."
    ),
    "text-reads-as-header": N_(
        "The first line “{line}” would be read as a field. Use the JSON format."
    ),
    "sign-in-text": N_(
        "“{sign}” at position {offset} is a sign of the language and cannot be written there. "
        "Use the JSON format."
    ),
    "sign-in-element": N_(
        "Fragment {number}: the {element} holds a sign of the language or outer white space. "
        "Use the JSON format."
    ),
    "fragment-has-outer-space": N_(
        "Fragment {number} begins or ends with white space. Move its borders."
    ),
    "field-cannot-hold": N_("The field “{name}” cannot hold this value. Use the JSON format."),
    "bad-criterion": N_(
        "“{name}” is not a criterion. Use K1, K2 and so on, with points of 0 or more."
    ),
    "code-not-in-classifier": N_("Fragment {number}: the code “{name}” is not in the classifier."),
    "subcode-not-in-classifier": N_("Fragment {number}: the code has no subcode “{name}”."),
    "kind-differs": N_("Fragment {number}: “{name}” is of another kind in the classifier."),
    "correction-is-missing": N_("Fragment {number}: ИСП needs a correction. Write one."),
    "read-otherwise": N_("Fragment {number} would be read back otherwise. Use the JSON format."),
    # spans
    "not-a-span": N_("{start}–{end} is not a place in a text: it must begin before it ends."),
    "span-outside-text": N_(
        "Fragment {number} ends at {end}, but the text has {length} characters."
    ),
    **JSON_SENTENCES,
    # the exchange format
    "err-schema-validate": N_("A value of another type is expected here: {expected}."),
    "unknown-key": N_("The key is not part of the format and was ignored. Check its spelling."),
    "unknown-subject": N_(
        "The subject “{name}” is unknown. Use rus, lit, social, hist, eng, rus-free or eng-free."
    ),
    "number-otherwise": N_("The number is not written as a whole one. Write it as 4."),
    "number-for-text": N_("A number stands here and was read as a text. Put it in quotes."),
    "number-too-big": N_("The number is too big."),
    "group-differs": N_("The group does not fit the code “{name}”; the classifier’s was taken."),
    # validation, files.md 1.8
    "negative-coordinates": N_("The bounds {start}–{end} are negative. Count from 0."),
    "start-coordinates": N_("The fragment ends at {end}, before it begins at {start}."),
    "bad-range": N_("The bounds {start}–{end} lie outside the text of {length} characters."),
    "err-equality-coordinates": N_("The fragment is empty: it begins and ends at {start}."),
    "err-text-handler-callback": N_("The text differs from the essay. Send the essay’s own text."),
    "text-normalised": N_(
        "The text has line ends of two characters or a byte order mark. Positions are counted "
        "without them: a line end is one character."
    ),
    "another-essay": N_(
        "This says “{name}”, but the essay it is sent to has “{known}”. Send it to its own essay."
    ),
    "not-of-this-essay": N_("This is not the text of essay {essay}. Nothing of it is taken."),
    "several-markups": N_("The file holds {count} markups. Send one of them."),
    "empty-type": N_("The fragment has no code. Choose one."),
    "bad-error-type": N_(
        "The code “{name}” is not in the classifier of this subject. Check its spelling."
    ),
    "bad-subtype": N_("The code {code} has no subcode “{name}”. Choose one of its own."),
    "empty-correction": N_("ИСП needs a correction. Write what should stand here."),
    "bad-tag": N_("The tag holds control characters. Remove them."),
    "too-many-fragments": N_("A markup holds at most {limit} fragments."),
    "name-too-long": N_("The {element} is longer than {limit} characters. Shorten it."),
    "full-text-err-coordinates": N_(
        "{code} is a mistake of the whole text. Mark it without a place."
    ),
    "block-without-place": N_(
        "{code} is a semantic block and needs a place: it is not counted. Mark its words instead."
    ),
    "err-unique-tag": N_(
        "The tag “{name}” stands alone. Give it to the fragments it links, or remove it."
    ),
    "marked-twice": N_(
        "The same mark as fragment {other}. Delete one of the two, unless both are meant."
    ),
    "crossing-fragments": N_("The fragment crosses fragment {other}. Nest one in the other."),
    "empty-meta": N_("Nothing stands here, though the format asks for it. Fill it in."),
    "crossing-kept": N_(
        "The fragment crosses fragment {other}. Both are kept; the markup language can only nest, "
        "so this markup has no TXT form. Nest one in the other to have it."
    ),
    "further-problems": N_("Further problems: {count}. “razbor validate” names all of them."),
    "criteria-mismatch": N_("{name} is stated as {stated}, but the markup gives {graded}."),
}

WORDS: Final[Mapping[str, str]] = {
    **KINDS_OF_FILES,
    # types of JSON values
    "object": N_("object"),
    "list": N_("list"),
    "string": N_("string"),
    "number": N_("whole number"),
    "points": N_("points such as 3 or 3.5, or several in a list"),
    # elements of a fragment
    "code": N_("code"),
    "subcode": N_("subcode"),
    "comment": N_("comment"),
    "explanation": N_("explanation"),
    "correction": N_("correction"),
    "tag": N_("tag"),
}
"""Words that stand in the fields ``expected``, ``element`` and ``kind``."""

HALF: Final = N_("1.5")
"""How a half is written: its second sign is the decimal sign of a language."""

CROSSING_IN_LANGUAGE: Final = N_(
    "{name} ({start}–{end}) crosses {other_name} ({other_start}–{other_end}); "
    "the bracket language can only nest. Use the JSON format."
)
TEXT_ENDS: Final = N_("The text ends here, though the essay goes on.")
"""Of ``text-differs``: nothing follows that could be quoted."""

NOT_AN_OBJECT: Final[Mapping[str, str]] = {
    "list": N_(
        "One JSON object with “text” and “selections” is expected, and this is a list. Put its "
        "fragments into “selections”."
    ),
    "string": N_(
        "One JSON object with “text” and “selections” is expected, and this is a string. “razbor "
        "parse FILE --json” makes such an object of bracket text."
    ),
    "other": N_("One JSON object with “text” and “selections” is expected, and this is none."),
}
"""Of ``err-schema-validate``: all of what was sent is of another type."""
TEXT_DEPARTS: Final = N_(
    "The text differs from the essay: in line {line} of the essay stands “{theirs}”, here "
    "“{ours}”. Send the essay’s own text."
)
"""Of ``err-text-handler-callback``, where the place is known."""
SPACE_DEPARTS: Final = N_(
    "The text differs from the essay in its white space, first in line {line}. Send the essay’s "
    "own text as it came."
)
NOT_IN_ANY: Final = N_("The code “{name}” is in no classifier. Check its spelling.")
"""Of ``bad-error-type``: no subject was given, so those of all were looked into."""

NOT_ONE_OF_THEM: Final = N_("“{given}” is none of the words that may stand here: {expected}.")
"""Of ``err-schema-validate``: the type is right, the word is none of those that are known."""
MISSING_IN_JSON: Final = N_("This is missing. Add it; expected: {expected}.")
"""Of ``err-schema-validate``: there is no value at all, of whatever type."""

NOTHING_AFTER_A_GATE: Final = N_(
    "{name}: {stated} is stated, but the markup gives {graded}, since {gate}."
)


def describe(problem: Problem, translate: Translate) -> str:
    """The sentence of a problem, without its place."""
    return _sentence(problem.code, problem.fields, translate)


def sentence_of(problem: Problem, translate: Translate) -> str:
    """The sentence of a problem, led in by its place."""
    place, sentence = place_of(problem, translate), describe(problem, translate)
    return f"{place}: {sentence}" if place else sentence


def joined(parts: Iterable[str]) -> str:
    """Words and sentences in one line; what begins in lower case goes on after a semicolon."""
    said = ""
    for part in parts:
        if not said:
            said = part
        elif said.endswith("."):
            said = f"{said} {part}"
        else:
            said = f"{said}{'; ' if part[:1].islower() else '. '}{part}"
    return said


def describe_error(error: CoreError, translate: Translate) -> str:
    """The sentence of an error of this core, or of JSON that cannot be read."""
    return _sentence(error.code, error.fields, translate)


def points_in_words(stated: Stated, translate: Translate) -> str:
    """Stated points as a reader writes them, who may type them so again: ``1,5`` in Russian."""
    return _with_decimal_sign(write_points(stated), translate)


def place_of(problem: Problem, translate: Translate) -> str:
    """Where the problem is, in words; empty when it has no place."""
    if problem.line is not None:
        place = translate(N_("line {line}, column {column}"))
        return place.format(line=problem.line, column=problem.column)
    if problem.fragment is not None:
        return translate(N_("fragment {number}")).format(number=problem.fragment)
    return in_one_line(problem.path or "")


def _sentence(code: str, fields: Mapping[str, object], translate: Translate) -> str:
    sentence = SENTENCES.get(code) or FILE_SENTENCES[code]
    if code == "crossing-fragments" and "other" not in fields:
        sentence = CROSSING_IN_LANGUAGE
    elif code == "text-differs" and not fields["found"]:
        sentence = TEXT_ENDS
    elif variant := _variant(code, fields):
        sentence = variant
    elif "given" in fields and code == "err-schema-validate":
        sentence = NOT_ONE_OF_THEM
    elif "gate" in fields:
        sentence = NOTHING_AFTER_A_GATE
        fields = {**fields, "gate": translate(str(fields["gate"]))}
    return fill(sentence, _in_words(fields, translate), translate)


def _variant(code: str, fields: Mapping[str, object]) -> str | None:
    """Another sentence of the same problem, where its fields tell more."""
    if fields.get("missing"):
        return MISSING_IN_JSON
    if "whole" in fields:
        return NOT_AN_OBJECT[str(fields["whole"])]
    if code == "err-text-handler-callback" and "line" in fields:
        return SPACE_DEPARTS if "space" in fields else TEXT_DEPARTS
    return NOT_IN_ANY if code == "bad-error-type" and fields.get("every") else None


def _with_decimal_sign(points: str, translate: Translate) -> str:
    return points.replace(".", translate(HALF)[1])


def _in_words(fields: Mapping[str, object], translate: Translate) -> dict[str, object]:
    """The fields; those that name a type or an element are translated."""
    named = {name: str(fields[name]) for name in ("expected", "element", "kind") if name in fields}
    words = {name: translate(WORDS[word]) for name, word in named.items() if word in WORDS}
    stated = fields.get("stated")
    if isinstance(stated, str):
        words["stated"] = _with_decimal_sign(stated, translate)
    return {**fields, **words}
