"""Answers and predictions -> three means over the reference questions.

Seed 003, 3.2; schemes.md 3.1 and the readings of 3.2. Characters are counted in whole numbers;
nothing is rounded.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from schemes.core.space2022.errors import RecordError
from schemes.core.space2022.pairs import (
    Compared,
    best_element,
    best_text,
    compared,
    exchanged_tally,
)
from schemes.core.space2022.problems import Problem, Problems, Source
from schemes.core.space2022.reading import check_against, report_texts
from schemes.core.space2022.script import loose_figures, score_of, strict_figures
from schemes.core.space2022.values import (
    NOTHING,
    Answers,
    Figure,
    Level,
    Outcome,
    Prediction,
    Predictions,
    Question,
    ReadingCode,
    Reason,
    Score,
    ScriptFigures,
    ScriptScore,
    Taken,
)

Entry = TypeVar("Entry", Question, Prediction)
OF_PROBLEMS: Final[Mapping[str, ReadingCode]] = {
    "text-not-of-context": ReadingCode.INDICES,
    "role-not-of-type": ReadingCode.OTHER_TYPE,
    "index-outside": ReadingCode.OUTSIDE,
    "qid-twice": ReadingCode.LAST,
}
"""Readings that a problem of a record calls for."""


def score(answers: Answers, predictions: Predictions) -> Score:
    """Score the predictions of a system for every question of the answer file.

    A question without a usable prediction gets 0; a prediction without a question is reported
    and ignored; of two records with one qid the last one counts. The figures are ``None`` when
    there is no question.
    """
    of_answers, of_predictions = Problems(Source.ANSWER), Problems(Source.PREDICTION)
    questions = _last_of_each(answers.questions, of_answers)
    given = _usable(questions, predictions, of_predictions)
    outcomes = tuple(score_question(each, given.get(qid)) for qid, each in questions.items())
    if not outcomes:
        of_answers.add("no-questions")
    if not given:
        of_predictions.add("no-predictions")
    warnings = (
        *answers.problems,
        *of_answers.named(),
        *predictions.problems,
        *of_predictions.named(),
    )
    return Score(
        element_f1=_mean([each.element.tally.f1 for each in outcomes]),
        text_f1=_mean([each.text.tally.f1 for each in outcomes]),
        type_accuracy=_mean([each.type_is_right for each in outcomes]),
        outcomes=outcomes,
        script=_script(outcomes),
        warnings=warnings,
        readings=tuple(_taken(outcomes, warnings)),
    )


def score_question(question: Question, prediction: Prediction | None) -> Outcome:
    """Score the first reason of each type against every reference reason (seed 003, 3.2)."""
    if prediction is None:
        nothing = Figure(NOTHING)
        missing = (ReadingCode.MISSING,)
        none = ScriptFigures()
        return Outcome(question, None, nothing, nothing, False, none, none, missing)
    candidates = prediction.candidates
    pairs = compared(candidates, question.reasons)
    element, text = best_element(pairs), best_text(pairs)
    is_right = text.candidate is not None and _one_type(text)
    return Outcome(
        question=question,
        prediction=prediction,
        element=element,
        text=text,
        type_is_right=is_right,
        strict=strict_figures(question, candidates, pairs),
        loose=loose_figures(pairs),
        readings=tuple(_readings(question, candidates, pairs, element, text)),
    )


def _last_of_each(entries: Iterable[Entry], problems: Problems) -> dict[str, Entry]:
    """Of entries with one qid the last, in the place of the first (schemes.md 3.2, 8)."""
    found: dict[str, Entry] = {}
    for entry in entries:
        earlier = found.get(entry.qid)
        if earlier is not None:
            problems.add("qid-twice", entry.place, record=earlier.place.record)
        found[entry.qid] = entry
    return found


def _usable(
    questions: Mapping[str, Question], predictions: Predictions, problems: Problems
) -> dict[str, Prediction]:
    """Predictions of known questions whose indices lie within the context."""
    found = {}
    for qid, prediction in _last_of_each(predictions.predictions, problems).items():
        question = questions.get(qid)
        if question is None:
            problems.add("unknown-qid", prediction.place)
            continue
        if question.context is not None:
            try:
                differing = check_against(question.context, prediction.reasons)
            except RecordError as error:
                place = replace(prediction.place, field=error.at)
                problems.add(error.code, place, **error.fields)
                continue
            if differing:
                report_texts(differing, prediction.place, problems)
        found[qid] = prediction
    return found


def _one_type(figure: Figure) -> bool:
    candidate, reference = figure.candidate, figure.reference
    return candidate is not None and reference is not None and candidate.type == reference.type


def _readings(
    question: Question,
    candidates: Sequence[Reason],
    pairs: Sequence[Compared],
    element: Figure,
    text: Figure,
) -> Iterator[ReadingCode]:
    """The readings in question for a question; the order is that of ``ReadingCode``."""
    if element[1:] != text[1:]:
        yield ReadingCode.HEADLINE
    if _omits_roles(element):
        yield ReadingCode.OMITTED
    right = _one_type(text)
    if not right and {each.type for each in candidates} & {each.type for each in question.reasons}:
        yield ReadingCode.TYPE_AT_TEXT
    if _ties_differ(pairs, text, right=right):
        yield ReadingCode.FIRST_PAIR
    if any(exchanged_tally(pair[0], pair[1]).beats(element.tally) for pair in _exchangeable(pairs)):
        yield ReadingCode.LITERAL
    if any(each.repeats for each in (*candidates, *question.reasons)):
        yield ReadingCode.UNION


def _omits_roles(element: Figure) -> bool:
    if element.candidate is None or element.reference is None:
        return False
    return not element.reference.roles.keys() <= element.candidate.roles.keys()


def _ties_differ(pairs: Iterable[Compared], text: Figure, *, right: bool) -> bool:
    """Whether a pair as good as the best text pair would judge the type otherwise."""
    return any(
        (pair.candidate.type == pair.reference.type) != right and not text.tally.beats(pair.text)
        for pair in pairs
    )


def _exchangeable(pairs: Iterable[Compared]) -> Iterator[Compared]:
    for pair in pairs:
        candidate, reference, _text, element = pair
        if candidate.type == reference.type != "C" and element.hit < reference.size:
            yield pair


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None


def _script(outcomes: Sequence[Outcome]) -> dict[Level, ScriptScore]:
    if not outcomes:
        return {}
    return {
        Level.STRICT: score_of([each.strict for each in outcomes]),
        Level.LOOSE: score_of([each.loose for each in outcomes]),
    }


def _taken(outcomes: Iterable[Outcome], warnings: Iterable[Problem]) -> Iterator[Taken]:
    """The readings that mattered; which figure leads is told always."""
    counts = Counter(code for outcome in outcomes for code in outcome.readings)
    counts.update(OF_PROBLEMS[each.code] for each in warnings if each.code in OF_PROBLEMS)
    for code in ReadingCode:
        if counts[code] or code is ReadingCode.HEADLINE:
            yield Taken(code, counts[code])
