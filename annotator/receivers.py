from __future__ import annotations

from django.dispatch import receiver

from annotator.services.staging import expire_previews
from annotator.services.turns import break_off_lost
from jobs.signals import ticked


@receiver(ticked)
def look_after_imports(**_: object) -> None:
    break_off_lost()
    expire_previews()
