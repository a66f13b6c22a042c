from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction

from annotator.models import MarkupRecord
from annotator.services.markup import claim_version
from annotator.services.taking import earlier_fragments
from scoring.models import Ruling


@transaction.atomic
def give_reason(
    *, record: MarkupRecord, version: int, fragments: Iterable[int], reason: str
) -> None:
    """Keep why the third expert decides so about fragments of the earlier checks.

    An empty reason takes it back. Raises ``MarkupConflict``.
    """
    claim_version(record, version)
    for row in earlier_fragments(record, fragments):
        if reason:
            Ruling.objects.update_or_create(
                markup=record, fragment=row, defaults={"reason": reason}
            )
        else:
            Ruling.objects.filter(markup=record, fragment=row).delete()
