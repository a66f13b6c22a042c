"""Drafts and submissions: every change is one transaction and counts the markup's version up."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Final

from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from accounts.services.audit import record as audit
from annotator.core.classifier import classifier_of
from annotator.core.tags import common_tag
from annotator.core.validation import long_names, validate
from annotator.core.values import Fragment, MarkedFile, Markup
from annotator.models import Assignment, Essay, FragmentRecord, MarkupRecord
from annotator.queries import takeable
from annotator.services.refusals import MarkupConflict, MarkupHasProblems, Refused
from annotator.signals import markup_submitted

MAX_FRAGMENTS: Final = 1000
"""More marks than words: such a markup is a mistake or an attack on the matcher."""

SHORT_FIELDS: Final = {"code": 60, "subcode": 60, "tag": 60}
"""Fields of a fragment that are names, and how many characters their columns hold."""


@transaction.atomic
def open_draft(*, assignment: Assignment) -> MarkupRecord:
    """The expert's markup of the assigned essay; begun the first time. Safe to repeat."""
    record, _made = MarkupRecord.objects.exclude(state=MarkupRecord.State.SUPERSEDED).get_or_create(
        essay_id=assignment.essay_id,
        author_id=assignment.expert_id,
        defaults={
            "source": MarkupRecord.Source.EXPERT,
            "assignment": assignment,
            "third": assignment.role == Assignment.Role.THIRD,
        },
    )
    Assignment.objects.filter(pk=assignment.pk, state=Assignment.State.WAITING).update(
        state=Assignment.State.WORKING
    )
    return record


@transaction.atomic
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
    lock(record)  # the same request may come twice at once
    known = record.fragments.filter(uid=uid).first()
    if known:
        return known
    claim_version(record, version)
    if record.fragments.count() >= MAX_FRAGMENTS:
        raise MarkupHasProblems(_("A markup holds at most %d fragments.") % MAX_FRAGMENTS, ())
    row = row_of(record, fragment)
    row.uid = uid
    if origin is not None:
        row.taken_from = next((each for each in takeable(record) if each.pk == origin), None)
    row.save()
    return row


@transaction.atomic
def change_fragment(
    *, record: MarkupRecord, version: int, row: FragmentRecord, fragment: Fragment
) -> FragmentRecord:
    """Replace what is marked; number and uid stay."""
    claim_version(record, version)
    changed = row_of(record, fragment)
    changed.pk, changed.uid, changed.taken_from_id = row.pk, row.uid, row.taken_from_id
    changed.save(force_update=True)
    return changed


@transaction.atomic
def link_fragments(*, record: MarkupRecord, version: int, first: int, second: int) -> str:
    """Give two fragments of a draft one tag, which is returned (Appendix 3, 1.3)."""
    claim_version(record, version)
    found = record.fragments.filter(Q(pk=first) | Q(pk=second))  # a number may be too big for IN
    rows = {row.pk: row for row in found}
    if len(rows) < 2:
        raise MarkupConflict(_("One of the two fragments is gone. Load the page anew."))
    classifier = classifier_of(record.essay.core_subject)
    for row in rows.values():
        category = classifier.find(row.code)
        if category and not category.takes_tag:
            raise Refused(_("%s takes no tag: it cannot be linked.") % row.code)
    tag = common_tag(record.to_core(), rows[first].to_core(), rows[second].to_core())
    record.fragments.filter(pk__in=rows).update(tag=tag)
    return tag


@transaction.atomic
def delete_fragment(*, record: MarkupRecord, version: int, row: FragmentRecord) -> None:
    """Take a fragment out of a draft."""
    claim_version(record, version)
    row.delete()


@transaction.atomic
def state_criteria(*, record: MarkupRecord, version: int, stated: Mapping[str, int]) -> None:
    """Keep the points an expert states beside the computed ones (regulation, Appendix 3, 1.7)."""
    claim_version(record, version)
    record.stated = dict(stated)
    record.save(update_fields=["stated"])


@transaction.atomic
def submit_markup(*, record: MarkupRecord, version: int) -> MarkupRecord:
    """Close a draft and announce it; whoever listens writes in this transaction.

    A markup submitted already stays the same submission.
    """
    lock(record)
    if record.state == MarkupRecord.State.SUBMITTED:
        return record
    refuse_problems(record.essay, record.to_core())
    claim_version(record, version)
    close(record)
    return record


@transaction.atomic
def send_markup(
    *,
    essay: Essay,
    author: User,
    source: MarkupRecord.Source,
    file: MarkedFile,
    client_key: str | None,
) -> tuple[MarkupRecord, bool]:
    """Hand in a whole markup at once; the author's earlier one is superseded.

    Returns the record and whether it is new: the same ``client_key`` sent again is the same
    submission. Raises ``MarkupHasProblems``.
    """
    User.objects.select_for_update().get(pk=author.pk)  # one submission of an author at a time
    Essay.objects.select_for_update().get(pk=essay.pk)
    if client_key:
        known = author.markups.filter(client_key=client_key).first()
        if known:
            refuse_other_essay(known, essay)
            return known, False
    refuse_problems(essay, file.markup)
    record = store_markup(essay=essay, author=author, source=source, file=file)
    MarkupRecord.objects.filter(pk=record.pk).update(client_key=client_key)
    close(record)
    return record, True


def store_markup(
    *,
    essay: Essay,
    author: User,
    source: MarkupRecord.Source,
    file: MarkedFile,
    assignment: Assignment | None = None,
) -> MarkupRecord:
    """Write a file's markup as a draft in place of the author's present one.

    Its text must be the essay's. Raises ``MarkupHasProblems``.
    """
    refuse_long_names(file.markup)
    essay.markups.filter(author=author).exclude(state=MarkupRecord.State.SUPERSEDED).update(
        state=MarkupRecord.State.SUPERSEDED, submitted_at=Now()
    )
    record = MarkupRecord.objects.create(
        essay=essay,
        author=author,
        source=source,
        stated=dict(file.stated),
        assignment=assignment,
        third=assignment.role == Assignment.Role.THIRD if assignment else file.meta.third,
    )
    FragmentRecord.objects.bulk_create(row_of(record, each) for each in file.markup.fragments)
    return record


def close(record: MarkupRecord) -> None:
    """Make a draft a submission, in the caller's transaction, and announce it."""
    MarkupRecord.objects.filter(pk=record.pk).update(
        state=MarkupRecord.State.SUBMITTED, submitted_at=Now()
    )
    if record.assignment_id:
        kept = Assignment.objects.filter(pk=record.assignment_id, state__in=Assignment.ACTIVE)
        if not kept.update(state=Assignment.State.SUBMITTED, submitted_at=Now()):
            raise MarkupConflict(_("This check was handed back or taken away."))
    record.refresh_from_db()
    audit(actor=record.author, action="markup.submitted", target=record, essay=record.essay_id)
    markup_submitted.send(sender=MarkupRecord, markup_id=record.pk)


def lock(record: MarkupRecord) -> None:
    """Hold a markup's row to the end of the transaction, and see it as it is by now."""
    record.refresh_from_db(from_queryset=MarkupRecord.objects.select_for_update())


def claim_version(record: MarkupRecord, version: int) -> None:
    """Compare and swap: take the next version of a draft, or raise ``MarkupConflict``."""
    mine = MarkupRecord.objects.filter(
        pk=record.pk, version=version, state=MarkupRecord.State.DRAFT
    ).update(version=F("version") + 1, saved_at=Now())
    if not mine:
        raise MarkupConflict(_("Changed in another tab, or submitted already. Load the page anew."))
    record.version = version + 1


def refuse_problems(essay: Essay, markup: Markup) -> None:
    """Raise ``MarkupHasProblems`` when something in the markup blocks its submission."""
    if len(markup.fragments) > MAX_FRAGMENTS:
        raise MarkupHasProblems(_("A markup holds at most %d fragments.") % MAX_FRAGMENTS, ())
    rules = essay.essay_set.rules
    found = validate(markup, classifier_of(essay.core_subject), allow_crossing=rules.allow_crossing)
    blocking = [problem for problem in found if problem.blocks]
    if blocking:
        count = len(blocking)
        message = ngettext(
            "%d problem keeps the markup from being submitted.",
            "%d problems keep the markup from being submitted.",
            count,
        )
        raise MarkupHasProblems(message % count, blocking)


def refuse_long_names(markup: Markup) -> None:
    """Raise ``MarkupHasProblems`` for a code, subcode or tag that no column holds."""
    problems = long_names(markup, SHORT_FIELDS)
    if problems:
        message = _("Fragment %(number)d: the %(field)s is longer than %(limit)d characters.")
        field, limit = problems[0].fields["element"], problems[0].fields["limit"]
        fields = {"number": problems[0].fragment, "field": _(str(field)), "limit": limit}
        raise MarkupHasProblems(message % fields, problems)


def refuse_other_essay(known: MarkupRecord, essay: Essay) -> None:
    """A client key belongs to one submission of one essay."""
    if known.essay_id != essay.pk:
        raise MarkupConflict(_("This key was used for another essay. Use a new one."))


def row_of(record: MarkupRecord, fragment: Fragment) -> FragmentRecord:
    """The row of a value, not saved yet."""
    return FragmentRecord(
        markup=record,
        start=fragment.span.start if fragment.span else None,
        end=fragment.span.end if fragment.span else None,
        kind=fragment.kind.value,
        code=fragment.code,
        subcode=fragment.subcode,
        comment=fragment.comment,
        explanation=fragment.explanation,
        correction=fragment.correction,
        tag=fragment.tag,
    )
