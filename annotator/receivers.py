from __future__ import annotations

from django.dispatch import receiver

from accounts.signals import expert_left
from annotator.services.assignment import return_work_of


@receiver(expert_left)
def return_work(user_id: int, actor_id: int | None, **_: object) -> None:
    return_work_of(expert_id=user_id, actor_id=actor_id)
