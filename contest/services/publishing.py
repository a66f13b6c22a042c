"""Archives of a contest: ordered by organisers, made by a job, open to everybody when whole."""

from __future__ import annotations

import shutil
from hashlib import file_digest
from pathlib import Path
from typing import Final
from uuid import uuid4

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit
from contest.access import may_publish_data
from contest.core.both import Both
from contest.models import (
    Announcement,
    Contest,
    DataSet,
    Phase,
    PhaseVerdict,
    Publication,
    PublicationOrder,
)
from contest.queries.sealing import sealed
from contest.services.announcing import announce
from contest.services.correcting import in_both
from contest.services.publication_files import ROLE_OF, Tell, size_of, write_archive
from jobs.models import Job
from jobs.services.work import fenced, order
from review.services.exporting import folder
from web.core.sentences import N_
from web.refusals import Refused

Kind = Publication.Kind
TITLES: Final = {
    Kind.TRAINING: N_("The training set is published"),
    Kind.TEST: N_("The test set is published"),
    Kind.FINALS: N_("The markups of the finals are published"),
}
BODY: Final = N_("Essays: %(essays)d. SHA-256 of the archive: %(checksum)s")
EVERY: Final = 100
"""So many files lie between two notes of the progress."""


def order_publication(*, contest: Contest, kind: Publication.Kind, actor: User) -> PublicationOrder:
    """Promise an archive; while it is being made, the same order is given back.

    Raises ``Refused``.
    """
    if not may_publish_data(actor):
        raise Refused(_("Archives are published by organisers."))
    with transaction.atomic():
        list(Contest.objects.select_for_update(no_key=True).filter(pk=contest.pk).values("pk"))
        refuse_publication(contest, kind)
        open_orders = contest.orders.filter(kind=kind, finished_at=None)
        open_orders.filter(job__state=Job.State.FAILED).update(finished_at=Now())
        known = open_orders.first()
        return known or _promise(contest, kind, actor)


def refuse_publication(contest: Contest, kind: Publication.Kind) -> None:
    """Raise ``Refused`` where an archive of this kind is not to be published, or is empty."""
    sets = contest.data_sets.filter(role=ROLE_OF[kind])
    if not sets.filter(essay_set__essays__closed_at=None).exists():
        message = _("The contest has no essays of this kind: %s.")
        raise Refused(message % DataSet.Role(ROLE_OF[kind]).label)
    if kind == Kind.FINALS:
        _refuse_finals(contest)


def why_not_published(contest: Contest, kind: Publication.Kind) -> str:
    """Why no archive of this kind can be ordered now; empty where it can."""
    try:
        refuse_publication(contest, kind)
    except Refused as refusal:
        return str(refusal)
    return ""


def make_publication(*, order_id: int) -> None:
    """Write the archive of an order and publish it. Safe to repeat, and to break off anywhere."""
    found = PublicationOrder.objects.filter(pk=order_id)
    ordered = found.select_related("contest", "ordered_by").first()
    if ordered is None or ordered.finished_at is not None:
        return
    kind = Kind(ordered.kind)
    _remove_tries(ordered)
    room = folder() / f"{_tries_of(ordered)}-{uuid4().hex}.part"
    room.mkdir(parents=True)
    try:
        refuse_publication(ordered.contest, kind)
        essays = write_archive(ordered.contest, kind, room / "file", _begin(ordered))
        _publish(ordered, room / "file", essays)
    except Refused as refusal:
        with fenced():
            found.update(refused=str(refusal), finished_at=Now())
    finally:
        shutil.rmtree(room, ignore_errors=True)


def path_of(publication: Publication) -> Path:
    """Where the bytes of a publication lie."""
    return folder() / publication.file


def _promise(contest: Contest, kind: Publication.Kind, actor: User) -> PublicationOrder:
    made = PublicationOrder.objects.create(contest=contest, kind=kind, ordered_by=actor)
    made.job = order(
        kind="contest.make_publication",
        key=made.job_key,
        args={"order_id": made.pk},
        priority=Job.Priority.RUNS,
    )
    made.save(update_fields=["job"])
    audit(actor=actor, action="publication.ordered", target=made, kind=kind)
    return made


def _refuse_finals(contest: Contest) -> None:
    if contest.pk in {each.contest_id for each in sealed()}:
        raise Refused(_("Clause 2.8 of the regulation: the finals of the contest are not over."))
    approved = PhaseVerdict.objects.filter(
        kind=PhaseVerdict.Kind.APPROVED,
        protocol__voided_at=None,
        protocol__phase__contest=contest,
        protocol__phase__kind=Phase.Kind.FINALS,
    )
    if not approved.exists():
        message = _(
            "Clauses 7.13 and 8.2 of the regulation: markups of the finals are published once "
            "organisers have approved the protocol of the finals."
        )
        raise Refused(message)


def _publish(ordered: PublicationOrder, path: Path, essays: int) -> None:
    with path.open("rb") as file:
        checksum = file_digest(file, "sha256").hexdigest()
    contest = ordered.contest
    size = path.stat().st_size
    with fenced():
        refuse_publication(contest, Kind(ordered.kind))  # a protocol may be sent back meanwhile
        made = Publication.objects.create(
            contest=contest,
            kind=ordered.kind,
            file=f"{checksum}.zip",
            size=size,
            essays=essays,
            checksum=checksum,
            made_by=ordered.ordered_by,
        )
        finished = {"publication": made, "finished_at": Now(), "done": F("total")}
        PublicationOrder.objects.filter(pk=ordered.pk).update(**finished)
        audit(actor=ordered.ordered_by, action="publication.made", target=made, checksum=checksum)
        if contest.is_announced:
            _announce(made, ordered.ordered_by)
        path.replace(path_of(made))


def _announce(made: Publication, actor: User) -> None:
    fields = {"essays": made.essays, "checksum": made.checksum}
    announce(
        contest=made.contest,
        kind=Announcement.Kind.DATA,
        title=_title(Kind(made.kind)),
        body=in_both(BODY, **fields),
        actor=actor,
    )


def _title(kind: Publication.Kind) -> Both:
    return in_both(TITLES[kind])


def _begin(ordered: PublicationOrder) -> Tell:
    """Say how many files there will be; what comes back tells how many are written."""
    row = PublicationOrder.objects.filter(pk=ordered.pk)
    total = size_of(ordered.contest, Kind(ordered.kind))
    with fenced():
        row.update(done=0, total=total)

    def tell(done: int) -> None:
        if done % EVERY == 0:
            with fenced():
                row.update(done=min(done, total))

    return tell


def _tries_of(ordered: PublicationOrder) -> str:
    return f"publication-{ordered.pk}"


def _remove_tries(ordered: PublicationOrder) -> None:
    """Remove what workers that were killed have left of this order."""
    for left in folder().glob(f"{_tries_of(ordered)}-*.part"):
        shutil.rmtree(left, ignore_errors=True)
