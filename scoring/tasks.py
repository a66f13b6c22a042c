from __future__ import annotations

from jobs.tasks import work
from scoring.services.assessing import assess
from scoring.services.grading import announce, grade
from scoring.services.pairs import score_pairs_of


@work
def grade_markup(*, markup_id: int) -> None:
    essay_id = grade(markup_id=markup_id)
    announce(essay_id=essay_id)


@work
def score_pairs(*, markup_id: int) -> None:
    score_pairs_of(markup_id=markup_id)


@work
def assess_essay(*, essay_id: int) -> None:
    assess(essay_id=essay_id)
