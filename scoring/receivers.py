from __future__ import annotations

from django.dispatch import receiver

from annotator.signals import markup_reopened, markup_submitted
from jobs.services.work import order
from jobs.signals import ticked
from scoring.services.arbitration import assign_waiting_thirds
from scoring.services.voiding import void_figures_of


@receiver(markup_submitted)
def order_grading(markup_id: int, **_: object) -> None:
    order(kind="scoring.grade_markup", key=f"grade:{markup_id}", args={"markup_id": markup_id})


@receiver(markup_submitted)
def order_scoring(markup_id: int, **_: object) -> None:
    order(kind="scoring.score_pairs", key=f"score:{markup_id}", args={"markup_id": markup_id})


@receiver(markup_reopened)
def void_figures(markup_id: int, **_: object) -> None:
    void_figures_of(markup_id=markup_id)


@receiver(ticked)
def look_for_free_experts(**_: object) -> None:
    assign_waiting_thirds()
