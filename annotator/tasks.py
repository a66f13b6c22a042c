from __future__ import annotations

from annotator.services.recalling import settle
from jobs.tasks import work


@work
def settle_submission(*, markup_id: int) -> None:
    settle(markup_id=markup_id)
