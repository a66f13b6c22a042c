"""Key and predictions -> grade_norm: the mean over variants of points / 34.

Seed 001, «Итоговая метрика»; schemes.md 1.1 and the readings of 1.2. Points are summed as whole
numbers and divided once; nothing is rounded.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from schemes.core.use.exam import FULL, ORDER, TRAIN
from schemes.core.use.problems import Problem, Problems, Source
from schemes.core.use.rules import score_answer
from schemes.core.use.values import (
    DEFAULTS,
    Key,
    Options,
    Outcome,
    Prediction,
    Predictions,
    ReadingCode,
    Score,
    Taken,
    Task,
    Variant,
)

RANK: Final = {name: rank for rank, name in enumerate(ORDER)}
Entry = TypeVar("Entry", Task, Prediction)


def score(key: Key, predictions: Predictions, options: Options = DEFAULTS) -> Score:
    """Score the predictions of a model for every task of the key.

    A task without a prediction gets 0; a prediction without a task is reported and ignored; of
    two records with one id the last one counts. Variants are divided by 34 even if the key has
    not all their tasks. grade_norm is ``None`` for the train split and for a key without tasks.
    """
    of_key, of_predictions = Problems(Source.KEY), Problems(Source.PREDICTION)
    tasks = unique_tasks(key.tasks, of_key)
    answers = _answers(tasks, predictions, of_predictions)
    outcomes = tuple(_outcome(task, answers.get(task.id), options) for task in tasks)
    variants = tuple(_variants(outcomes))
    _report_variants(key, variants, of_key)
    warnings = (
        *key.problems,
        *of_key.named(),
        *predictions.problems,
        *of_predictions.named(),
    )
    counts = _counts(key, outcomes, variants, warnings)
    readings = tuple(_taken(counts, options))
    return Score(_grade_norm(key, variants), variants, outcomes, warnings, readings)


def unique_tasks(tasks: Iterable[Task], problems: Problems) -> list[Task]:
    """The tasks in the order of variants and of the exam, each id and each task of a variant once.

    Of two the last one is kept and the problem stands at its place (schemes.md 1.2, 10).
    """
    kept = last_of_each(tasks, lambda task: task.id, "id-twice", problems)
    kept = last_of_each(
        kept, lambda task: f"{task.variant} / {task.id_task}", "task-twice", problems
    )
    return sorted(kept, key=lambda task: (in_order(task.variant), RANK[task.id_task], task.id))


def last_of_each(
    entries: Iterable[Entry],
    name: Callable[[Entry], object],
    code: str,
    problems: Problems,
) -> list[Entry]:
    """Of entries with one name the last; ``code`` reports each that took another's place."""
    found: dict[object, Entry] = {}
    for entry in entries:
        earlier = found.get(name(entry))
        if earlier is not None:
            problems.add(code, entry.place, record=earlier.place.record, name=name(entry))
        found[name(entry)] = entry
    return list(found.values())


def in_order(name: str) -> tuple[int, int, str]:
    """Sorts the names of variants: numbers by value, then other names by their letters."""
    is_number = name.isascii() and name.isdecimal()
    return (0, len(name), name) if is_number else (1, 0, name)


def missing_tasks(tasks: Iterable[Task]) -> dict[str, tuple[str, ...]]:
    """For each variant, in order, the names of tasks that are not there; empty when it is whole."""
    present: defaultdict[str, set[str]] = defaultdict(set)
    for task in tasks:
        present[task.variant].add(task.id_task)
    return {
        variant: tuple(name for name in ORDER if name not in present[variant])
        for variant in sorted(present, key=in_order)
    }


def _answers(
    tasks: Sequence[Task], predictions: Predictions, problems: Problems
) -> Mapping[str, Prediction]:
    known = {task.id for task in tasks}
    kept = last_of_each(predictions.answers, lambda each: each.id, "id-twice", problems)
    for each in kept:
        if each.id not in known:
            problems.add("unknown-id", each.place)
    return {each.id: each for each in kept}


def _outcome(task: Task, prediction: Prediction | None, options: Options) -> Outcome:
    outcome = score_answer(task, prediction.answer if prediction else None, options)
    types = task.id_type, prediction.id_type if prediction else ""
    if all(types) and types[0] != types[1]:
        return replace(outcome, readings=(*outcome.readings, ReadingCode.AS_TEXT))
    return outcome


def _variants(outcomes: Sequence[Outcome]) -> Iterable[Variant]:
    points: Counter[str] = Counter()
    unanswered: defaultdict[str, list[str]] = defaultdict(list)
    for outcome in outcomes:
        points[outcome.task.variant] += outcome.points
        if not outcome.answered:
            unanswered[outcome.task.variant].append(outcome.task.id_task)
    missing = missing_tasks(outcome.task for outcome in outcomes)
    for name, absent in missing.items():
        yield Variant(name, points[name], absent, tuple(unanswered[name]))


def _report_variants(key: Key, variants: Sequence[Variant], problems: Problems) -> None:
    if not variants:
        problems.add("no-tasks")
    elif key.split == TRAIN:
        problems.add("train-has-no-grade")
    else:
        for variant in variants:
            if variant.missing:
                problems.add("incomplete-variant", name=variant.name, tasks=variant.missing)


def _grade_norm(key: Key, variants: Sequence[Variant]) -> float | None:
    if key.split == TRAIN or not variants:
        return None
    return sum(variant.points for variant in variants) / (FULL * len(variants))


def _counts(
    key: Key,
    outcomes: Iterable[Outcome],
    variants: Iterable[Variant],
    warnings: Iterable[Problem],
) -> Counter[ReadingCode]:
    counts = Counter(code for outcome in outcomes for code in outcome.readings)
    if key.split != TRAIN:
        counts[ReadingCode.INCOMPLETE] += sum(bool(variant.missing) for variant in variants)
    counts[ReadingCode.LAST] += sum(each.code in ("id-twice", "task-twice") for each in warnings)
    return counts


def _taken(counts: Counter[ReadingCode], options: Options) -> Iterable[Taken]:
    """The readings that mattered; an option that is on is told even if it changed nothing."""
    chosen = {ReadingCode.LENIENT: options.lenient, ReadingCode.YO_ALIKE: options.yo}
    for code in ReadingCode:
        if counts[code] or chosen.get(code):
            yield Taken(code, counts[code])
