"""SpaCE2022 in the web, subtask 2: reasons of spatial anomalies (schemes.md 3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from schemes.adapters.scheme import Chosen, Column, Input, Item, Reads, Scheme, Scored, Unfit, Watch
from schemes.adapters.space2022_tools import TOOLS, drawn, pair_of, reason_of, sentence_of
from schemes.adapters.words import Said, said
from schemes.core import space2022
from schemes.core.space2022 import UnusableFileError, read_answers, read_predictions
from schemes.core.space2022.marks import winner_of
from schemes.core.space2022.messages import (
    describe_error,
    describe_reading,
)
from schemes.core.space2022.problems import Problem, Source
from schemes.core.space2022.report import marks_to_json
from schemes.core.space2022.values import Answers, Outcome, Predictions, Score, Taken
from web.core.sentences import N_, Translate

DRAWN: Final = 10
"""So many imperfect questions of a run are drawn; “why” in the table draws each."""
VERDICTS: Final = {
    "right": N_("right"),
    "partly": N_("partly right"),
    "wrong": N_("wrong"),
    "unanswered": N_("no answer"),
}
TYPE_WORDS: Final = {True: N_("right"), False: N_("wrong")}


def read_key(data: bytes, _options: Chosen, _reads: Reads) -> Answers:
    """The questions of an answer file that has any."""
    try:
        answers = read_answers(data)
    except UnusableFileError as error:
        raise Unfit(_of_error(error)) from None
    if not answers.questions:
        problems = [*answers.problems[:1], Problem("no-questions")]
        raise Unfit(*(_of_problem(each) for each in problems))
    return answers


def read_system(data: bytes, _options: Chosen, _reads: Reads) -> Predictions:
    """The predictions of a system; a file of broken records only is refused."""
    try:
        predictions = read_predictions(data)
    except UnusableFileError as error:
        raise Unfit(_of_error(error)) from None
    if not predictions.predictions and predictions.problems:
        raise Unfit(_of_problem(predictions.problems[0]))
    return predictions


def score(reads: Reads, _options: Chosen, veiled: bool, watch: Watch) -> Scored:
    """Score predictions; the items are the questions of the answer file."""
    found = space2022.score(reads["answers"], reads["predictions"])
    items = []
    for number, outcome in enumerate(found.outcomes):
        if number % 1000 == 0:
            watch(number, len(found.outcomes))
        items.append(_item(outcome, veiled))
    problems = [each for each in found.warnings if not (veiled and each.source is Source.ANSWER)]
    return Scored(
        figures={**_figures(found), "drawn": [] if veiled else list(_drawn(found))},
        items=items,
        problems=[_of_problem(each) for each in problems],
        readings=[_of_reading(each) for each in found.readings],
    )


def explain(
    inputs: Mapping[str, bytes], _options: Chosen, cells: Mapping[str, Any]
) -> tuple[str, Mapping[str, Any]]:
    """The winning pair of the question, drawn."""
    question = _line(inputs["answers"], cells["line"])
    return "draw", {
        "question": question,
        "prediction": _line(inputs["predictions"], cells["answered"]),
    }


def names_of(key: Answers) -> list[str]:
    """The questions of the answer file."""
    return [question.qid for question in key.questions]


def columns(_figures: Mapping[str, Any]) -> tuple[Column, ...]:
    """The same for every run."""
    return (
        Column("qid", "qid"),
        Column("pair", _("winning pair")),
        Column("points", _("element F1"), is_number=True, heading="element_f1"),
        Column("text_f1", _("text F1"), is_number=True),
        Column("type", _("type")),
        Column("reason", _("characters")),
    )


def verdict_of(outcome: Outcome) -> str:
    """How a question came off, as a code of ``VERDICTS``."""
    if outcome.prediction is None:
        return "unanswered"
    if outcome.is_perfect:
        return "right"
    return "partly" if outcome.element.tally.hit else "wrong"


def _figures(found: Score) -> dict[str, Any]:
    return {
        "element_f1": found.element_f1,
        "text_f1": found.text_f1,
        "type_accuracy": found.type_accuracy,
        "questions": len(found.outcomes),
        "imperfect": sum(not each.is_perfect for each in found.outcomes),
        "script": [{"level": level.value, **asdict(each)} for level, each in found.script.items()],
    }


def _drawn(found: Score) -> Iterator[dict[str, Any]]:
    imperfect = (drawn(each) for each in found.outcomes if not each.is_perfect)
    for _number, each in zip(range(DRAWN), filter(None, imperfect), strict=False):
        yield each


def _item(outcome: Outcome, veiled: bool) -> Item:
    winner = winner_of(outcome)
    roles = winner.roles if winner else ()
    return Item(
        name=outcome.question.qid,
        group=winner.reference.type if winner and not veiled else "",
        verdict=verdict_of(outcome),
        points=outcome.element.tally.f1,
        maximum=1.0,
        reason=said(lambda translate: reason_of(outcome, translate)),
        cells={
            "qid": outcome.question.qid,
            "pair": None if veiled else pair_of(outcome),
            "text_f1": outcome.text.tally.f1,
            "type": said(lambda translate: translate(TYPE_WORDS[outcome.type_is_right])),
            "roles": [] if veiled else [marks_to_json(each) for each in roles],
            "line": None if veiled else outcome.question.place.line,
            "answered": outcome.prediction.place.line if outcome.prediction else None,
        },
    )


def _line(data: bytes, number: int | None) -> str:
    """A line of a file that was read, counted from 1; ``None`` is none."""
    return "" if number is None else data.split(b"\n")[number - 1].decode("utf-8-sig")


def _of_reading(taken: Taken) -> Said:
    def words(translate: Translate) -> str:
        sentence = describe_reading(taken.code, translate)
        return f"{sentence}: {taken.count}" if taken.count else sentence

    return said(words)


def _of_problem(problem: Problem) -> Said:
    return said(lambda translate: sentence_of(problem, translate))


def _of_error(error: UnusableFileError) -> Said:
    return said(lambda translate: describe_error(error, translate))


SCHEME: Final = Scheme(
    slug="space2022",
    title=_("SpaCE2022: reasons of spatial anomalies"),
    summary=_(
        "Reasons a system gives for impossible places in Chinese sentences are compared with "
        "reference reasons, character by character: F1 of elements and text, and the type."
    ),
    sources=(
        Input(
            name="answers",
            label=_("questions with reference reasons"),
            help=_("JSON Lines, or one list, with qid, context and reasons."),
            read=read_key,
            is_key=True,
        ),
        Input(
            name="predictions",
            label=_("predicted reasons"),
            help=_("The same with qid and reasons; the first reason of each type counts."),
            read=read_system,
        ),
    ),
    score=score,
    columns=columns,
    names_of=names_of,
    verdicts={code: _(words) for code, words in VERDICTS.items()},
    template="schemes/space2022.html",
    explain=explain,
    group_label=_("type"),
    tools=TOOLS,
)
