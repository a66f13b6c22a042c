"""Pages of score runs for axe."""

from __future__ import annotations

from tests.accounts.run_world import run_of, score_runs
from tests.factories import PersonFactory


class RunPages:
    def page_score_runs(self):
        run_of(state="ready")
        return PersonFactory(role="organiser"), "/scores/runs/"

    def page_score_run(self):
        pk = score_runs()["run-vouched"]["pk"]
        return PersonFactory(role="organiser"), f"/scores/runs/{pk}/"

    def page_run_question(self):
        pk = score_runs()["run-applied"]["pk"]
        return PersonFactory(role="judge"), f"/scores/runs/{pk}/verdict/?kind=returned"
