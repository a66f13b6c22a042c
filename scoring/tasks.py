from __future__ import annotations

from jobs.tasks import work
from scoring.services.arbitration import arbitrate
from scoring.services.grading import grade
from scoring.services.pairs import score_pairs_of
from scoring.services.scheme_runs import score_run


@work
def grade_markup(*, markup_id: int) -> None:
    essay_id = grade(markup_id=markup_id)
    arbitrate(essay_id=essay_id)


@work
def score_pairs(*, markup_id: int) -> None:
    score_pairs_of(markup_id=markup_id)


@work
def score_scheme(*, run_id: int) -> None:
    score_run(run_id=run_id)
