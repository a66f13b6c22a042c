from __future__ import annotations

from jobs.tasks import work
from review.services import letters
from review.services.finals import settle_grade


@work
def settle_final_grade(*, essay_id: int) -> None:
    settle_grade(essay_id=essay_id)


@work
def send_letter(*, letter_id: int) -> None:
    letters.send_letter(letter_id=letter_id)
