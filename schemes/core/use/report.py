"""A score as JSON: what the command line prints, the API answers and the web lets download."""

from __future__ import annotations

from typing import Any

from schemes.core.use.messages import (
    describe,
    describe_reading,
    describe_reason,
)
from schemes.core.use.problems import Problem
from schemes.core.use.values import Outcome, Score, Taken, Variant
from web.core.sentences import Translate


def score_to_json(score: Score, translate: Translate) -> dict[str, Any]:
    """The whole score; ids and variants are strings, numbers are not rounded."""
    return {
        "grade_norm": score.grade_norm,
        "variants": {each.name: variant_to_json(each) for each in score.variants},
        "tasks": [outcome_to_json(each, translate) for each in score.outcomes],
        "warnings": [problem_to_json(each, translate) for each in score.warnings],
        "readings": [_reading_to_json(each, translate) for each in score.readings],
    }


def variant_to_json(variant: Variant) -> dict[str, Any]:
    """Points of 34, tasks the key does not have, tasks without a prediction."""
    return {
        "points": variant.points,
        "max": variant.maximum,
        "missing": list(variant.missing),
        "unanswered": list(variant.unanswered),
    }


def outcome_to_json(outcome: Outcome, translate: Translate) -> dict[str, Any]:
    """One task: its points and the reason, as a code with fields and as a sentence."""
    task, reason = outcome.task, outcome.reason
    return {
        "id": task.id,
        "variant": task.variant,
        "id_task": task.id_task,
        "type": task.type,
        "points": outcome.points,
        "max": task.maximum,
        "answered": outcome.answered,
        "reason": {
            "code": reason.code,
            **{
                name: list(value) if isinstance(value, tuple) else value
                for name, value in reason.fields.items()
            },
            "message": describe_reason(reason, translate),
        },
        "readings": [code.value for code in outcome.readings],
    }


def problem_to_json(problem: Problem, translate: Translate) -> dict[str, Any]:
    """A problem with its file (key or prediction), its place as far as it has one, its sentence."""
    place = problem.place
    where = {"record": place.record, "line": place.line, "id": place.id, "field": place.field}
    return {
        "code": problem.code,
        "file": problem.source.value,
        **{name: value for name, value in where.items() if value not in (None, "")},
        "message": describe(problem, translate),
    }


def _reading_to_json(taken: Taken, translate: Translate) -> dict[str, Any]:
    return {
        "code": taken.code.value,
        "count": taken.count,
        "message": describe_reading(taken.code, translate),
    }
