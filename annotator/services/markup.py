"""Submissions: a draft is handed in, or a whole markup comes at once; each in one transaction."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Now
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from accounts.services.audit import audit_all, entry
from annotator.core.classifier import classifier_of
from annotator.core.problems import Problem
from annotator.core.validation import (
    MAX_FRAGMENTS,
    SHORT_FIELDS,
    crossings,
    legal_crossings,
    long_names,
    validate,
)
from annotator.core.values import Fragment, MarkedFile, Markup
from annotator.models import Assignment, Essay, FragmentRecord, MarkupRecord, RuleSet
from annotator.services.aliases import allot_aliases
from annotator.services.assignment import hold, hold_in_state
from annotator.services.claiming import claim, keep_step
from annotator.services.gates import refuse_new_algorithms
from annotator.services.refusals import MarkupConflict, MarkupHasProblems
from annotator.signals import (
    markup_handed_in,
    markup_reopened,
    markup_submitted,
    points_stated,
    sending_asked,
    submission_asked,
)
from web.client_keys import ClientKey
from web.refusals import Refused


@dataclass(frozen=True, slots=True)
class Brought:
    """A whole markup from a file, its essay and author, the check it fills, and where it comes
    from.
    """

    essay: Essay
    author: User
    source: MarkupRecord.Source
    file: MarkedFile
    assignment: Assignment | None = None
    origin: str = ""


@transaction.atomic
def submit_markup(*, record: MarkupRecord, version: int) -> MarkupRecord:
    """Hand a draft in: it is closed and announced once it cannot be recalled any more, or at once
    where nothing can be; whoever listens writes in that transaction, or refuses in this one.

    A markup submitted already stays the same submission.
    """
    if record.is_try:
        hold(record.essay_id, no_key=True)  # the essay first: its key does not change meanwhile
    lock(record)
    if record.state == MarkupRecord.State.SUBMITTED or record.final_at is not None:
        return record
    refuse_problems(record.essay, record.to_core())
    if record.version != version:
        raise MarkupConflict(_("The check was changed in another tab. See it, then submit it."))
    claim(record=record, version=version)
    submission_asked.send(sender=MarkupRecord, markup_id=record.pk)
    if settings.RECALL_SECONDS and not record.is_try:
        _hand_in_for_now(record)
    else:
        close(record)
    return record


def _hand_in_for_now(record: MarkupRecord) -> None:
    window = timedelta(seconds=settings.RECALL_SECONDS)
    held = MarkupRecord.objects.filter(pk=record.pk, assignment__state__in=Assignment.ACTIVE)
    if not held.update(submitted_at=Now(), final_at=Now() + window):
        raise MarkupConflict(told=[Problem("check-gone")])
    record.refresh_from_db()
    markup_handed_in.send(sender=MarkupRecord, markup_id=record.pk)


@transaction.atomic
def send_markup(
    *,
    essay: Essay,
    author: User,
    file: MarkedFile,
    client_key: ClientKey | None,
    is_counted: bool = False,
) -> tuple[MarkupRecord, bool]:
    """Hand in an algorithm's markup at once; its author's earlier one of no origin is superseded.

    Returns the record and whether it is new: the same ``client_key`` sent again is the same
    submission. ``is_counted``: it came by a door with quotas. Raises ``MarkupHasProblems``,
    ``Refused``, and ``Conflict`` for a key used otherwise.
    """
    held = hold_in_state(essay.pk)
    # one submission of an author at a time; whoever brings rows that name the author does not wait
    User.objects.select_for_update(no_key=True).get(pk=author.pk)
    if client_key:
        known = author.markups.filter(client_key=client_key.name).first()
        if known:
            refuse_other_essay(known, essay)
            client_key.refuse_other(known.client_digest)
            return known, False
    refuse_new_algorithms(held)
    if not is_counted:
        sending_asked.send(sender=MarkupRecord, essay_id=held.pk, author_id=author.pk)
    source = MarkupRecord.Source.ALGORITHM
    refuse_problems(essay, file.markup, source=source)
    record = store_markup(essay=essay, author=author, source=source, file=file)
    if client_key:
        MarkupRecord.objects.filter(pk=record.pk).update(
            client_key=client_key.name, client_digest=client_key.digest
        )
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
    (record,) = store_markups([Brought(essay, author, source, file, assignment)])
    return record


def store_markups(brought: Sequence[Brought]) -> list[MarkupRecord]:
    """The same for several markups, also of several essays, in as few statements.

    In place of an author's present one of the same essay and origin.
    """
    present: dict[tuple[int, str], list[User]] = defaultdict(list)
    for each in brought:
        refuse_long_names(each.file.markup)
        present[each.essay.pk, each.origin].append(each.author)
    former = Q()
    for (essay, origin), authors in present.items():
        former |= Q(essay=essay, origin=origin, author__in=authors)
    if present:
        supersede(MarkupRecord.objects.filter(former))
    return write_drafts(
        [draft_of(each) for each in brought], [each.file.markup for each in brought]
    )


def supersede(former: QuerySet[MarkupRecord]) -> None:
    """Let these markups count no more: others come in their place."""
    former.exclude(state=MarkupRecord.State.SUPERSEDED).update(
        state=MarkupRecord.State.SUPERSEDED, superseded_at=Now()
    )


def write_drafts(drafts: Sequence[MarkupRecord], markups: Sequence[Markup]) -> list[MarkupRecord]:
    """Write rows that are not saved yet with the fragments of each."""
    records = MarkupRecord.objects.bulk_create(drafts)
    FragmentRecord.objects.bulk_create(
        row_of(record, fragment)
        for record, markup in zip(records, markups, strict=True)
        for fragment in markup.fragments
    )
    return records


def draft_of(brought: Brought) -> MarkupRecord:
    """The row of a whole markup, not saved yet."""
    assignment, meta = brought.assignment, brought.file.meta
    return MarkupRecord(
        essay=brought.essay,
        author=brought.author,
        source=brought.source,
        origin=brought.origin,
        stated=dict(brought.file.stated),
        assignment=assignment,
        third=assignment.role == Assignment.Role.THIRD if assignment else meta.third,
    )


def close(record: MarkupRecord) -> None:
    """Make a draft a submission, in the caller's transaction, and announce it.

    Of a try nobody is told: nothing is graded, scored or counted.
    """
    hand_in([record])
    record.refresh_from_db()
    if record.is_try:
        return
    markup_submitted.send(sender=MarkupRecord, markup_id=record.pk)


def hand_in(records: Sequence[MarkupRecord]) -> None:
    """Make drafts, those of experts of one set, submissions, which the caller announces; in a few
    statements.
    """
    MarkupRecord.objects.filter(pk__in=[record.pk for record in records]).update(
        state=MarkupRecord.State.SUBMITTED,
        submitted_at=Coalesce("submitted_at", Now()),  # when it was handed in, if it waited
        final_at=None,
    )
    checks = {record.assignment_id for record in records} - {None}
    if checks:
        kept = Assignment.objects.filter(pk__in=checks, state__in=Assignment.ACTIVE)
        if len(checks) > 1:  # locked in the order in which all others lock them
            list(kept.order_by("pk").select_for_update().values("pk"))
        handed_in = MarkupRecord.objects.filter(
            assignment=OuterRef("pk"), state=MarkupRecord.State.SUBMITTED
        )
        moment = Subquery(handed_in.values("submitted_at")[:1])
        if kept.update(state=Assignment.State.SUBMITTED, submitted_at=moment) < len(checks):
            raise MarkupConflict(told=[Problem("check-gone")])
    experts = [each for each in records if each.source == MarkupRecord.Source.EXPERT]
    if experts:
        allot_aliases(
            essay_set_id=experts[0].essay.essay_set_id,
            experts=[each.author_id for each in experts],
        )
    audit_all(
        entry(actor=record.author, action="markup.submitted", target=record, essay=record.essay_id)
        for record in records
    )


def reopen(record: MarkupRecord, *, reason: str) -> None:
    """Make a submission a draft again, in the caller's transaction, and announce it."""
    MarkupRecord.objects.filter(pk=record.pk).update(
        state=MarkupRecord.State.DRAFT,
        version=F("version") + 1,  # a page that shows the submitted one is stale
        submitted_at=None,
        reopened_at=Now(),
        reopened_because=reason,
    )
    record.refresh_from_db()
    keep_step(record)
    markup_reopened.send(sender=MarkupRecord, markup_id=record.pk)


def lock(record: MarkupRecord) -> None:
    """Hold a markup's row to the end of the transaction, and see it as it is by now.

    Raises ``Refused`` where it is gone with the import its essay came in by.
    """
    record.known = None
    try:
        record.refresh_from_db(from_queryset=MarkupRecord.objects.select_for_update(no_key=True))
    except MarkupRecord.DoesNotExist:
        raise Refused(_("This essay was taken back: nobody marks it.")) from None


def lock_known(record: MarkupRecord) -> None:
    """The same, for who has read the essay, the check and the fragments just now.

    They are not read again, the fragments unless the markup has another version by now.
    """
    known, version = record.known, record.version
    cached = {
        name: getattr(record, name)
        for name in ("essay", "assignment")
        if MarkupRecord._meta.get_field(name).is_cached(record)
    }
    lock(record)
    for name, found in cached.items():
        if found is not None and found.pk == getattr(record, f"{name}_id"):
            setattr(record, name, found)
    if record.version == version:
        record.known = known


def refuse_problems(
    essay: Essay, markup: Markup, source: MarkupRecord.Source = MarkupRecord.Source.EXPERT
) -> None:
    """Raise ``MarkupHasProblems`` when something in the markup blocks its submission."""
    if len(markup.fragments) > MAX_FRAGMENTS:
        raise MarkupHasProblems(_("A markup holds at most %d fragments.") % MAX_FRAGMENTS, ())
    blocking = problems_of(essay, markup, source)
    if blocking:
        count = len(blocking)
        message = ngettext(
            "%d problem keeps the markup from being submitted.",
            "%d problems keep the markup from being submitted.",
            count,
        )
        raise MarkupHasProblems(message % count, blocking)


def problems_of(essay: Essay, markup: Markup, source: MarkupRecord.Source) -> list[Problem]:
    """All that keeps a markup from being submitted, fragment by fragment.

    Crossing fragments do where the rules say so, and never those of an algorithm.
    """
    may_cross = essay.essay_set.rules.allow_crossing or source == MarkupRecord.Source.ALGORITHM
    found = validate(markup, classifier_of(essay.core_subject), allow_crossing=may_cross)
    blocking = [problem for problem in found if problem.blocks]
    return blocking + list(long_names(markup, SHORT_FIELDS))


def remarks_on_crossing(
    rules: RuleSet, markup: Markup, source: MarkupRecord.Source
) -> tuple[Problem, ...]:
    """What there is to say of crossing fragments the rules do not provide for.

    Raises ``MarkupHasProblems`` for an expert's markup.
    """
    if rules.allow_crossing:
        return ()
    if source == MarkupRecord.Source.ALGORITHM:
        return legal_crossings(markup)
    found = tuple(crossings(markup))
    if found:
        fields = {"number": found[0].fragment, "other": found[0].fields["other"]}
        raise MarkupHasProblems("", found, told=[Problem("crossing-refused", fields=fields)])
    return ()


def remarks_on_points(essay: Essay, file: MarkedFile) -> tuple[Problem, ...]:
    """What there is to say of points a file states and its markup does not bear out."""
    answers = points_stated.send(
        sender=MarkupRecord, subject=essay.core_subject, markup=file.markup, stated=file.stated
    )
    return tuple(problem for _receiver, problems in answers for problem in problems)


def refuse_long_names(markup: Markup) -> None:
    """Raise ``MarkupHasProblems`` for a code, subcode or tag that no column holds."""
    problems = long_names(markup, SHORT_FIELDS)
    if problems:
        fields = {**problems[0].fields, "number": problems[0].fragment}
        raise MarkupHasProblems("", problems, told=[Problem("long-name", fields=fields)])


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
