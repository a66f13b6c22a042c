from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Sequence

from django.db import transaction
from django.utils.translation import ngettext

from annotator.core.changes import Change, Edit, Reasoned, Ruled
from annotator.models import FragmentRecord, MarkupRecord
from annotator.queries.markups import know_sources
from annotator.queries.third_checks import takeable
from annotator.services.drafts import make, placed
from annotator.services.markup import lock_known
from annotator.services.refusals import MarkupHasProblems
from annotator.services.taking import Instead, earlier_fragments, take_fragments
from review.models import Ruling
from review.queries.settling import partners_beside, undecided_pairs


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

    A reason decides nothing, and is a step of its own. An empty one takes it back. Safe to repeat
    with the same ``uid``. Raises ``MarkupConflict``.
    """
    lock_known(record)
    rows = earlier_fragments(_takeable(record), fragments)
    before = dict(record.rulings.values_list("fragment", "reason"))
    said = ((row, before.get(row.pk, "")) for row in rows)
    reasons = (Reasoned(row.pk, row.to_core().span, was, reason) for row, was in said)
    change = Change(reasons=tuple(each for each in reasons if each.before != each.after))
    make(record=record, version=version, uid=uid, change=change)


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

    Copies of them that were taken before go in the same step. ``taken_back``: that is undecided
    again. Reasons that were given stay. Safe to repeat with the same ``uid``. Raises
    ``MarkupConflict``.
    """
    lock_known(record)
    rows = earlier_fragments(_takeable(record), fragments)
    edits = () if taken_back else _without_copies(record, rows)
    change = Change(edits, ruled=_ruled(record, rows, after=not taken_back))
    make(record=record, version=version, uid=uid, change=change)


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
    lock_known(record)
    pairs = {*sources, *instead_of}
    among = _takeable(record)
    rows = [row for row in among if row.pk in pairs]  # a number may be too big for IN
    partners = partners_beside(record) if any(row.tag for row in rows) else {}
    instead = Instead(frozenset(instead_of), _ruled(record, rows, after=False), among, partners)
    return take_fragments(record=record, version=version, sources=sources, instead=instead, uid=uid)


def keep_rulings(
    *, markup_id: int, ruled: Iterable[Ruled], reasons: Iterable[Reasoned] = ()
) -> None:
    """Keep what a step of a third check says of the pairs of the earlier ones that are there."""
    seen = MarkupRecord.objects.select_related("assignment", "essay__essay_set__rules")
    record = seen.get(pk=markup_id)
    present = {row.pk: row for row in takeable(record)}
    rows = [(present[each.number], each.after) for each in ruled if each.number in present]
    for state in (True, False):
        _rule(record, [row for row, after in rows if after is state], neither=state)
    said = [(present[each.number], each.after) for each in reasons if each.number in present]
    for words in dict.fromkeys(after for _row, after in said):
        _rule(record, [row for row, after in said if after == words], reason=words)


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


def _takeable(record: MarkupRecord) -> tuple[FragmentRecord, ...]:
    """What may be taken; the copies that are read already know of which it is one."""
    among = tuple(takeable(record))
    know_sources(record.known or (), among)
    return among


def _without_copies(record: MarkupRecord, sources: Iterable[FragmentRecord]) -> tuple[Edit, ...]:
    """What was taken of these goes."""
    numbers = {source.pk for source in sources}
    copies = (row for row in record.rows() if row.taken_from_id in numbers)
    return tuple(Edit(row.uid, placed(row), None) for row in copies)


def _ruled(
    record: MarkupRecord, rows: Iterable[FragmentRecord], *, after: bool
) -> tuple[Ruled, ...]:
    """What becomes of these fragments that are not so already."""
    before = set(record.rulings.filter(neither=True).values_list("fragment", flat=True))
    return tuple(
        Ruled(row.pk, row.to_core().span, row.pk in before, after)
        for row in rows
        if (row.pk in before) is not after
    )


def _rule(record: MarkupRecord, rows: Collection[FragmentRecord], **words: object) -> None:
    if not rows:
        return
    Ruling.objects.bulk_create(
        (Ruling(markup=record, fragment=row, **words) for row in rows),
        update_conflicts=True,
        unique_fields=["markup", "fragment"],
        update_fields=list(words),
    )
    if not any(words.values()):
        record.rulings.filter(neither=False, reason="").delete()
