"""An import is undone while nobody has worked on anything of it; what it replaced comes back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, ProtectedError, Q, QuerySet
from django.db.models.functions import Now
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit
from annotator.models import Assignment, Essay, EssaySet, FragmentRecord, MarkupRecord
from annotator.models.imports import EssayImport, ImportedFile
from annotator.queries.third_checks import FIRST_TWO
from annotator.services.assignment import keep_states
from annotator.services.gates import refuse_undoing
from annotator.services.imports.importing import counts_of
from annotator.services.imports.turns import break_off_lost, lost_imports
from annotator.signals import correction_asked, essays_withdrawn, markup_submitted
from web.refusals import Refused

State = EssayImport.State


@dataclass(frozen=True, slots=True)
class Traces:
    """What an import left behind, and why it cannot be undone, if so."""

    essays: int
    markups: int
    checks: int
    accounts: int
    restored: int
    refusal: str


class UndoneAlready(Refused):
    """Somebody was quicker, or pressed twice: what was wanted is so."""


class Made:
    """The rows an import made, and those that rest on them."""

    def __init__(self, batch: EssayImport) -> None:
        files = batch.files.order_by()
        self.essays = Essay.objects.filter(pk__in=files.values("essay"))
        self.markups = MarkupRecord.objects.filter(pk__in=files.values("markup"))
        self.replaced = MarkupRecord.objects.filter(pk__in=files.values("replaced"))
        self.checks = Assignment.objects.filter(pk__in=files.values("check_made"))
        self.accounts = User.objects.filter(pk__in=files.values("account")).order_by("username")
        in_first_two = self.markups.filter(assignment__role__in=FIRST_TWO)
        self._checked = Essay.objects.filter(pk__in=in_first_two.values("essay"))
        self._begun_at = batch.begun_at

    def touched(self) -> QuerySet[Essay]:
        """The essays it made and those it brought a markup of."""
        of_markups = Q(pk__in=self.markups.values("essay"))
        return Essay.objects.filter(Q(pk__in=self.essays) | of_markups).order_by("pk")

    def unopened(self) -> QuerySet[Assignment]:
        """Checks without a mark: of its essays, and third ones that its markups called."""
        called = Q(
            essay__in=self._checked, role=Assignment.Role.THIRD, created_at__gte=self._begun_at
        )
        checks = Assignment.objects.filter(Q(essay__in=self.essays) | called)
        worked_on = MarkupRecord.objects.exclude(pk__in=empty_drafts())
        return checks.exclude(pk__in=self.checks).exclude(
            pk__in=worked_on.exclude(assignment=None).values("assignment")
        )

    def empty_drafts(self) -> QuerySet[MarkupRecord]:
        """What was begun of those checks and holds nothing yet."""
        return empty_drafts().filter(assignment__in=self.unopened())

    def others_work(self) -> QuerySet[MarkupRecord]:
        """What others have marked since: its essays, and third checks of what it brought."""
        since = Q(saved_at__gte=self._begun_at) | Q(submitted_at__gte=self._begun_at)
        thirds = since & Q(
            essay__in=self._checked,
            assignment__role=Assignment.Role.THIRD,
            assignment__round=F("essay__round"),
        )
        found = MarkupRecord.objects.filter(Q(essay__in=self.essays) | thirds)
        found = found.exclude(pk__in=self.markups).exclude(pk__in=empty_drafts())
        return found.select_related("author", "essay")

    def changed(self) -> QuerySet[MarkupRecord]:
        """Its markups that are not what they were: reopened, changed, or replaced."""
        submitted = Q(state=MarkupRecord.State.SUBMITTED)
        as_they_were = submitted & Q(version=0, reopened_at=None)
        return self.markups.filter(~as_they_were).select_related("author", "essay")

    def unused_accounts(self) -> QuerySet[User]:
        """Accounts that are as it made them, and that nothing else needs."""
        of_others = MarkupRecord.objects.exclude(pk__in=self.markups)
        checks = Assignment.objects.exclude(Q(pk__in=self.checks) | Q(pk__in=self.unopened()))
        return self.accounts.filter(
            is_active=False, last_login=None, email="", full_name="", specialisms=None
        ).exclude(Q(pk__in=of_others.values("author")) | Q(pk__in=checks.values("expert")))


def empty_drafts() -> QuerySet[MarkupRecord]:
    """Drafts that hold no mark and no points and were never handed in: nobody's work."""
    drafts = MarkupRecord.objects.filter(
        state=MarkupRecord.State.DRAFT, reopened_at=None, final_at=None
    )
    return drafts.filter(fragments=None, stated={})


def traces_of(batch: EssayImport) -> Traces:
    """What the undoing of an import would take away and give back."""
    made = Made(batch)
    return Traces(
        essays=made.essays.count(),
        markups=made.markups.count(),
        checks=made.unopened().count(),
        accounts=made.unused_accounts().count(),
        restored=made.replaced.count(),
        refusal=_refusal(batch, made),
    )


def undo_import(*, batch: EssayImport, actor: User) -> list[str]:
    """Delete what an import made and give back what it replaced; returns the logins that stay.

    Raises ``Refused``, which names who has worked on what; ``UndoneAlready`` where it is.
    """
    break_off_lost()
    try:
        with transaction.atomic():
            return _undo(EssayImport.objects.select_for_update().get(pk=batch.pk), actor)
    except (ProtectedError, IntegrityError):  # begun at this very moment, or of a later kind
        message = _("Something else rests on what was imported. Look at the import again.")
        raise Refused(message) from None


def _undo(batch: EssayImport, actor: User) -> list[str]:
    if batch.state == State.UNDONE:
        raise UndoneAlready(_("This import is undone already."))
    made = Made(batch)
    keep_states(made.touched())
    _refuse(_refusal(batch, made))
    touched, markups = _numbers(made.touched()), _numbers(made.markups)
    # before any lock of ours: a worker locks its job first, then the essay
    withdrawn = [*markups, *_numbers(made.replaced)]
    correction_asked.send(sender=Essay, essay_ids=_numbers(made.essays))
    essays_withdrawn.send(sender=Essay, essay_ids=touched, markup_ids=withdrawn)
    _lock(touched)
    _refuse(_refusal(batch, made))  # nobody begins anything from here on
    kept = _numbers(made.touched().exclude(pk__in=made.essays))
    filled = list(batch.files.exclude(before={}))
    accounts = list(made.accounts), set(_numbers(made.unused_accounts()))
    _delete(made, markups)
    _give_back(filled)
    _announce(kept, [file.replaced_id for file in filled])
    staying = _remove_accounts(*accounts, actor=actor)
    undone = {"state": State.UNDONE, "undone_at": Now(), "undone_by": actor}
    EssayImport.objects.filter(pk=batch.pk).update(**undone)
    batch.uploads.all().delete()
    counts = counts_of(batch)
    audit(actor=actor, action="import.undone", target=batch, set=batch.set_name, **counts)
    return staying


def _lock(essays: Sequence[int]) -> None:
    """Hold the essays, their checks and drafts: nobody opens, assigns, marks or sends meanwhile."""
    found = Essay.objects.filter(pk__in=essays).order_by("pk")
    list(found.select_for_update().values("pk"))
    drafts = MarkupRecord.objects.filter(essay__in=found, state=MarkupRecord.State.DRAFT)
    list(drafts.order_by("pk").select_for_update().values("pk"))
    checks = Assignment.objects.filter(essay__in=found).order_by("pk")
    list(checks.select_for_update().values("pk"))


def _delete(made: Made, markups: Sequence[int]) -> None:
    checks = [*_numbers(made.unopened()), *_numbers(made.checks)]
    essays, markups = _numbers(made.essays), [*markups, *_numbers(made.empty_drafts())]
    FragmentRecord.objects.filter(markup__in=markups).delete()
    MarkupRecord.objects.filter(pk__in=markups).delete()
    Assignment.objects.filter(pk__in=checks).delete()
    Essay.objects.filter(pk__in=essays).delete()


def _give_back(files: Iterable[ImportedFile]) -> None:
    """Make the replaced markups and the filled checks what they were."""
    for file in files:
        before = file.before
        if file.replaced_id:
            record = MarkupRecord.objects.filter(pk=file.replaced_id)
            record.update(state=before["markup"], submitted_at=_moment(before["markup_at"]))
        if "check" in before:
            check = Assignment.objects.filter(pk=before["check_id"])
            check.update(state=before["check"], submitted_at=_moment(before["check_at"]))


def _announce(essays: Sequence[int], restored: Sequence[int | None]) -> None:
    """What is left of the essays counts as before: what was given back, else any markup of them."""
    left = MarkupRecord.objects.filter(essay__in=essays, state=MarkupRecord.State.SUBMITTED)
    told = set()
    for record in left.order_by("pk"):
        if record.pk in restored or record.essay_id not in told:
            told.add(record.essay_id)
            markup_submitted.send(sender=MarkupRecord, markup_id=record.pk)


def _remove_accounts(people: Iterable[User], unused: set[int], *, actor: User) -> list[str]:
    return [
        person.username
        for person in people
        if person.pk not in unused or not _removed(person, actor)
    ]


def _removed(person: User, actor: User) -> bool:
    try:
        with transaction.atomic():
            audit(actor=actor, action="person.removed", target=person, login=person.username)
            person.delete()
    except ProtectedError:
        return False
    return True


def _refusal(batch: EssayImport, made: Made) -> str:
    """Why an import cannot be undone, by name; nothing where it can."""
    if batch.state == State.UNDONE:
        return _("This import is undone already.")
    is_lost = batch.state == State.RUNNING and lost_imports().filter(pk=batch.pk).exists()
    if batch.state == State.RUNNING and not is_lost:
        return _("This import is under way. Wait for its end.")
    if not is_lost and batch.state not in (State.DONE, State.BROKEN):
        return _("This import is not carried out.")
    return _refusal_of_sets(made) or _refusal_of_work(made)


def _refusal_of_sets(made: Made) -> str:
    """Why the sets of what an import made keep it: archived, or the results are approved."""
    sets = EssaySet.objects.filter(pk__in=made.touched().order_by().values("essay_set"))
    try:
        refuse_undoing(sets.order_by("pk"))
    except Refused as refused:
        return str(refused)
    return ""


def _refusal_of_work(made: Made) -> str:
    replaced = made.essays.exclude(closed_at=None).first()
    if replaced is not None:
        return _("Essay %s has a new version since.") % replaced
    record = made.others_work().first()
    sentence = _("%(who)s has worked on essay %(essay)s since.")
    if record and ImportedFile.objects.filter(markup=record).exists():
        sentence = _(
            "A later import brought a markup of essay %(essay)s by %(who)s. Undo that one first."
        )
    if record is None:
        record = made.changed().first()
        sentence = _("The markup of essay %(essay)s by %(who)s was changed or replaced since.")
    return sentence % {"who": record.author, "essay": record.essay} if record else ""


def _refuse(reason: str) -> None:
    if reason:
        raise Refused(_("The import cannot be undone. %s") % reason)


def _numbers(rows: QuerySet[Any, Any]) -> list[int]:
    return list(rows.values_list("pk", flat=True))


def _moment(written: str | None) -> Any:
    return parse_datetime(written) if written else None
