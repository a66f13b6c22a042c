from __future__ import annotations

from jobs.tasks import work
from review.services import agreeing, exporting, letters
from review.services.finals import settle_grade
from review.services.set_protocols import carry_out_voiding


@work
def settle_final_grade(*, essay_id: int) -> None:
    settle_grade(essay_id=essay_id)


@work
def send_letter(*, letter_id: int) -> None:
    letters.send_letter(letter_id=letter_id)


@work
def compute_agreement(*, set_id: int) -> None:
    agreeing.compute_agreement(set_id=set_id)


@work
def make_export(*, export_id: int) -> None:
    exporting.make_export(export_id=export_id)


@work
def void_set_protocol(*, protocol_id: int, because: str) -> None:
    carry_out_voiding(protocol_id=protocol_id, because=because)
