"""What the page of SpaCE2022 does at once: draw the winning pair of one question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from schemes.adapters.fields import Document
from schemes.adapters.scheme import Tool
from schemes.core.space2022 import (
    UnusableFileError,
    read_answers,
    read_predictions,
    score,
    winner_of,
)
from schemes.core.space2022.drawing import words_of
from schemes.core.space2022.messages import describe, describe_error, describe_place
from schemes.core.space2022.problems import Problem, Source
from schemes.core.space2022.report import marks_to_json
from schemes.core.space2022.values import Outcome
from web.core.sentences import N_, Translate

FILES: Final = {Source.ANSWER: N_("answers"), Source.PREDICTION: N_("predictions")}
COUNTS: Final = N_("hit {hit}, missed {missed}, extra {extra}")
NO_HIT: Final = N_("no character hit")
NO_PREDICTION: Final = N_("no prediction")


class DrawForm(forms.Form):
    question = Document(
        label=_("question"), help_text=_("A line of the answer file, with its context.")
    )
    prediction = Document(
        label=_("prediction"),
        help_text=_("The line of the predictions with the same qid."),
        required=False,
    )


def draw(given: Mapping[str, Any]) -> dict[str, Any]:
    """The first question of an answer file with its winning pair, and what was odd."""
    try:
        answers = read_answers(given["question"])
        predictions = read_predictions(given["prediction"])
    except UnusableFileError as error:
        return {"refused": describe_error(error, gettext)}
    if not answers.questions:
        problem = (*answers.problems, Problem("no-questions"))[0]
        return {"refused": sentence_of(problem, gettext)}
    found = score(answers, predictions)
    outcome = found.outcomes[0]
    odd = [each for each in found.warnings if each.code != "no-predictions"]
    return {
        "question": drawn(outcome),
        "qid": outcome.question.qid,
        "reason": reason_of(outcome, gettext),
        "has_context": outcome.question.context is not None,
        "problems": [sentence_of(each, gettext) for each in odd],
    }


def drawn(outcome: Outcome) -> dict[str, Any] | None:
    """A question with its winning pair as JSON, for ``drawing``; ``None`` without a context."""
    winner, context = winner_of(outcome), outcome.question.context
    if winner is None or context is None:
        return None
    return {
        "qid": outcome.question.qid,
        "context": context,
        "element_f1": outcome.element.tally.f1,
        "text_f1": outcome.text.tally.f1,
        "type_is_right": outcome.type_is_right,
        "pair": pair_of(outcome),
        "by": winner.basis.value,
        "roles": [
            {
                **marks_to_json(each),
                "words": {
                    name: words_of(context, getattr(each, name))
                    for name in ("hit", "missed", "extra")
                },
            }
            for each in winner.roles
        ],
    }


def pair_of(outcome: Outcome) -> str | None:
    """“C1 – C1”: the candidate and the reference of the winning pair by type and number."""
    winner = winner_of(outcome)
    if winner is None:
        return None
    ours, theirs = winner.candidate, winner.reference
    return f"{ours.type}{ours.number} – {theirs.type}{theirs.number}"


def reason_of(outcome: Outcome, translate: Translate) -> str:
    """How many characters of the winning pair are hit, missed and extra."""
    if outcome.prediction is None:
        return translate(NO_PREDICTION)
    winner = winner_of(outcome)
    if winner is None:
        return translate(NO_HIT)
    counts = {
        name: sum(len(getattr(each, name)) for each in winner.roles)
        for name in ("hit", "missed", "extra")
    }
    return translate(COUNTS).format(**counts)


def sentence_of(problem: Problem, translate: Translate) -> str:
    """A problem with the file and the place it is in."""
    parts = (translate(FILES[problem.source]), describe_place(problem.place, translate))
    return f"{', '.join(filter(None, parts))}: {describe(problem, translate)}"


TOOLS: Final = {
    "draw": Tool(
        label=_("Draw one question"),
        help=_("The winning pair over the context: what was found, missed and too much."),
        form=DrawForm,
        answer=draw,
        template="schemes/space2022_draw.html",
    ),
}
