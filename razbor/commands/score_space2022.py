"""SpaCE2022, subtask 2: score predicted reasons of spatial anomalies in Chinese texts."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final, TypeVar

from razbor.alike import first_of_each_kind
from razbor.errors import Unusable
from razbor.helping import Example, add_examples
from razbor.inputs import read_bytes
from razbor.options import add_json
from razbor.resting import collector_at_rest
from razbor.tables import table
from razbor.words import _
from schemes.core.space2022 import (
    Level,
    Score,
    UnusableFileError,
    question_to_json,
    read_answers,
    read_predictions,
    score,
    score_to_json,
    winner_of,
)
from schemes.core.space2022.messages import (
    describe,
    describe_error,
    describe_place,
    describe_reading,
)
from schemes.core.space2022.problems import Problem, Source
from schemes.core.space2022.values import Outcome

Value = TypeVar("Value")
Names = Mapping[Source, str]
SCRIPT_KEYS: Final = ("type_accuracy", "micro_f1", "macro_f1", "avg_precision", "avg_recall")

REASON: Final = (
    '{"type": "A", "fragments": [{"role": "text1", "text": "山顶", "idxes": [3, 4]}, '
    '{"role": "text2", "text": "里", "idxes": [5]}]}'
)
ANSWER: Final = f'{{"qid": "dev-3", "context": "船停在山顶里。", "reasons": [{REASON}]}}'
PREDICTION: Final = f'{{"qid": "dev-3", "reasons": [{REASON}]}}'


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "Score reasons of spatial anomalies in Chinese texts: SpaCE2022, subtask 2. The element "
        "F1 ranks."
    )
    answer = _("questions with their reference reasons, JSON Lines or a list; - reads the input")
    parser.add_argument("--answer", metavar="A.jsonl", help=answer)
    parser.add_argument(
        "--prediction", metavar="P.jsonl", help=_("the predicted reasons, likewise")
    )
    level = _("print the five figures of the published script instead, at this level")
    parser.add_argument("--level", choices=[each.value for each in Level], help=level)
    per_question = _("write a line for each question: its figures and its winning pair")
    parser.add_argument("--per-question", metavar="OUT.jsonl", help=per_question)
    add_json(parser)
    likewise = _("a line a question; “text” and “context” may be left out")
    add_examples(
        parser,
        _("files, by an example (“idxes” count the characters of “context” from 0):"),
        Example("--answer", likewise, (ANSWER,)),
        Example("--prediction", likewise, (PREDICTION,)),
    )


def run(args: argparse.Namespace) -> int:
    _refuse_mixture(args)
    names = {Source.ANSWER: args.answer, Source.PREDICTION: args.prediction}
    with collector_at_rest():
        found = _score(args.answer, args.prediction, names)
    if args.per_question:
        _write(args.per_question, found.outcomes, names)
    if args.level:
        show_script(found, Level(args.level), names, as_json=args.json)
    elif args.json:
        print(json.dumps(score_to_json(found, _), ensure_ascii=False, indent=1))
    else:
        show(found, names)
    return 0


def show(found: Score, names: Names) -> None:
    """The three figures, those of the script, the imperfect questions, what was odd or open."""
    words = _("element F1 {element}, text F1 {text}, type accuracy {type}; questions: {count}")
    print(
        words.format(
            element=_figure(found.element_f1),
            text=_figure(found.text_f1),
            type=_figure(found.type_accuracy),
            count=len(found.outcomes),
        )
    )
    rows = [
        (level.value, *map(_figure, asdict(figures).values()))
        for level, figures in found.script.items()
    ]
    print("\n" + table([_("published script"), *SCRIPT_KEYS], rows))
    _show_imperfect(found)
    notes = list(_notes(found, names))
    if notes:
        print("\n" + "\n".join(notes))


def show_script(found: Score, level: Level, names: Names, *, as_json: bool) -> None:
    """The five figures alone, under the script's own names; what was odd goes beside as JSON."""
    figures = asdict(found.script[level])
    if as_json:
        print(json.dumps(figures, indent=2))
    else:
        print(_("published script, level {level}").format(level=level.value))
        print("\n".join(f"{name} {value}" for name, value in figures.items()))
    reading = _(
        "reading: the published script leaves roles out that the prediction omits, and at the "
        "level strict compares sets of types"
    )
    notes = [
        *first_of_each_kind(found.warnings, lambda each: next(_sentences([each], names))),
        reading,
    ]
    print("\n".join(notes), file=sys.stderr if as_json else sys.stdout)


def _show_imperfect(found: Score) -> None:
    rows = [_row(each) for each in found.outcomes if not each.is_perfect]
    if not rows:
        print("\n" + _("Every question is perfect."))
        return
    head = ["qid", _("element F1"), _("text F1"), _("type"), _("winning pair")]
    print("\n" + table([*head, _("found"), _("missed"), _("extra")], rows))


def _row(outcome: Outcome) -> tuple[object, ...]:
    """A line of the table; characters are counted by role, as the figure counts them."""
    figures = (
        outcome.question.qid,
        _figure(outcome.element.tally.f1),
        _figure(outcome.text.tally.f1),
        _("right") if outcome.type_is_right else _("wrong"),
    )
    if outcome.prediction is None:
        return (*figures, _("no prediction"), None, None, None)
    winner = winner_of(outcome)
    if winner is None:
        return (*figures, _("no character hit"), None, None, None)
    ours, theirs = winner.candidate, winner.reference
    counts = (
        sum(len(each.hit) for each in winner.roles),
        sum(len(each.missed) for each in winner.roles),
        sum(len(each.extra) for each in winner.roles),
    )
    return (*figures, f"{ours.type}{ours.number} – {theirs.type}{theirs.number}", *counts)


def _score(answer: str, prediction: str, names: Names) -> Score:
    answers = _read(answer, read_answers)
    if not answers.questions:
        raise _unusable(answers.problems or (Problem("no-questions"),), names)
    predictions = _read(prediction, read_predictions)
    if not predictions.predictions and predictions.problems:
        raise _unusable(predictions.problems, names)
    return score(answers, predictions)


def _read(name: str, read: Callable[[bytes], Value]) -> Value:
    data = read_bytes(name)
    try:
        return read(data)
    except UnusableFileError as error:
        raise Unusable(f"{name}: {describe_error(error, _)}") from None


def _unusable(problems: Sequence[Problem], names: Names) -> Unusable:
    """No record of a file can be used: the first one is named."""
    return Unusable(next(_sentences(problems, names)))


def _write(name: str, outcomes: Iterable[Outcome], names: Names) -> None:
    """Write the file of questions; neither of the files that were read may be lost to it."""
    path = Path(name)
    for read in names.values():
        if read != "-" and path.exists() and path.samefile(read):
            hint = _("{name}: this file was read. Name another one for --per-question.")
            raise Unusable(hint.format(name=name))
    lines = (json.dumps(question_to_json(each), ensure_ascii=False) + "\n" for each in outcomes)
    try:
        with path.open("w", encoding="utf-8", newline="\n") as stream:
            stream.writelines(lines)
    except OSError as error:
        hint = _("{name}: this file cannot be written ({reason}). Name another one.")
        raise Unusable(hint.format(name=name, reason=error.strerror)) from None


def _refuse_mixture(args: argparse.Namespace) -> None:
    if not (args.answer and args.prediction):
        raise Unusable(_("Give --answer and --prediction."))
    if args.per_question == "-":
        raise Unusable(_("--per-question: name a file. The output has the figures."))
    if args.answer == args.prediction == "-":
        raise Unusable(_("Only one of the two files can be read from the input."))


def _notes(found: Score, names: Names) -> Iterator[str]:
    yield from first_of_each_kind(found.warnings, lambda each: next(_sentences([each], names)))
    for taken in found.readings:
        sentence = describe_reading(taken.code, _)
        yield f"{sentence}: {taken.count}" if taken.count else sentence


def _sentences(problems: Iterable[Problem], names: Names) -> Iterator[str]:
    for problem in problems:
        place = describe_place(problem.place, _)
        where = f"{names[problem.source]}, {place}" if place else names[problem.source]
        yield f"{where}: {describe(problem, _)}"


def _figure(value: float | None) -> str | None:
    return None if value is None else f"{value:.4f}"
