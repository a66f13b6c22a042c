"""Letters become jobs: each is sent by a worker, exactly once as far as the mail server knows."""

from __future__ import annotations

from collections.abc import Iterable

from jobs.services.work import Promise, order_all


def order_letters(*, letters: Iterable[tuple[int, int]]) -> None:
    """Promise to send these letters, in the caller's transaction; each try is a job of its own."""
    order_all(
        Promise("review.send_letter", f"letter:{pk}:{tries}", {"letter_id": pk})
        for pk, tries in letters
    )
