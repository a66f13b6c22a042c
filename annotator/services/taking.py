"""The third expert takes fragments of the two earlier checks into the own draft (R 7.9)."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.core.changes import Change, Edit, Ruled
from annotator.core.tags import checks_that_link, propose_tag
from annotator.core.values import Fragment, fold
from annotator.models import FragmentRecord, MarkupRecord
from annotator.queries.markups import know_sources
from annotator.queries.third_checks import takeable
from annotator.services.drafts import make, placed
from annotator.services.markup import lock_known, row_of
from annotator.services.refusals import MarkupConflict


@dataclass(frozen=True, slots=True)
class Instead:
    """What makes room: copies ``of`` these fragments, and what was ruled before.

    ``among``: all that may be taken, where the draft is locked and that was read already.
    ``partners``: to each fragment that of the other check in its pair, where there is one; then
    what links pairs in both checks links the copies, whose side each is of.
    """

    of: frozenset[int] = frozenset()
    ruled: tuple[Ruled, ...] = ()
    among: tuple[FragmentRecord, ...] | None = None
    partners: Mapping[int, int] = field(default_factory=dict)


NOTHING: Final = Instead()


@transaction.atomic
def take_fragments(
    *,
    record: MarkupRecord,
    version: int,
    sources: Iterable[int],
    instead: Instead = NOTHING,
    uid: uuid.UUID | None = None,
) -> list[FragmentRecord]:
    """Copy fragments of the earlier checks into a third expert's draft; returns what is new.

    Each copy remembers its source. What was taken before stays as the third expert has it by now,
    so a request that comes again changes nothing, and returns the same. Copies that make room go,
    unless they were changed since. Raises ``MarkupConflict`` for a source that is gone or may not
    be seen.
    """
    among = instead.among
    if among is None:
        lock_known(record)
        among = tuple(takeable(record))
    rows = know_sources(record.rows(), among)
    present = {row.taken_from_id for row in rows}
    asked = earlier_fragments(among, sources)
    wanted = [source for source in asked if source.pk not in present]
    if not wanted:
        return _made_by(record, uid, rows)
    replaced = [row for row in rows if row.taken_from_id in instead.of and row.is_as_taken]
    kept = [row for row in rows if row not in replaced]
    tags = _tags_of_pairs(among, instead.partners)
    for source in wanted:
        kept.append(_copy(record, source, kept, tags))
    taken = kept[-len(wanted) :]
    edits = (
        *(Edit(row.uid, placed(row), None) for row in replaced),
        *(Edit(row.uid, None, placed(row)) for row in taken),
    )
    make(record=record, version=version, uid=uid, change=Change(edits, ruled=instead.ruled))
    names = {row.uid for row in taken}
    return [row for row in know_sources(record.rows(), among) if row.uid in names]


def _made_by(
    record: MarkupRecord, uid: uuid.UUID | None, rows: Iterable[FragmentRecord]
) -> list[FragmentRecord]:
    """What of a draft a step of it has made that was sent before; nothing where it was not."""
    made = record.changes.filter(uid=uid).first() if uid else None
    names = {edit.uid for edit in made.to_core().edits if edit.after} if made else set()
    return [row for row in rows if row.uid in names]


def earlier_fragments(
    among: Iterable[FragmentRecord], numbers: Iterable[int]
) -> list[FragmentRecord]:
    """Fragments of the earlier checks by their numbers. Raises ``MarkupConflict``."""
    rows = {row.pk: row for row in among}  # a number may be too big for IN
    wanted = list(dict.fromkeys(numbers))
    if not rows.keys() >= set(wanted):
        raise MarkupConflict(
            _("A fragment is not taken: it is gone from the earlier check by now.")
        )
    return [rows[number] for number in wanted]


def uid_of_copy(record: MarkupRecord, source: int) -> uuid.UUID:
    """It follows from the source: taken twice at once it would still be one."""
    return uuid.uuid5(uuid.NAMESPACE_OID, f"{record.pk} takes {source}")


def _tags_of_pairs(
    among: Iterable[FragmentRecord], partners: Mapping[int, int]
) -> dict[int, dict[int, str]]:
    """Of each fragment of the earlier checks its tag and that of its partner, by their checks."""
    rows = {row.pk: row for row in among}
    pairs = {number: (row, rows.get(partners.get(number, 0))) for number, row in rows.items()}
    return {
        number: {row.markup_id: fold(row.tag) for row in pair if row}
        for number, pair in pairs.items()
    }


def _copy(
    record: MarkupRecord,
    source: FragmentRecord,
    beside: Sequence[FragmentRecord],
    tags: Mapping[int, Mapping[int, str]],
) -> FragmentRecord:
    fragment = source.to_core()
    row = row_of(record, replace(fragment, tag=_tag_of(source, fragment, beside, tags)))
    row.uid = uid_of_copy(record, source.pk)
    row.taken_from = source
    return row


def _tag_of(
    source: FragmentRecord,
    fragment: Fragment,
    beside: Sequence[FragmentRecord],
    tags: Mapping[int, Mapping[int, str]],
) -> str:
    """That of a copy it is linked with; else its own, or a new one where that links others here."""
    if not fragment.tag:
        return ""
    linked = []
    for row in beside:
        origin = row.taken_from
        if origin and origin.pk in tags and row.tag:
            checks = source.markup_id, origin.markup_id
            count = checks_that_link(tags[source.pk], tags[origin.pk], checks)
            linked += [(-count, origin.pk, row.tag)] if count else []
    if linked:
        return min(linked)[-1]  # what both checks link goes before
    used = {fold(row.tag) for row in beside}
    if fold(fragment.tag) not in used:
        return fragment.tag
    return propose_tag((row.tag for row in beside), fragment)
