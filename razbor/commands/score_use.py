"""USE: score the answers of a model to Part 1 of the Russian Unified State Exam."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any, Final, TypeVar

from razbor.alike import first_of_each_kind
from razbor.errors import Unusable
from razbor.helping import Example, add_examples
from razbor.inputs import read_bytes
from razbor.options import add_json
from razbor.tables import table
from razbor.words import _
from schemes.core.use import (
    Options,
    Score,
    UnusableFileError,
    check_dataset,
    prompts_of,
    read_instructions,
    read_key,
    read_predictions,
    refuse_idle_split,
    score,
    score_to_json,
)
from schemes.core.use.exam import FULL, HUMAN_GRADE_NORM
from schemes.core.use.messages import (
    describe,
    describe_error,
    describe_place,
    describe_reading,
    describe_reason,
)
from schemes.core.use.problems import Problem, Problems, Source
from schemes.core.use.report import problem_to_json
from schemes.core.use.validation import Checked
from schemes.core.use.values import Key, Predictions

Value = TypeVar("Value")

KEY: Final = (
    "id,variant,id_task,type,outputs",
    '0,1,1,multiple_choice_based_on_text,"2,5"',
    "1,1,4,text,звонит",
    '2,1,26,matching,"8,1,9,7"',
)
PREDICTIONS: Final = ("id,outputs", '0,"2,5"', "1,звонит", '2,"8,1,9,7"')
RECORD: Final = (
    '{"outputs": "2,5", "meta": {"id": 0, "id_task": "1", "variant": 1, '
    '"type": "multiple_choice_based_on_text"}}'
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "Score answers to Part 1 of the Russian Unified State Exam: grade_norm of MERA's USE."
    )
    key = _("tasks with their keys: MERA's JSON, a list, JSON Lines, CSV or ZIP; - reads the input")
    parser.add_argument("--answer", metavar="GOLD", help=key)
    parser.add_argument("--prediction", metavar="PRED", help=_("the model's answers, likewise"))
    parser.add_argument("--check", metavar="DATASET", help=_("look for problems of a data set"))
    parser.add_argument("--prompts", metavar="DATASET", help=_("write prompts as JSON Lines"))
    parser.add_argument(
        "--instructions", metavar="FILE", help=_("instructions for --prompts, else each its own")
    )
    parser.add_argument("--split", help=_("test unless told otherwise, or the only one there is"))
    lenient = _("blanks, semicolons and full stops separate numbers too")
    parser.add_argument("--lenient", action="store_true", help=lenient)
    parser.add_argument("--yo", action="store_true", help=_("ё and е are one letter"))
    add_json(parser)
    add_examples(
        parser,
        _("files, by an example:"),
        Example("--answer", _("CSV with these columns"), KEY),
        Example("--prediction", _("CSV with these columns"), PREDICTIONS),
        Example("--answer, --prediction", _("the same as JSON Lines, a task a line"), (RECORD,)),
    )


def run(args: argparse.Namespace) -> int:
    _refuse_mixture(args)
    if args.check:
        return _check(args)
    if args.prompts:
        return _prompts(args)
    key = _key(args)
    predictions = _predictions(args, key)
    try:
        refuse_idle_split(args.split, key, predictions)
    except UnusableFileError as error:
        raise Unusable(f"{args.answer}, {args.prediction}: {describe_error(error, _)}") from None
    found = score(key, predictions, Options(lenient=args.lenient, yo=args.yo))
    if args.json:
        print(json.dumps(score_to_json(found, _), ensure_ascii=False, indent=1))
    else:
        names = {Source.KEY: args.answer, Source.PREDICTION: args.prediction}
        show(found, names)
    return 0


def show(found: Score, names: Mapping[Source, str]) -> None:
    """The figure, the variants, the tasks that lost points; what was odd and how it was read."""
    if found.grade_norm is not None:
        words = _("grade_norm {value:.3f} (people in 2019: {human})")
        print(words.format(value=found.grade_norm, human=HUMAN_GRADE_NORM))
    head = [_("variant"), _("points"), _("of"), _("not in the key"), _("no prediction")]
    rows = [
        (each.name, each.points, each.maximum, _names(each.missing), _names(each.unanswered))
        for each in found.variants
    ]
    print(table(head, rows))
    _show_lost(found)
    notes = [
        *first_of_each_kind(found.warnings, lambda each: next(_sentences([each], names))),
        *(f"{describe_reading(taken.code, _)}: {taken.count}" for taken in found.readings),
    ]
    if notes:
        print("\n" + "\n".join(notes))


def _show_lost(found: Score) -> None:
    lost = [each for each in found.outcomes if each.lost]
    if not lost:
        print(_("No task lost points."))
        return
    rows = [
        (
            each.task.variant,
            each.task.id_task,
            each.task.id,
            each.points,
            each.task.maximum,
            describe_reason(each.reason, _),
        )
        for each in lost
    ]
    head = [_("variant"), _("task"), "id", _("points"), _("of"), _("because of")]
    print("\n" + table(head, rows))


def _check(args: argparse.Namespace) -> int:
    """Exit status 1 when there are problems, as ``razbor validate``."""
    checked = _read(args.check, lambda data: check_dataset(data, split=args.split))
    if args.json:
        print(json.dumps(_checked_to_json(checked), ensure_ascii=False, indent=1))
        return 1 if checked.problems else 0
    for sentence in _sentences(checked.problems, {Source.KEY: args.check}):
        print(sentence)
    words = _(
        "{name}: tasks: {tasks}, variants: {variants} (of {points} points each), problems: {count}"
    )
    print(
        words.format(
            name=args.check,
            tasks=checked.tasks,
            variants=checked.variants,
            points=FULL,
            count=len(checked.problems),
        )
    )
    return 1 if checked.problems else 0


def _checked_to_json(checked: Checked) -> dict[str, Any]:
    return {
        "tasks": checked.tasks,
        "variants": checked.variants,
        "split": checked.split,
        "problems": [problem_to_json(each, _) for each in checked.problems],
    }


def _prompts(args: argparse.Namespace) -> int:
    """A line for each task and instruction; records that have none are named on stderr."""
    given = _read(args.instructions, read_instructions) if args.instructions else None
    problems = Problems(Source.KEY)
    prompts = _read(
        args.prompts,
        lambda data: list(prompts_of(data, problems, instructions=given, split=args.split)),
    )
    for prompt in prompts:
        sys.stdout.write(json.dumps(asdict(prompt), ensure_ascii=False) + "\n")
    found = problems.named()
    for sentence in _sentences(found, {Source.KEY: args.prompts}):
        print(sentence, file=sys.stderr)
    return 1 if found else 0


def _key(args: argparse.Namespace) -> Key:
    key = _read(args.answer, lambda data: read_key(data, split=args.split))
    if not key.tasks:
        first = key.problems[0] if key.problems else Problem("no-tasks")
        raise Unusable(next(_sentences([first], {Source.KEY: args.answer})))
    return key


def _predictions(args: argparse.Namespace, key: Key) -> Predictions:
    found = _read(args.prediction, lambda data: read_predictions(data, split=key.split))
    if found.problems and not found.answers:
        names = {Source.PREDICTION: args.prediction}
        raise Unusable(next(_sentences(found.problems, names)))
    return found


def _read(name: str, read: Callable[[bytes], Value]) -> Value:
    data = read_bytes(name)
    try:
        return read(data)
    except UnusableFileError as error:
        raise Unusable(f"{name}: {describe_error(error, _)}") from None


def _refuse_mixture(args: argparse.Namespace) -> None:
    modes = [bool(args.answer and args.prediction), bool(args.check), bool(args.prompts)]
    if sum(modes) != 1 or bool(args.answer) != bool(args.prediction):
        raise Unusable(_("Give --answer and --prediction, or --check, or --prompts."))
    if args.instructions and not args.prompts:
        raise Unusable(_("--instructions belongs to --prompts."))


def _sentences(problems: Iterable[Problem], names: Mapping[Source, str]) -> Iterator[str]:
    for problem in problems:
        place = describe_place(problem.place, _)
        where = f"{names[problem.source]}, {place}" if place else names[problem.source]
        yield f"{where}: {describe(problem, _)}"


def _names(names: Iterable[str]) -> str:
    return ", ".join(names)
