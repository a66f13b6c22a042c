"""A score as JSON: what the command line prints, the API answers and the web lets download."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from schemes.core.space2022.marks import RoleMarks, winner_of
from schemes.core.space2022.messages import describe, describe_reading
from schemes.core.space2022.problems import Problem
from schemes.core.space2022.values import Figure, Outcome, Reason, Score, Taken
from web.core.sentences import Translate


def score_to_json(score: Score, translate: Translate) -> dict[str, Any]:
    """The figures, the element F1 first, and those of the published script; none is rounded."""
    return {
        "element_f1": score.element_f1,
        "text_f1": score.text_f1,
        "type_accuracy": score.type_accuracy,
        "questions": len(score.outcomes),
        "script": {level.value: asdict(found) for level, found in score.script.items()},
        "warnings": [problem_to_json(each, translate) for each in score.warnings],
        "readings": [reading_to_json(each, translate) for each in score.readings],
    }


def question_to_json(outcome: Outcome) -> dict[str, Any]:
    """One question: its figures and its winning pair with the characters of every role.

    Reasons are numbered from 1 as the file has them, indices from 0. ``pair`` is ``None`` where
    no character was hit; ``by`` tells by which figure it won.
    """
    return {
        "qid": outcome.question.qid,
        "predicted": outcome.prediction is not None,
        "element_f1": outcome.element.tally.f1,
        "element": _figure_to_json(outcome.element),
        "text_f1": outcome.text.tally.f1,
        "text": _figure_to_json(outcome.text),
        "type_is_right": outcome.type_is_right,
        "script": {"strict_f1": outcome.strict.f1, "loose_f1": outcome.loose.f1},
        "pair": pair_to_json(outcome),
        "readings": [code.value for code in outcome.readings],
    }


def pair_to_json(outcome: Outcome) -> dict[str, Any] | None:
    """The winning pair with hit, missed and extra indices of every role."""
    winner = winner_of(outcome)
    if winner is None:
        return None
    return {
        "by": winner.basis.value,
        "candidate": _reason_to_json(winner.candidate),
        "reference": _reason_to_json(winner.reference),
        "roles": [marks_to_json(each) for each in winner.roles],
    }


def problem_to_json(problem: Problem, translate: Translate) -> dict[str, Any]:
    """A problem with its file, its place as far as it has one, its sentence."""
    place = problem.place
    where = {"line": place.line, "record": place.record, "qid": place.qid, "field": place.field}
    return {
        "code": problem.code,
        "file": problem.source.value,
        **{name: value for name, value in where.items() if value not in (None, "")},
        "message": describe(problem, translate),
    }


def reading_to_json(taken: Taken, translate: Translate) -> dict[str, Any]:
    """A reading, its sentence, and for how many questions or records it was in question."""
    return {
        "code": taken.code.value,
        "count": taken.count,
        "message": describe_reading(taken.code, translate),
    }


def _figure_to_json(figure: Figure) -> dict[str, int]:
    return figure.tally._asdict()


def _reason_to_json(reason: Reason) -> dict[str, Any]:
    return {"number": reason.number, "type": reason.type}


def marks_to_json(marks: RoleMarks) -> dict[str, Any]:
    """The indices of a role in rising order."""
    return {
        "role": marks.role,
        "hit": sorted(marks.hit),
        "missed": sorted(marks.missed),
        "extra": sorted(marks.extra),
    }
