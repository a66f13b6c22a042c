from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence

from django.db import transaction
from django.utils.translation import ngettext

from annotator.models import FragmentRecord, MarkupRecord
from annotator.services.claiming import claim
from annotator.services.refusals import MarkupHasProblems
from annotator.services.taking import earlier_fragments, take_fragments
from review.models import Ruling
from review.queries.settling import undecided_pairs


@transaction.atomic
def give_reason(
    *,
    record: MarkupRecord,
    version: int,
    fragments: Iterable[int],
    reason: str,
    uid: uuid.UUID | None = None,
) -> None:
    """Keep why the third expert decides so about fragments of the earlier checks.

    A reason decides nothing. An empty one takes it back. Safe to repeat with the same ``uid``.
    Raises ``MarkupConflict``.
    """
    if claim(record=record, version=version, uid=uid) is not None:
        _rule(record, fragments, reason=reason)


@transaction.atomic
def take_neither(
    *,
    record: MarkupRecord,
    version: int,
    fragments: Iterable[int],
    taken_back: bool = False,
    uid: uuid.UUID | None = None,
) -> None:
    """Keep that the third expert takes none of these fragments of the earlier checks.

    ``taken_back``: that is undecided again. Reasons that were given stay. Safe to repeat with the
    same ``uid``. Raises ``MarkupConflict``.
    """
    if claim(record=record, version=version, uid=uid) is not None:
        _rule(record, fragments, neither=not taken_back)


@transaction.atomic
def take(
    *,
    record: MarkupRecord,
    version: int,
    sources: Sequence[int],
    instead_of: Sequence[int] = (),
    uid: uuid.UUID | None = None,
) -> list[FragmentRecord]:
    """Take fragments of the earlier checks; that neither of their pairs is taken holds no more."""
    taken = take_fragments(
        record=record, version=version, sources=sources, instead_of=instead_of, uid=uid
    )
    if taken:
        pairs = {*sources, *instead_of}
        ruled = [row for row in record.rulings.filter(neither=True) if row.fragment_id in pairs]
        record.rulings.filter(pk__in=[row.pk for row in ruled]).update(neither=False)
        _forget_empty(record)
    return taken


def refuse_undecided(*, markup_id: int) -> None:
    """Raise ``MarkupHasProblems`` for a third check that leaves pairs of the earlier ones open."""
    count = len(undecided_pairs(MarkupRecord.objects.get(pk=markup_id)))
    if count:
        message = ngettext(
            "%d pair of the earlier checks is undecided. Take a fragment of it, or neither.",
            "%d pairs of the earlier checks are undecided. Take a fragment of each, or neither.",
            count,
        )
        raise MarkupHasProblems(message % count, ())


def _rule(record: MarkupRecord, fragments: Iterable[int], **words: object) -> None:
    Ruling.objects.bulk_create(
        (
            Ruling(markup=record, fragment=row, **words)
            for row in earlier_fragments(record, fragments)
        ),
        update_conflicts=True,
        unique_fields=["markup", "fragment"],
        update_fields=list(words),
    )
    _forget_empty(record)


def _forget_empty(record: MarkupRecord) -> None:
    record.rulings.filter(neither=False, reason="").delete()
