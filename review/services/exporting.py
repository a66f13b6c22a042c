"""Files people order: promised once while nothing changed, made by a job, deleted after some days.

A file is written in a folder of its own try and takes its place when it is whole: of a worker that
is killed no half of one stays, and the next begins anew.
"""

from __future__ import annotations

import shutil
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Final
from uuid import uuid4

from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit
from annotator.models import EssaySet
from jobs.models import Job
from jobs.services.work import fenced, order
from review.access import is_closed_to_learners, kinds_exported_for, may_order_export
from review.models import Export
from review.services.export_files import (
    Tell,
    write_csv,
    write_markups,
    write_training,
    write_workbook,
)
from review.services.export_tables import Table, agreement_of, people_for, results_of
from review.services.revisions import revision_of_people, revision_of_set
from web.core.sheets import COMMAS, RUSSIAN_EXCEL
from web.refusals import Refused

KEPT: Final = timedelta(days=7)
MOST_WAITING: Final = 10
"""So many exports of one person wait or are made at a time."""

Form, Kind, State = Export.Form, Export.Kind, Export.State
SHEETS: Final = (Form.CSV, Form.RUSSIAN_CSV, Form.XLSX)
FORMS: Final = {
    Kind.RESULTS: SHEETS,
    Kind.AGREEMENT: SHEETS,
    Kind.PEOPLE: SHEETS,
    Kind.MARKUPS: (Form.ZIP,),
    Kind.TRAINING: (Form.JSONL,),
}
"""The forms each kind is written in, the usual one first."""


def order_export(
    *, owner: User, kind: Export.Kind, form: Export.Form, essay_set: EssaySet | None
) -> Export:
    """Promise a file; what was ordered before is given back while nothing in it changed.

    Raises ``Refused``.
    """
    if is_closed_to_learners(kind, essay_set) and kind in kinds_exported_for(owner):
        raise Refused(
            _("A training set needs a set whose markups participants see; of this one they do not.")
        )
    if not may_order_export(owner, kind, essay_set):
        raise Refused(_("This may not be exported by you."))
    if form not in FORMS[kind] or (essay_set is None) != (kind == Kind.PEOPLE):
        raise Refused(_("Choose what is exported, of which set and in which form."))
    digest = _digest(kind, form, essay_set)
    with transaction.atomic():
        list(User.objects.select_for_update(no_key=True).filter(pk=owner.pk).values("pk"))
        forget_lost(owner)
        known = Export.objects.filter(owner=owner, digest=digest, state__in=Export.LIVE).first()
        return known or _promise(owner, kind, form, essay_set, digest)


def make_export(*, export_id: int) -> None:
    """Write the file of an export. Safe to repeat, and to break off anywhere."""
    found = Export.objects.select_related("owner", "essay_set__rules").filter(pk=export_id)
    export = found.first()
    if export is None or export.state not in (State.WAITING, State.RUNNING):
        return  # done or given up meanwhile
    _remove_tries(export)
    room = folder() / f"{export.uuid}-{uuid4().hex}.part"
    room.mkdir(parents=True)
    try:
        path = room / "file"
        with override(export.language):
            _write(export, path)
        size = path.stat().st_size
        with fenced():
            times = {"finished_at": Now(), "expires_at": Now() + KEPT}
            found.update(state=State.DONE, size=size, **times)
            path.replace(path_of(export))
    finally:
        shutil.rmtree(room, ignore_errors=True)


def expire_exports() -> None:
    """Delete files that were kept long enough. Cheap where there are none."""
    old = Export.objects.filter(state=State.DONE, expires_at__lt=Now())
    for export in old.order_by("pk")[:50]:
        if Export.objects.filter(pk=export.pk, state=State.DONE).update(state=State.EXPIRED):
            path_of(export).unlink(missing_ok=True)


def forget_lost(owner: User) -> None:
    """Say of a person's exports whose jobs were given up that they failed."""
    lost = Export.objects.filter(
        owner=owner,
        state__in=[State.WAITING, State.RUNNING],
        job__state=Job.State.FAILED,
    )
    lost.update(state=State.FAILED, finished_at=Now())


def folder() -> Path:
    """Where the files lie."""
    return Path(settings.EXPORTS)


def path_of(export: Export) -> Path:
    """Where the file of an export lies once it is whole."""
    return folder() / f"{export.uuid}.{export.ending}"


def _promise(
    owner: User, kind: Export.Kind, form: Export.Form, essay_set: EssaySet | None, digest: str
) -> Export:
    waiting = Export.objects.filter(owner=owner, state__in=[State.WAITING, State.RUNNING])
    if waiting.count() >= MOST_WAITING:
        message = _("%d of your exports are not made yet. Wait for one of them.")
        raise Refused(message % MOST_WAITING)
    export = Export.objects.create(
        owner=owner,
        kind=kind,
        form=form,
        essay_set=essay_set,
        language=get_language() or settings.LANGUAGE_CODE,
        digest=digest,
    )
    export.job = order(
        kind="review.make_export",
        key=export.job_key,
        args={"export_id": export.pk},
        priority=Job.Priority.RUNS,
    )
    export.save(update_fields=["job"])
    audit(actor=owner, action="export.ordered", target=export, kind=kind, form=form)
    return export


def _digest(kind: Export.Kind, form: Export.Form, essay_set: EssaySet | None) -> str:
    revision = revision_of_set(essay_set) if essay_set else revision_of_people()
    named = [kind, form, essay_set and essay_set.pk, get_language(), revision]
    return sha256(repr(named).encode()).hexdigest()


def _write(export: Export, path: Path) -> None:
    essay_set = export.essay_set
    if essay_set is None:
        _write_table(export, people_for(export.owner), path)
    elif export.kind == Kind.RESULTS:
        _write_table(export, results_of(essay_set), path)
    elif export.kind == Kind.AGREEMENT:
        _write_table(export, agreement_of(essay_set), path)
    else:
        write = write_training if export.kind == Kind.TRAINING else write_markups
        write(essay_set, export.owner, path, _begin(export, essay_set.essays.count()))


def _write_table(export: Export, table: Table, path: Path) -> None:
    tell = _begin(export, table.total)
    if export.form == Form.XLSX:
        write_workbook(table, path, tell)
    else:
        dialect = RUSSIAN_EXCEL if export.form == Form.RUSSIAN_CSV else COMMAS
        write_csv(table, path, dialect, tell)


def _begin(export: Export, total: int) -> Tell:
    """Say that the file is being made; what comes back tells how far it is."""
    row = Export.objects.filter(pk=export.pk)
    with fenced():
        row.update(state=State.RUNNING, done=0, total=total)

    def tell(done: int) -> None:
        with fenced():
            row.update(done=done)

    return tell


def _remove_tries(export: Export) -> None:
    """Remove what workers that were killed have left of this export."""
    for left in folder().glob(f"{export.uuid}-*.part"):
        shutil.rmtree(left, ignore_errors=True)
