"""What we would have without claims, locks and rows of jobs: look first, act later.

Each twin looks, waits until its rivals have looked too, and acts: the unlucky instant, every time.
"""

from __future__ import annotations

from django.db.models import F
from django.db.models.functions import Now

from annotator.models import Assignment, MarkupRecord
from annotator.services.markup import close, row_of
from annotator.services.refusals import MarkupConflict, RoleTaken
from jobs.models import Job
from review.queries.experts import experts_free_for
from review.services.assigning import holder


def assign(essay, role, expert, rivals):
    if holder(essay, role):
        raise RoleTaken
    rivals.wait()
    return Assignment.objects.create(essay=essay, role=role, expert=expert)


def assign_third(essay, nth, rivals):
    """``nth``: which of the free experts this rival finds the least loaded one."""
    return assign(essay, Assignment.Role.THIRD, experts_free_for(essay)[nth], rivals)


def add_fragment(record, version, uid, fragment, rivals):
    if record.fragments.filter(uid=uid).exists():
        return
    if MarkupRecord.objects.get(pk=record.pk).version != version:
        raise MarkupConflict
    rivals.wait()
    row = row_of(record, fragment)
    row.uid = uid
    row.save()
    MarkupRecord.objects.filter(pk=record.pk).update(version=F("version") + 1)


def save(record, uid, rivals):
    """Read how far the log is, change it, write it back."""
    version = record.changes.count() + 1
    rivals.wait()
    record.changes.update_or_create(version=version, defaults={"uid": uid, "change": {"edits": []}})
    MarkupRecord.objects.filter(pk=record.pk).update(version=version)


def submit(record, rivals):
    record = MarkupRecord.objects.get(pk=record.pk)
    if record.state == MarkupRecord.State.DRAFT:
        rivals.wait()
        close(record)


def send(essay, author, client_key, rivals):
    known = author.markups.filter(client_key=client_key).first()
    if known:
        return known
    rivals.wait()
    return MarkupRecord.objects.create(
        essay=essay,
        author=author,
        source=MarkupRecord.Source.ALGORITHM,
        client_key=client_key,
        state=MarkupRecord.State.SUBMITTED,
        submitted_at=Now(),
    )


def claim(job_id, rivals):
    job = Job.objects.get(pk=job_id)
    if job.state != Job.State.QUEUED:
        return False
    rivals.wait()
    Job.objects.filter(pk=job_id).update(state=Job.State.DONE)
    return True
