from __future__ import annotations

from jobs.tasks import work_formerly
from schemes.services.runs import score


@work_formerly("scoring.score_scheme")
def score_run(*, run_id: int) -> None:
    score(run_id=run_id)
