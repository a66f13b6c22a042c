"""An import under way is carried out by one process at a time, which holds it by a lease.

All times are the database's. Who takes an import over counts its turn up: the writes of the process
that had it before are kept out, should that one still live.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any, Final

from django.db.models import Count, F, Q, QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from annotator.models.imports import EssayImport, ImportedFile
from web.refusals import Refused

LEASE: Final = timedelta(minutes=2)
"""An import without a sign of life for so long was broken off with its process."""

State = EssayImport.State
Outcome = ImportedFile.Outcome


class TurnLost(Refused):
    """Somebody else has taken the import over, or undone it: nothing more may be written."""

    def __init__(self) -> None:
        super().__init__(_("This import was taken over or undone meanwhile. Look at it again."))


def take_turn(batches: QuerySet[EssayImport], **changes: Any) -> bool:
    """Compare and swap: hold an import, in the state it is looked for in; false when it is not."""
    lease = {"state": State.RUNNING, "turn": F("turn") + 1, "lease_until": Now() + LEASE}
    return bool(batches.update(**lease, **changes))


def keep_turn(batch: EssayImport, **changes: Any) -> None:
    """Renew the lease, in the transaction that writes. Raises ``TurnLost``.

    Late is not lost, as long as nobody else has taken the turn.
    """
    held = EssayImport.objects.filter(
        pk=batch.pk, turn=batch.turn, state__in=[State.RUNNING, State.BROKEN]
    )
    if not held.update(state=State.RUNNING, lease_until=Now() + LEASE, **changes):
        raise TurnLost


def lost_imports() -> QuerySet[EssayImport]:
    """Imports under way whose process gave no sign of life."""
    is_lost = Q(lease_until=None) | Q(lease_until__lt=Now())
    return EssayImport.objects.filter(is_lost, state=State.RUNNING)


def break_off_lost() -> None:
    """Say of lost imports that they were broken off, and what came in. Cheap where none is."""
    for batch in lost_imports():
        counts = counted(batch)
        lost_imports().filter(pk=batch.pk).update(state=State.BROKEN, **counts)


def counted(batch: EssayImport) -> dict[str, int]:
    """How many files of an import had which outcome, and what it made."""

    def of(outcome: Outcome) -> Count:
        return Count("pk", filter=Q(outcome=outcome))

    found: dict[str, int] = batch.files.order_by().aggregate(
        essays=Count("essay"),
        markups=of(Outcome.MARKUP),
        known=of(Outcome.KNOWN),
        refused=of(Outcome.REFUSED),
        accounts=Count("pk", filter=Q(makes_account=True)),
    )
    return found


def names_in(batch: EssayImport) -> set[str]:
    """The files of an import of which it is noted what became."""
    names: Iterable[str] = batch.files.order_by().values_list("name", flat=True)
    return set(names)
