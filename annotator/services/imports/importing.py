"""Essays and markups from files: good ones come in, bad ones are named, nothing half-written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any, Final

from django.db import DataError, IntegrityError, transaction
from django.db.models import F
from django.db.models.functions import Now

from accounts.models import User
from accounts.services.audit import audit, audit_all, entry, signed_by
from annotator.core.problems import Problem, to_json
from annotator.models import Assignment, Essay, MarkupRecord
from annotator.models.imports import EssayImport, ImportedFile
from annotator.services.archives import NamedBytes
from annotator.services.assignment import keep_state
from annotator.services.gates import refuse_import
from annotator.services.imports.authors import Authors
from annotator.services.imports.present import Present, presents_of
from annotator.services.imports.steps import (
    Batch,
    Options,
    Outcome,
    Step,
    as_it_is,
    calls_third_check,
    essays_in,
    plan,
    plan_essay,
    read_batch,
)
from annotator.services.imports.turns import LEASE, TurnLost, counted, keep_turn, names_in
from annotator.services.markup import hand_in, store_markups
from annotator.services.reading import NamedFile
from annotator.services.refusals import told_by
from annotator.signals import essays_came, markups_imported
from web.core.sound import sound
from web.refusals import Refused

__all__ = ["Imported", "Options", "Outcome", "Preview", "carry_out", "foresee", "import_files"]

Group = tuple[str, list[NamedFile]]
Watch = Callable[[Sequence[Any]], Iterable[Any]]
"""Goes through the essays of an import and shows somebody how far it is."""

AT_ONCE: Final = 20
"""So many essays come in together: in about as many statements as one."""
MARKS: Final = 3000
"""So many marks come in together: who saves a check on SQLite waits for a moment only."""
TRIES: Final = 5
"""So often an essay is begun anew because another import was quicker with a part of it."""


@dataclass(frozen=True, slots=True)
class Imported:
    """One file of an import: what became of it, why, and what was odd in it."""

    name: str
    outcome: Outcome
    reason: str = ""
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Preview:
    """What an import would do: its files, how many new essays, the third checks it calls."""

    files: list[ImportedFile]
    essays: int
    thirds: list[str]


def import_files(
    files: Iterable[NamedBytes], options: Options, *, watch: Watch = iter
) -> list[Imported]:
    """Import files of the regulation's formats. An essay comes in with its markups, or not."""
    batch = begin_import(options)
    rows = carry_out(batch=batch, read=read_batch(files, options), options=options, watch=watch)
    return [
        Imported(row.name, Outcome(row.outcome), row.reason, tuple(row.remarks)) for row in rows
    ]


def begin_import(options: Options) -> EssayImport:
    """A row for an import that nobody has to confirm."""
    batch = EssayImport.objects.create(
        actor=options.actor,
        essay_set=options.essay_set,
        set_name=options.essay_set.name,
        subject=options.subject.value if options.subject else "",
        from_markups=options.from_markups,
        state=EssayImport.State.RUNNING,
        begun_at=Now(),
        turn=1,
        lease_until=Now() + LEASE,
    )
    batch.refresh_from_db()
    return batch


def foresee(*, batch: EssayImport, read: Batch, options: Options) -> Preview:
    """What the files would do if they came in now. Writes nothing."""
    files = [refused_row(batch, *refusal) for refusal in read.refused]
    accounts: set[str] = set()
    thirds: list[str] = []
    essays = 0
    for present, steps in plan(read, options):
        for step in steps:
            row = row_of(batch, step)
            row.makes_account = _needs_account(step) and row.author not in accounts
            accounts |= {row.author} if row.makes_account else set()
            files.append(row)
        if present.essay is not None:
            essays += present.essay.pk is None
            thirds += [present.essay.number] * calls_third_check(present, steps, options)
    return Preview(files, essays, thirds)


def carry_out(
    *, batch: EssayImport, read: Batch, options: Options, watch: Watch = iter
) -> list[ImportedFile]:
    """Import what was read, note what became of every file, and close the import's row.

    What came in before it was broken off is passed over. Raises ``TurnLost``.
    """
    groups, rows = _begin(batch, read)
    for some in _together(watch(groups)):
        rows += _import_essays(batch, some, read.authors, options)
    with transaction.atomic():
        keep_turn(batch)
        done = {"state": EssayImport.State.DONE, "done_at": Now()}
        EssayImport.objects.filter(pk=batch.pk).update(**done, **counted(batch))
    batch.refresh_from_db()
    audit(
        actor=options.actor,
        action="import.done",
        target=batch,
        set=batch.set_name,
        **counts_of(batch),
    )
    return rows


def _begin(batch: EssayImport, read: Batch) -> tuple[list[Group], list[ImportedFile]]:
    """The essays that are still to come, and the rows of what could not be read."""
    with transaction.atomic():
        noted = names_in(batch)
        left = [
            (number, files)
            for place, (number, files) in enumerate(read.groups)
            if place >= batch.came or not {stored_name(file.name) for file in files} <= noted
        ]
        refused = [each for each in read.refused if stored_name(each[0]) not in noted]
        keep_turn(batch, total=len(read.groups), came=len(read.groups) - len(left))
        rows = [refused_row(batch, *refusal) for refusal in refused]
        return left, ImportedFile.objects.bulk_create(rows)


def tally(batch: EssayImport, rows: Sequence[ImportedFile], *, essays: int) -> None:
    """Count what became of the files, or would become, into the import's row; not saved."""
    outcomes = Counter(row.outcome for row in rows)
    batch.essays = essays
    batch.markups = outcomes[Outcome.MARKUP]
    batch.known = outcomes[Outcome.KNOWN]
    batch.refused = outcomes[Outcome.REFUSED]
    batch.accounts = sum(row.makes_account for row in rows)


def counts_of(batch: EssayImport) -> dict[str, int]:
    """The counts of an import by their names."""
    names = ("essays", "markups", "known", "refused", "accounts")
    return {name: getattr(batch, name) for name in names}


def refused_row(batch: EssayImport, name: str, reasons: Iterable[Problem]) -> ImportedFile:
    """The row of a file that was not even read, not saved."""
    row = ImportedFile(batch=batch, name=stored_name(name), outcome=Outcome.REFUSED)
    row.refused_for = [_stored(each) for each in reasons]
    return row


def row_of(batch: EssayImport, step: Step) -> ImportedFile:
    """The row of a file as it is foreseen, not saved."""
    row = refused_row(batch, step.file.name, step.reasons)
    row.outcome = step.outcome
    row.remarked = [_stored(each) for each in step.file.remarks]
    row.number = sound(step.file.number)[:60]
    row.author = step.author.username if step.author else ""
    row.role = _role_of(step)
    row.replaced = step.replaced
    return row


def _needs_account(step: Step) -> bool:
    return step.marked is not None and step.author is not None and step.author.pk is None


def _role_of(step: Step) -> str:
    if not (step.marked and step.file.is_expert):
        return ""
    return step.check.role if step.check else ImportedFile.Role.FURTHER


def _stored(problem: Problem) -> dict[str, Any]:
    fields = {
        name: sound(value) if isinstance(value, str) else value
        for name, value in problem.fields.items()
    }
    path = problem.path and sound(problem.path)
    return to_json(replace(problem, path=path, fields=fields))


def stored_name(name: str) -> str:
    """A file's name as it is kept: its end, where it is too long."""
    return sound(name)[-255:]


def _together(groups: Iterable[Group]) -> Iterator[list[Group]]:
    """The essays, in their order, by those that come in together."""
    some: list[Group] = []
    marks = 0
    for group in groups:
        own = sum(len(file.file.markup.fragments) for file in group[1])
        if some and (len(some) == AT_ONCE or marks + own > MARKS):
            yield some
            some, marks = [], 0
        some.append(group)
        marks += own
    if some:
        yield some


def _import_essays(
    batch: EssayImport, groups: list[Group], authors: Authors, options: Options
) -> list[ImportedFile]:
    """Bring essays with their markups in, or say of every file why not.

    Together where nothing is against it; else each by itself, for one is to keep no other out.
    """
    if len(groups) > 1:
        try:
            return _bring(batch, groups, authors, options)
        except TurnLost:
            raise
        except (Refused, IntegrityError, DataError):
            authors.look_again()
    return [row for each in groups for row in _import_essay(batch, each, authors, options)]


def _import_essay(
    batch: EssayImport, group: Group, authors: Authors, options: Options
) -> list[ImportedFile]:
    for _try in range(TRIES):
        with suppress(IntegrityError):  # somebody brought the same essay or account meanwhile
            return _bring_or_refuse(batch, group, authors, options)
        authors.look_again()
    return _bring_or_refuse(batch, group, authors, options)


def _bring_or_refuse(
    batch: EssayImport, group: Group, authors: Authors, options: Options
) -> list[ImportedFile]:
    try:
        return _bring(batch, [group], authors, options)
    except TurnLost:
        raise
    except Refused as refused:  # at this very moment a check was handed back, the set archived
        rows = [refused_row(batch, file.name, told_by(refused)) for file in group[1]]
        with transaction.atomic():
            keep_turn(batch, came=F("came") + 1)
            return ImportedFile.objects.bulk_create(rows)


def _bring(
    batch: EssayImport, groups: Sequence[Group], authors: Authors, options: Options
) -> list[ImportedFile]:
    """Bring essays in, in one transaction. Raises ``Refused``, ``IntegrityError`` and
    ``DataError``: then none of them came.
    """
    steps: list[Step] = []
    try:
        with transaction.atomic(), signed_by(options.actor):
            keep_turn(batch, came=F("came") + len(groups))
            keep_state(options.essay_set)
            refuse_import(options.essay_set)
            options = as_it_is(options)
            presents = _held(groups, options)
            for number, files in groups:
                present = presents.get(number) or Present()
                steps += plan_essay(files, present, authors, options)
            rows = _carry_out_steps(batch, steps)
            _announce(steps)
            return ImportedFile.objects.bulk_create(rows)
    except (Refused, IntegrityError, DataError):
        _forget_unsaved(steps)
        raise


def _held(groups: Sequence[Group], options: Options) -> dict[str, Present]:
    """The essays there are, by their numbers, locked in the order of their rows."""
    found = essays_in(options.essay_set).filter(number__in=[number for number, _files in groups])
    locked = list(found.order_by("pk").select_for_update(of=("self",)))
    return {each.essay.number: each for each in presents_of(locked) if each.essay}


def _announce(steps: Sequence[Step]) -> None:
    """The markups of an import are announced together, each essay once."""
    essays = {step.essay.pk for step in steps if step.marked and step.essay}
    if essays:
        markups_imported.send(sender=Essay, essay_ids=sorted(essays))


def _forget_unsaved(steps: Sequence[Step]) -> None:
    """What a transaction that was rolled back has numbered is unsaved again."""
    for author in {step.author.username: step.author for step in steps if step.author}.values():
        if not User.objects.filter(pk=author.pk).exists():
            author.pk = None
            author._state.adding = True


def _carry_out_steps(batch: EssayImport, steps: Sequence[Step]) -> list[ImportedFile]:
    rows = [row_of(batch, step) for step in steps]
    pairs = list(zip(rows, steps, strict=True))
    has_new = _store_essays(batch, pairs)
    marked = [(row, step) for row, step in pairs if step.marked]
    if marked:
        _store_markups(marked)
    if has_new:  # whoever listens locks what is locked last
        essays_came.send(sender=Essay, set_id=batch.essay_set_id)
    return rows


def _store_essays(batch: EssayImport, pairs: Sequence[tuple[ImportedFile, Step]]) -> bool:
    """Store the essays that are new; true where there are any."""
    new: dict[str, tuple[ImportedFile, Essay]] = {}
    for row, step in pairs:
        if step.essay is not None and step.essay.pk is None:
            new.setdefault(step.essay.number, (row, step.essay))
    if not new:
        return False
    Essay.objects.bulk_create(essay for _row, essay in new.values())
    for row, essay in new.values():
        row.essay = essay
    audit_all(
        entry(actor=batch.actor, action="essay.imported", target=essay, file=row.name)
        for row, essay in new.values()
    )
    return True


def _store_markups(marked: Sequence[tuple[ImportedFile, Step]]) -> None:
    for row, step in marked:
        row.before = _before(step.replaced, step.check)
    _save_accounts(marked)
    made = [(row, step.check) for row, step in marked if step.check and step.check.pk is None]
    Assignment.objects.bulk_create(check for _row, check in made)
    for row, check in made:
        row.check_made = check
    records = store_markups([step.brought for _row, step in marked if step.brought])
    hand_in(records)
    for (row, _step), record in zip(marked, records, strict=True):
        row.markup = record


def _save_accounts(marked: Sequence[tuple[ImportedFile, Step]]) -> None:
    """Accounts nobody has made yet, by login: of two imports none waits for the other for ever."""
    new: dict[str, tuple[ImportedFile, User]] = {}
    for row, step in marked:
        if step.author is not None and step.author.pk is None:
            new.setdefault(step.author.username, (row, step.author))
    for _login, (row, author) in sorted(new.items(), key=itemgetter(0)):
        author.save(force_insert=True)
        audit(actor=row.batch.actor, action="person.made", target=author, role=author.role)
        row.account, row.makes_account = author, True


def _before(replaced: MarkupRecord | None, check: Assignment | None) -> Mapping[str, Any]:
    """What the undoing of an import gives back: the replaced markup and the filled check."""
    before: dict[str, Any] = {}
    if replaced is not None:
        before |= {"markup": replaced.state, "markup_at": _written(replaced.submitted_at)}
    if check is not None and check.pk is not None:
        before |= {"check": check.state, "check_at": _written(check.submitted_at)}
        before["check_id"] = check.pk
    return before


def _written(moment: Any) -> str | None:
    return moment.isoformat() if moment else None
