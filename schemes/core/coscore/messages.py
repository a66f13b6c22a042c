"""The sentences of CoScore: what is wrong and what to do, and the readings scores rest on.

As in ``annotator.core.messages``: English words are keys of the gettext catalogue, whoever speaks
to a person brings the translator. What is wrong with the JSON itself has its sentence there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from annotator.core import messages as of_json
from schemes.core.coscore.problems import Problem, shown
from schemes.core.wording import BLANK_INSIDE, with_blank
from web.core.sentences import N_, Translate

SENTENCES: Final[Mapping[str, str]] = {
    # the form of a rule
    "rule-too-long": N_(
        "The rule has {count} characters, at most {limit} are allowed. Shorten it."
    ),
    "not-an-object": N_("A JSON object is expected here: put the parts between “{{” and “}}”."),
    "members-not-an-object": N_("“{name}” must be a JSON object of ids and their parts."),
    "key-missing": N_("The key “{name}” is missing. Add it."),
    "key-ignored": N_("Not part of the format and ignored: {name}."),
    "key-twice": N_("Given twice: {name}. Keep one of them."),
    "not-a-string": N_("“{name}” must be a string. Put it in quotes."),
    "not-a-number-given": N_("“{name}” must be a number. Write it without quotes."),
    "score-not-finite": N_("“score” is too big. Write a smaller number."),
    "not-one-of": N_("“{name}” is “{value}”. Use one of these: {known}."),
    "bad-id": N_("The id “{name}” cannot be used. Use 1 to {limit} visible characters."),
    "no-combos": N_("The rule has no combos, so nothing can be scored. Add one."),
    "too-many-atoms": N_("{count} atoms are too many, at most {limit} are allowed. Remove some."),
    "too-many-combos": N_("{count} combos are too many, at most {limit} are allowed. Remove some."),
    "atom-id-not-a-number": N_("An atom’s id is a number; this one has to be quoted in G and M."),
    "atom-not-used": N_("No combo uses this atom. Use it or remove it."),
    # desc
    "desc-too-long": N_("“desc” has {count} characters, at most {limit} are allowed. Shorten it."),
    "too-many-strings": N_("{count} answer strings are too many, at most {limit} are allowed."),
    "string-too-long": N_("The answer string “{name}” is longer than {limit} characters."),
    "threshold-missing": N_(
        "“{name}” does not begin with a number and a half-width colon. "
        "Write a number from 0 to 1 and “:” before the answer strings."
    ),
    "threshold-outside": N_("The threshold {value} is not between 0 and 1. Write one that is."),
    "threshold-zero": N_("With the threshold 0 this atom is true for every answer."),
    "no-strings": N_("There is no answer string after the colon. Write one."),
    "empty-option": N_("“{name}” has an empty option; it is ignored. Remove the separator."),
    "entry-never-hits": N_("“{name}” has no plain option, so it can never be hit. Add one."),
    "empty-answer-counts": N_("An empty answer string is listed, so an empty blank is a hit."),
    # expressions
    "expression-too-long": N_("The expression is longer than {limit} characters. Shorten it."),
    "expressions-too-long": N_(
        "All expressions together have {count} characters, at most {limit} are allowed. "
        "Shorten them."
    ),
    "line-break": N_("The line ends within the expression. Write it on one line."),
    "expression-empty": N_("The expression is empty. Write one, such as G(0,T(0))."),
    "blank-inside": BLANK_INSIDE,
    "unknown-word": N_(
        "“{word}” is not a word of the language. "
        "Use T L Q F G M U A X, if else and or not, True False."
    ),
    "not-a-number": N_("“{word}” is not a number. Write one such as 5 or 0.5."),
    "number-too-long": N_("A number is longer than {limit} characters. Shorten it."),
    "full-width-sign": N_("“{sign}” is not a sign of the language. Write the half-width {plain} ."),
    "unknown-sign": N_("“{sign}” is not a sign of the language. Use == != > >= < <= + - * / ( ) ,"),
    "too-deep": N_("The expression is nested deeper than {limit} levels. Split it into combos."),
    "too-many-terms": N_("A chain has more than {limit} parts. Split it into combos."),
    "not-an-expression": N_("The expression breaks off or goes wrong here. Check the brackets."),
    "construct-not-allowed": N_("“{what}” is not part of the language. Write it in another way."),
    "text-in-quotes": N_("{what}: quotes are only for the id of an atom and for '*'. Remove them."),
    "not-an-operator": N_("“{what}”: only T L Q F G M U A X can stand before brackets."),
    "operator-alone": N_("{operator} needs its arguments in brackets after it."),
    "argument-count": N_("{operator} takes this many arguments: {count}. Check the commas."),
    "not-a-blank": N_("{operator} takes the number of a blank or '*', not “{what}”."),
    "negative-blank": N_("Blanks are counted from 0, so {what} cannot be one."),
    "not-an-atom": N_("{operator} takes the id of an atom first, not “{what}”."),
    "atom-not-defined": N_("Atom {name} is not defined. Define it or use another."),
    # kinds
    "always-text": N_("The result is a text, which is worth no points. Use G, M, L or F of it."),
    "truth-as-number": N_("A value combo gives true or false; they count as 1 and 0."),
    "number-as-truth": N_("A logic combo gives a number; all but 0 count as true."),
    "never-a-text": N_("G and M need a text here. Use T."),
    "not-a-text": N_("G and M need a text here. Use T."),
    "text-in-arithmetic": N_(
        "A text cannot be computed with. Use F for its number, L for its length."
    ),
    "text-against-number": N_("A text is compared with a number. Use F for its number."),
    # answers
    "answer-not-texts": N_("An answer must be a list of texts, one for each blank."),
    "too-many-blanks": N_("{count} blanks are too many, at most {limit} are allowed."),
    "answer-too-long": N_("The answer has {count} characters, at most {limit} are allowed."),
    "text-too-long": N_("Texts put together are longer than {limit} characters."),
    "too-much-work": N_("The answer and the rule are too long for each other. Shorten the atom."),
    "no-such-blank": N_("There is no blank {number}: this answer has {count}, counted from 0."),
    "division-by-zero": N_("The divisor is 0 for this answer. Test it with if and else first."),
    # tables of answers
    "no-text-column": N_("The first line has no column “text”. Name the columns there."),
    "column-twice": N_("The column “{name}” is there twice. Keep one of them."),
    "columns-ignored": N_("Columns that are not part of the format are ignored: {name}."),
    "bad-cells": N_("The row cannot be read. Look at its quotes."),
    "cell-count": N_(
        "The row has {count} cells instead of {expected}. Put an answer with a comma in quotes."
    ),
    "quote-not-closed": N_("A quote opened here is never closed. Close it or double it."),
    "answer-has-nul": N_("The answer holds a NUL character. Remove it."),
    "label-not-a-score": N_("“{value}” is not a score from 0 to 10; the row is scored without it."),
    "line-is-empty": N_('The line is empty and was skipped. Write "" for an empty answer.'),
}

OF_NAMES: Final = {"atom-not-defined": "name", "not-one-of": "value", "label-not-a-score": "value"}
"""Problems of an id, a word or a number that no other one is: the field that names it."""

READINGS: Final[Mapping[str, str]] = {
    "modifiers-first": N_("SM applies ! and ~ before the plain options, wherever they stand."),
    "removed-from-answer": N_("SM removes the words after ~ from the pupil’s answer."),
    "modifiers-never-hit": N_("A word after ! or ~ is never a hit itself."),
    "empty-options-ignored": N_("Empty answer strings and options are ignored."),
    "first-colon": N_("The threshold ends at the first colon; later ones belong to the strings."),
    "threshold-zero": N_("A threshold of 0 is allowed: the atom is true even with the value 0."),
    "signs-as-multiset": N_(
        "CS compares characters with their repetitions, in lower case and without white space."
    ),
    "length-in-signs": N_("L is the number of all characters, not of distinct Chinese ones."),
    "no-number-is-zero": N_("F of what is not a finite number is 0."),
    "empty-or-null": N_(
        "Q(n) is true for an empty blank and for “null”; Q('*') counts the other blanks."
    ),
    "truth-as-number": N_("True and false count as 1 and 0 in a value combo."),
    "number-as-truth": N_("Any number but 0 counts as true in a logic combo."),
    "split-at-separator": N_("Every “{separator}” in a text begins the next blank."),
    "ratings-rounded": N_(
        "For histogram and agreement a score is rounded to a whole one, halves up; "
        "kappa weighs by the squared difference of these."
    ),
}


def describe(problem: Problem, translate: Translate) -> str:
    """The sentence of a problem, without its place."""
    sentence = SENTENCES.get(problem.code) or of_json.SENTENCES[problem.code]
    told = translate(sentence).format(**problem.fields)
    if problem.code == "atom-id-not-a-number":
        return with_blank(told, problem.atom, translate)
    field = OF_NAMES.get(problem.code, "")
    return with_blank(told, problem.fields.get(field), translate)


def place_of(problem: Problem, translate: Translate) -> str:
    """Where the problem is, in words: line, combo, atom, column; empty when it has no place."""
    parts = []
    if problem.line is not None:
        parts.append(translate(N_("line {line}")).format(line=problem.line))
    if problem.combo is not None:
        parts.append(translate(N_("combo {combo}")).format(combo=shown(problem.combo)))
    if problem.atom is not None:
        parts.append(translate(N_("atom {atom}")).format(atom=shown(problem.atom)))
    if problem.column is not None:
        parts.append(translate(N_("column {column}")).format(column=problem.column))
    if "path" in problem.fields:
        parts.append(str(problem.fields["path"]))
    return ", ".join(parts)


def sentence_of(problem: Problem, translate: Translate) -> str:
    """Place and sentence."""
    place, sentence = place_of(problem, translate), describe(problem, translate)
    return f"{place}: {sentence}" if place else sentence


def reading_of(code: str, translate: Translate, **fields: object) -> str:
    """``reading: …``: a decision a score rests on."""
    sentence = translate(READINGS[code]).format(**fields)
    return translate(N_("reading: {sentence}")).format(sentence=sentence)
