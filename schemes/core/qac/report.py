"""A score as JSON: what the command line prints, the API answers and the web lets download."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from schemes.core.qac.messages import describe, describe_reading
from schemes.core.qac.problems import Problem
from schemes.core.qac.values import Figures, Judged, Match, Outcome, Score, Taken
from web.core.sentences import Translate


def score_to_json(score: Score, translate: Translate) -> dict[str, Any]:
    """The whole score; numbers are not rounded, null is what is not defined."""
    options = score.options
    return {
        "task": options.task.value,
        "match": options.match.value,
        "nfkc": options.nfkc,
        **figures_to_json(score.figures),
        "averages": {match.value: score.by_match[match].average for match in Match},
        "per_question": [outcome_to_json(each, score) for each in score.outcomes],
        "encodings": {source: each.value for source, each in score.encodings.items()},
        "warnings": [problem_to_json(each, translate) for each in score.warnings],
        "readings": [_reading_to_json(each, translate) for each in score.readings],
    }


def figures_to_json(figures: Figures) -> dict[str, Any]:
    """The two tables."""
    return {
        **asdict(figures),
        "average": figures.average,
        "recall": figures.recall,
        "precision": figures.precision,
        "f_measure": figures.f_measure,
    }


def outcome_to_json(outcome: Outcome, score: Score) -> dict[str, Any]:
    """One question: its mark, its answers and the responses to it."""
    task, match = score.options.task, score.options.match
    question = outcome.question
    return {
        "id": question.id,
        "text": question.text,
        "mark": outcome.mark(task, match),
        "marks": {each.value: outcome.mark(task, each) for each in Match},
        "correct": outcome.found(match),
        "given": outcome.is_given,
        "answers": [
            {"number": number, "string": each.string, "article": each.article}
            for number, each in zip(outcome.numbers, question.answers, strict=True)
        ],
        "responses": [_response_to_json(each, match) for each in outcome.responses],
    }


def problem_to_json(problem: Problem, translate: Translate) -> dict[str, Any]:
    """A problem with its file, its place as far as it has one, its sentence."""
    place = problem.place
    where = {"line": place.line, "column": place.column, "id": place.id}
    return {
        "code": problem.code,
        "file": problem.source.value,
        **{name: value for name, value in where.items() if value not in (None, "")},
        "message": describe(problem, translate),
    }


def _response_to_json(judged: Judged, match: Match) -> dict[str, Any]:
    return {
        "string": judged.response.string,
        "article": judged.response.article,
        "right": judged.is_right(match),
        "number": judged.number,
        "same_article": judged.same_article,
    }


def _reading_to_json(taken: Taken, translate: Translate) -> dict[str, Any]:
    return {
        "code": taken.code.value,
        "count": taken.count,
        "message": describe_reading(taken.code, translate),
    }
