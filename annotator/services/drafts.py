"""An expert's draft: opened once, changed step by step, every step kept as a change."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db import DEFAULT_DB_ALIAS, transaction
from django.db.models import Exists, ForeignObjectRel, OuterRef
from django.utils.translation import gettext as _

from annotator.core.changes import Change, Edit, Placed, Restated, from_json
from annotator.core.classifier import classifier_of
from annotator.core.stated import Stated, frozen
from annotator.core.steps import Step
from annotator.core.tags import common_tag
from annotator.core.validation import MAX_FRAGMENTS
from annotator.core.values import Fragment, Span, fold
from annotator.models import Assignment, FragmentRecord, MarkupRecord
from annotator.queries.third_checks import takeable
from annotator.services.assignment import hold
from annotator.services.claiming import claim
from annotator.services.markup import lock, row_of
from annotator.services.phrases import remember_phrases
from annotator.services.refusals import MarkupConflict, MarkupHasProblems
from annotator.signals import pairs_ruled
from web.refusals import Refused


@transaction.atomic
def open_draft(*, assignment: Assignment) -> MarkupRecord:
    """The expert's markup of the assigned essay; begun the first time. Safe to repeat.

    Raises ``Refused`` when the essay was taken back meanwhile with the import it came in by.
    """
    hold(assignment.essay_id, no_key=True)  # the essay first, as whoever replaces its text
    held = (
        Assignment.objects.select_for_update(of=("self",))
        .filter(pk=assignment.pk)
        .order_by("pk")
        .first()
    )
    if held is None:
        raise Refused(_("This essay was taken back: nobody marks it."))
    record, _made = MarkupRecord.objects.exclude(state=MarkupRecord.State.SUPERSEDED).get_or_create(
        essay_id=held.essay_id,  # another version may have come meanwhile
        author_id=held.expert_id,
        defaults={
            "source": MarkupRecord.Source.EXPERT,
            "assignment": held,
            "third": assignment.role == Assignment.Role.THIRD,
        },
    )
    Assignment.objects.filter(pk=assignment.pk, state=Assignment.State.WAITING).update(
        state=Assignment.State.WORKING
    )
    return record


@transaction.atomic
def make(
    *,
    record: MarkupRecord,
    version: int,
    uid: uuid.UUID | None,
    change: Change,
    step: Step = Step.MADE,
) -> bool:
    """Make a change of a draft and keep it; false when this change was made before.

    ``version``: the draft's the change was made for. Raises ``MarkupConflict`` when something the
    change touches was changed since, or a fragment is gone; ``MarkupHasProblems`` for too many
    fragments.
    """
    claimed = claim(record=record, version=version, uid=uid, change=change, step=step)
    if claimed is not None:
        _write(record, claimed)
        record.has_moved_keys = remember_phrases(user_id=record.author_id, change=claimed)
    if claimed is not None and (claimed.ruled or claimed.reasons):
        said = {"ruled": claimed.ruled, "reasons": claimed.reasons}
        pairs_ruled.send(sender=MarkupRecord, markup_id=record.pk, **said)
    return claimed is not None


def add_fragment(
    *,
    record: MarkupRecord,
    version: int,
    uid: uuid.UUID,
    fragment: Fragment,
    origin: int | None = None,
) -> FragmentRecord:
    """Mark a place. The same ``uid`` sent again is the same fragment.

    ``origin``: the fragment of an earlier check a third expert's one was taken from, when it is
    brought back; forgotten where that may not be seen any more.
    """
    if origin is not None and not takeable(record).filter(pk=origin).exists():
        origin = None
    edit = Edit(uid, None, Placed(fragment, origin))
    make(record=record, version=version, uid=uid, change=Change((edit,)))
    row = next((row for row in record.rows() if row.uid == uid), None)
    if row is None:
        raise MarkupConflict(_("This mark was deleted meanwhile."))
    return row


@transaction.atomic
def mark_all(
    *,
    record: MarkupRecord,
    version: int,
    uid: uuid.UUID,
    fragment: Fragment,
    places: Mapping[uuid.UUID, Span],
) -> int:
    """Mark places the same in one step, and return how many.

    Those over which the same code lies already are left as they are. The same ``uid`` sent again
    is the same step.
    """
    lock(record)
    made = record.changes.filter(uid=uid).first()
    if made:
        return len(made.to_core().edits)
    present = record.fragments.all()
    taken = [row.to_core().span for row in present if fold(row.code) == fold(fragment.code)]
    free = {
        name: span
        for name, span in places.items()
        if not any(each and each.start < span.end and span.start < each.end for each in taken)
    }
    edits = tuple(
        Edit(name, None, Placed(replace(fragment, span=span))) for name, span in free.items()
    )
    if edits:
        make(record=record, version=version, uid=uid, change=Change(edits))
    return len(edits)


def change_fragment(
    *,
    record: MarkupRecord,
    version: int,
    row: FragmentRecord,
    fragment: Fragment,
    uid: uuid.UUID | None = None,
) -> FragmentRecord:
    """Replace what is marked; number and uid stay."""
    before = placed(row)
    after = replace(before, fragment=fragment)
    change = Change((Edit(row.uid, before, after),))
    make(record=record, version=version, uid=uid, change=change)
    changed = row_placed(record, row.uid, after)
    changed.pk = row.pk
    return changed


def link_fragments(
    *,
    record: MarkupRecord,
    version: int,
    first: int | uuid.UUID,
    second: int | uuid.UUID,
    uid: uuid.UUID | None = None,
) -> str:
    """Give two fragments of a draft, by numbers or uids, one tag, which is returned (Appendix 3,
    1.3).
    """
    one, other = (row_named(record, name) for name in (first, second))
    if one is None or other is None or one == other:
        raise Refused(_("One of the two fragments is gone."))
    classifier = classifier_of(record.essay.core_subject)
    for row in (one, other):
        category = classifier.find(row.code)
        if category and not category.takes_tag:
            raise Refused(_("%s takes no tag: it cannot be linked.") % row.code)
    tags = [row.tag for row in record.rows()]
    tag = common_tag(tags, one.to_core(), other.to_core())
    edits = (Edit(row.uid, placed(row), _tagged(row, tag)) for row in (one, other))
    make(record=record, version=version, uid=uid, change=Change(tuple(edits)))
    return tag


def delete_fragment(
    *, record: MarkupRecord, version: int, row: FragmentRecord, uid: uuid.UUID | None = None
) -> None:
    """Take a fragment out of a draft."""
    change = Change((Edit(row.uid, placed(row), None),))
    make(record=record, version=version, uid=uid, change=change)


def state_criteria(
    *,
    record: MarkupRecord,
    version: int,
    stated: Mapping[str, Stated],
    uid: uuid.UUID | None = None,
) -> None:
    """Keep the points an expert states beside the computed ones (regulation, Appendix 3, 1.7)."""
    change = Change(restated=Restated(frozen(record.stated), stated))
    make(record=record, version=version, uid=uid, change=change)


def deleted_by(record: MarkupRecord, uid: uuid.UUID | None) -> Placed | None:
    """What a change that was made before has deleted; ``None`` where it has not."""
    made = record.changes.filter(uid=uid).first() if uid else None
    edits = from_json(made.change).edits if made else ()
    return next((edit.before for edit in edits if edit.before and not edit.after), None)


def row_named(record: MarkupRecord, name: int | uuid.UUID) -> FragmentRecord | None:
    """The fragment of a markup by its number or its uid."""
    return next((row for row in record.rows() if name in (row.pk, row.uid)), None)


def placed(row: FragmentRecord) -> Placed:
    """A row as changes tell of it."""
    return Placed(row.to_core(), row.taken_from_id)


def row_placed(
    record: MarkupRecord, uid: uuid.UUID, mark: Placed, *, number: int | None = None
) -> FragmentRecord:
    """The row of what a change tells, not saved; ``number`` where it had one before."""
    row = row_of(record, mark.fragment)
    row.pk, row.uid, row.taken_from_id = number, uid, mark.origin
    return row


def _tagged(row: FragmentRecord, tag: str) -> Placed:
    mark = placed(row)
    return replace(mark, fragment=replace(mark.fragment, tag=tag))


def _write(record: MarkupRecord, change: Change) -> None:
    """Bring the rows to where the change leads; those that are known are known anew."""
    rows = {row.uid: row for row in record.known or ()}
    gone = [edit.uid for edit in change.edits if edit.after is None]
    if gone:
        _delete(record, gone)
    changed = [
        row_placed(record, edit.uid, edit.after)
        for edit in change.edits
        if edit.before and edit.after
    ]
    for row in changed:
        _rewrite(record, row)
        row.pk = rows[row.uid].pk if row.uid in rows else None
    added = [
        row_placed(record, edit.uid, edit.after, number=edit.after.fragment.id or None)
        for edit in change.edits
        if edit.after and not edit.before
    ]
    _add(record, added)
    if change.restated:
        record.stated = dict(change.restated.after)
        MarkupRecord.objects.filter(pk=record.pk).update(stated=record.stated)
    if record.known is not None:
        rows |= {row.uid: row for row in (*changed, *added)}
        record.known = sorted(
            (row for uid, row in rows.items() if uid not in gone), key=lambda row: row.pk
        )


def _delete(record: MarkupRecord, uids: Sequence[uuid.UUID]) -> None:
    """In one statement where nothing points at the rows, as nothing does in most drafts."""
    rows: Any = record.fragments.filter(uid__in=uids)
    pointers = (
        each.field
        for each in FragmentRecord._meta.get_fields(include_hidden=True)
        if isinstance(each, ForeignObjectRel)
    )
    alone = rows.filter(
        *(
            ~Exists(each.model._base_manager.filter(**{each.name: OuterRef("pk")}))
            for each in pointers
        )
    )
    if alone._raw_delete(DEFAULT_DB_ALIAS) < len(uids):
        rows.delete()


def _rewrite(record: MarkupRecord, row: FragmentRecord) -> None:
    own = {field.attname for field in FragmentRecord._meta.fields} - {"id", "markup_id", "uid"}
    values = {name: getattr(row, name) for name in own}
    if not record.fragments.filter(uid=row.uid).update(**values):
        raise MarkupConflict(_("This mark was deleted meanwhile."))


def _add(record: MarkupRecord, rows: Sequence[FragmentRecord]) -> None:
    if not rows:
        return
    present = {row.uid for row in record.rows()}
    if any(row.uid in present for row in rows):
        raise MarkupConflict(
            _("The same was changed in another tab or on another device. Choose one of the two.")
        )
    if len(present) + len(rows) > MAX_FRAGMENTS:
        raise MarkupHasProblems(_("A markup holds at most %d fragments.") % MAX_FRAGMENTS, ())
    FragmentRecord.objects.bulk_create(rows)
