"""What is said about an essay is corrected; another text is a new version of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.queries import trail_of
from accounts.services.audit import audit
from annotator.core.changes import Change, Edit, Placed
from annotator.core.steps import Step
from annotator.core.versions import carry
from annotator.models import Assignment, Essay, EssaySet, FragmentRecord, MarkupRecord
from annotator.models.changes import NotCarried
from annotator.queries.essays import latest_of
from annotator.queries.work import UNFINISHED
from annotator.services.assignment import hold, hold_in_state
from annotator.services.drafts import make, placed
from annotator.services.gates import refuse_replaced
from annotator.signals import (
    correction_asked,
    drafts_carried,
    essay_replaced,
    rewording_asked,
)
from web.refusals import Conflict, Refused

SAID: Final = ("theme", "task_text", "class_name", "year", "category", "test")
"""What is said about an essay, and may be corrected."""


@dataclass(frozen=True, slots=True)
class Replaced:
    """The new version, how many checks came along, and what became of their drafts' fragments."""

    essay: Essay
    checks: int
    kept: int
    left: int


@transaction.atomic
def correct_essay(*, essay: Essay, seen: int, actor: User, values: Mapping[str, Any]) -> bool:
    """Correct what is said about an essay; false where it is said so already.

    Raises ``Conflict``, and ``Refused`` for a version that is not the latest, or a receiver's.
    """
    held = hold(essay.pk, no_key=True)
    refuse_replaced(held)
    changed = {name: values[name] for name in SAID if getattr(held, name) != values[name]}
    if not changed:
        return False
    if held.revision != seen:
        raise Conflict(_("Somebody corrected this essay meanwhile. Look at it again."))
    rewording_asked.send(sender=Essay, essay_ids=[held.pk])
    before = {name: getattr(held, name) for name in changed}
    Essay.objects.filter(pk=held.pk).update(**changed, revision=F("revision") + 1)
    audit(actor=actor, action="essay.corrected", target=held, before=before, after=changed)
    return True


@transaction.atomic
def replace_essay(*, essay: Essay, text: str, reason: str, actor: User) -> Replaced:
    """Make the next version of an essay and close this one; safe to repeat.

    Checks that are not submitted move to it with their drafts: fragments whose words still stand
    are kept, the rest is noted beside the draft. What was submitted stays with its version. An
    essay for practice may keep its text, for another key. Raises ``Refused``, and ``Conflict``
    where another version came first.
    """
    held = hold_in_state(essay.pk, no_key=True)  # a run that is ordered meanwhile waits for it
    if held.closed_at is not None:
        return _replaced_before(held, text, reason)
    if held.text == text and not held.essay_set.is_practice:
        raise Refused(_("The text is the same: there is nothing to make a version of."))
    if held.essay_set.state == EssaySet.State.ARCHIVED:
        raise Refused(_("The set “%s” is in the archive. Take it out first.") % held.essay_set)
    correction_asked.send(sender=Essay, essay_ids=[held.pk])
    closing = Essay.objects.filter(pk=held.pk)
    closing.update(closed_at=Now(), replaced_because=reason)
    latest = _next_version(held, text)
    checks, drafts = _move_checks(held, latest)
    counts = [_carry_draft(draft, held.text, text) for draft in drafts]
    done = Replaced(
        latest, checks, sum(kept for kept, _left in counts), sum(left for _k, left in counts)
    )
    drafts_carried.send(sender=Essay, markup_ids=[draft.pk for draft in drafts])
    essay_replaced.send(sender=Essay, essay_id=held.pk, reason=reason, actor_id=actor.pk)
    audit(
        actor=actor,
        action="essay.replaced",
        target=latest,
        former=held.pk,
        version=latest.version,
        reason=reason,
        checks=done.checks,
        kept=done.kept,
        left=done.left,
    )
    return done


@transaction.atomic
def dismiss_not_carried(*, record: MarkupRecord, numbers: Sequence[int]) -> None:
    """An expert has seen what the new version had no place for. Safe to repeat."""
    seen = record.not_carried.filter(pk__in=numbers, dismissed_at=None)
    seen.update(dismissed_at=Now())


def _replaced_before(held: Essay, text: str, reason: str) -> Replaced:
    following = Essay.objects.get(
        essay_set=held.essay_set_id, number=held.number, version=held.version + 1
    )
    if (following.text, held.replaced_because) == (text, reason):
        return _told_of(following)
    latest = latest_of(held)
    message = _("Somebody made version %d of this essay meanwhile. Look at it first.")
    raise Conflict(message % latest.version)


def _told_of(made: Essay) -> Replaced:
    """What whoever made a version was told of it."""
    entry = trail_of(made).filter(action="essay.replaced").first()
    told = entry.details if entry else {}
    return Replaced(made, *(told.get(name, 0) for name in ("checks", "kept", "left")))


def _next_version(held: Essay, text: str) -> Essay:
    said = {name: getattr(held, name) for name in SAID}
    latest = Essay.objects.create(
        essay_set=held.essay_set,
        number=held.number,
        subject=held.subject,
        text=text,
        round=held.round,
        version=held.version + 1,
        **said,
    )
    latest.refresh_from_db()
    return latest


def _move_checks(held: Essay, latest: Essay) -> tuple[int, list[MarkupRecord]]:
    """Bring checks that are not submitted, and their drafts, to the new version.

    Drafts are locked before checks, as a submission does it; one that was begun in between is
    found afterwards.
    """
    list(_drafts_of(held).values("pk"))
    moved = held.assignments.filter(state__in=UNFINISHED).order_by("pk")
    checks = [check.pk for check in moved.select_for_update()]
    Assignment.objects.filter(pk__in=checks).update(essay=latest)
    drafts = list(_drafts_of(held, assignment__in=checks))
    MarkupRecord.objects.filter(pk__in=[draft.pk for draft in drafts]).update(
        essay=latest, final_at=None, submitted_at=None
    )
    return len(checks), drafts


def _drafts_of(essay: Essay, **wanted: Any) -> Any:
    drafts = essay.markups.filter(state=MarkupRecord.State.DRAFT, **wanted)
    return drafts.order_by("pk").select_for_update(of=("self",), no_key=True)


def _carry_draft(draft: MarkupRecord, before: str, after: str) -> tuple[int, int]:
    """Place a draft's fragments on the new text; returns how many are kept and how many are not."""
    rows = list(draft.fragments.all())
    carried = carry([row.to_core() for row in rows], before, after)
    edits = [
        Edit(rows[index].uid, placed(rows[index]), Placed(fragment))
        for index, fragment in carried.kept
    ]
    left = [rows[index] for index in carried.left]
    edits += [Edit(row.uid, placed(row), None) for row in left]
    change = Change(tuple(edits))
    make(record=draft, version=draft.version, uid=None, change=change, step=Step.FIXED)
    NotCarried.objects.bulk_create(_noted(draft, row, before) for row in left)
    return len(carried.kept), len(left)


def _noted(draft: MarkupRecord, row: FragmentRecord, before: str) -> NotCarried:
    said = ("code", "subcode", "comment", "explanation", "correction", "tag")
    kept = {name: getattr(row, name) for name in said}
    return NotCarried(markup=draft, words=before[row.start : row.end], **kept)
