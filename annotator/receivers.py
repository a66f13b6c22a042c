from __future__ import annotations

from django.dispatch import receiver

from annotator.services.imports.staging import expire_previews
from annotator.services.imports.turns import break_off_lost
from annotator.services.recalling import order_settlement
from annotator.signals import markup_handed_in
from jobs.signals import ticked


@receiver(markup_handed_in)
def settle_later(markup_id: int, **_: object) -> None:
    order_settlement(markup_id=markup_id)


@receiver(ticked)
def look_after_imports(**_: object) -> None:
    break_off_lost()
    expire_previews()
