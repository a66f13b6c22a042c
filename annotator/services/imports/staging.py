"""Files that wait for a word: kept in the database, looked at, then imported or forgotten.

Whichever process of the web server is asked next finds them; a day later they are gone.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from io import BytesIO
from typing import IO, Any, Final

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from accounts.models import User
from annotator.core.problems import from_json, to_json
from annotator.core.values import Subject
from annotator.models import EssaySet
from annotator.models.imports import EssayImport, ImportedFile, ImportUpload
from annotator.services.archives import (
    KNOWN,
    MAX_FILE,
    NamedBytes,
    Room,
    empty_room,
    read_uploads,
)
from annotator.services.gates import refuse_import
from annotator.services.imports.importing import carry_out, counts_of, foresee, tally
from annotator.services.imports.steps import Options, read_batch
from annotator.services.imports.turns import break_off_lost, take_turn
from web.core.sound import sound
from web.refusals import Refused

MOST_BYTES: Final = 100 * 1024 * 1024
"""So much may be sent at once; more than that, the command line takes."""
MOST_WAITING: Final = 3
"""So many previews of one person wait; a further one takes the place of the oldest."""
KEPT: Final = timedelta(days=1)

State = EssayImport.State
Upload = tuple[str, IO[bytes]]


class NothingTaken(Refused):
    """Every file was refused: there is nothing to confirm, and nothing is kept."""

    def __init__(self, files: list[ImportedFile]) -> None:
        super().__init__(_("None of the files can be imported. Nothing was kept."))
        self.files = files


@dataclass(frozen=True, slots=True)
class Displaced:
    """A preview that had to give way to a later one, and the files that were sent for it."""

    batch: EssayImport
    files: list[str]


@dataclass(frozen=True, slots=True)
class Staged:
    """Files that wait for a word from now on, and previews that wait no more for their sake."""

    batch: EssayImport
    displaced: list[Displaced]


def stage_import(*, uploads: Iterable[Upload], options: Options) -> Staged:
    """Keep the files that came in and note what they would do. Raises ``Refused``.

    Of what is sent twice, as by a second press, there is one preview, while it is still true.
    """
    refuse_import(options.essay_set)
    kept = list(_kept(uploads))
    refused: dict[str, NamedBytes] = {}
    batch = EssayImport(
        actor=options.actor,
        essay_set=options.essay_set,
        set_name=options.essay_set.name,
        subject=options.subject.value if options.subject else "",
        from_markups=options.from_markups,
        digest=_digest(kept, options),
    )
    read = read_batch(_noting(kept, refused), options)
    preview = foresee(batch=batch, read=read, options=options)
    if all(row.outcome == ImportedFile.Outcome.REFUSED for row in preview.files):
        raise NothingTaken(preview.files)
    batch.thirds = preview.thirds
    tally(batch, preview.files, essays=preview.essays)
    with transaction.atomic():
        _one_at_a_time(options.actor)
        expire_previews()
        sent_before = _same_preview(batch)
        if sent_before and _foreseen(sent_before) == _outcomes(preview.files):
            return Staged(sent_before, [])
        if sent_before:  # the set has changed meanwhile: what is shown must be what will happen
            drop_preview(batch=sent_before)
        displaced = _make_room(options.actor)
        batch.save(force_insert=True)
        ImportedFile.objects.bulk_create(preview.files)
        for name, content in kept:
            ImportUpload.objects.create(batch=batch, **_needed(name, content, refused.get(name)))
    return Staged(batch, displaced)


def confirm_import(*, batch: EssayImport, actor: User) -> EssayImport:
    """Do what was foreseen, as far as it still can be; what comes out otherwise is marked.

    Essays come in with their markups, some in one transaction. Raises ``Refused``.
    """
    options = _options(batch, actor)
    _begin(batch)
    return _carry_out_kept(batch, options)


def leave_out(*, batch: EssayImport, numbers: Iterable[str], actor: User) -> None:
    """Essays that are foreseen to come in shall not, nor their markups. Raises ``Refused``."""
    foreseen = set(batch.files.exclude(number="").values_list("number", flat=True))
    _choose(batch, {*batch.left_out, *foreseen.intersection(numbers)}, actor)


def take_in(*, batch: EssayImport, number: str, actor: User) -> None:
    """An essay that was left out shall come in after all. Raises ``Refused``."""
    _choose(batch, set(batch.left_out) - {number}, actor)


def leave_out_only(*, batch: EssayImport, numbers: Iterable[str], actor: User) -> list[str]:
    """These essays shall not come in and all others shall. Raises ``Refused``.

    Returns the numbers of which the import has no essay; where there are any, nothing is done.
    """
    wanted = set(numbers)
    unknown = wanted - {*batch.left_out, *batch.files.values_list("number", flat=True)}
    if not unknown:
        _choose(batch, wanted, actor)
    return sorted(unknown)


def _choose(batch: EssayImport, left_out: set[str], actor: User) -> None:
    """Foresee anew what the files do without these essays, unless somebody was quicker."""
    known, batch.left_out = batch.left_out, sorted(left_out)
    if known == batch.left_out:
        return
    options = replace(_options(batch, actor), left_out=frozenset(left_out))
    preview = foresee(batch=batch, read=read_batch(_waiting(batch), options), options=options)
    batch.thirds = preview.thirds
    tally(batch, preview.files, essays=preview.essays)
    with transaction.atomic():
        waiting = EssayImport.objects.select_for_update().filter(pk=batch.pk, state=State.PREVIEW)
        if [each.left_out for each in waiting] != [known]:
            message = _("Something has changed since you looked. Nothing was done: look again.")
            raise Refused(message)
        batch.files.all().delete()
        batch.save(update_fields=["left_out", "thirds", *counts_of(batch)])
        ImportedFile.objects.bulk_create(preview.files)


def resume_import(*, batch: EssayImport, actor: User) -> EssayImport:
    """Go on with an import that was broken off: what came in stays, the rest follows.

    Raises ``Refused``.
    """
    options = _options(batch, actor)
    break_off_lost()
    broken = EssayImport.objects.filter(pk=batch.pk, state=State.BROKEN)
    kept = Exists(ImportUpload.objects.filter(batch=OuterRef("pk")))
    if not take_turn(broken.filter(kept)):
        raise Refused(_("There is nothing to go on with. Look at the import again."))
    return _carry_out_kept(batch, options)


def drop_preview(*, batch: EssayImport) -> bool:
    """Forget files that wait; false where they wait no more."""
    waiting = EssayImport.objects.filter(pk=batch.pk, state=State.PREVIEW)
    return bool(_expire(waiting, State.DROPPED))


def expire_previews() -> None:
    """Forget what has waited too long, and files nobody needs. Cheap where there are none."""
    old = EssayImport.objects.filter(state=State.PREVIEW, made_at__lt=Now() - KEPT)
    if old.exists():
        _expire(old)
    broken = Q(batch__state=State.BROKEN, batch__begun_at__lt=Now() - KEPT)
    ended = Q(batch__state__in=[State.DONE, State.UNDONE])
    ImportUpload.objects.filter(broken | ended).delete()


@transaction.atomic
def _expire(batches: QuerySet[EssayImport], state: State = State.EXPIRED) -> list[EssayImport]:
    """Forget the files of previews, unless somebody confirms them at this moment."""
    expired = list(batches.select_for_update())
    ImportUpload.objects.filter(batch__in=expired).delete()
    ImportedFile.objects.filter(batch__in=expired).delete()
    EssayImport.objects.filter(pk__in=[each.pk for each in expired]).update(state=state)
    return expired


@transaction.atomic
def _begin(batch: EssayImport) -> None:
    """Compare and swap: of two confirmations one imports."""
    waiting = EssayImport.objects.filter(
        pk=batch.pk, state=State.PREVIEW, made_at__gte=Now() - KEPT
    )
    if not take_turn(waiting, begun_at=Now(), foreseen=_foreseen(batch)):
        raise Refused(_("These files wait no more. Look at the list of imports, or send them."))
    batch.files.all().delete()


def _carry_out_kept(batch: EssayImport, options: Options) -> EssayImport:
    """Import the files that were kept. Their import is this process's own by now."""
    batch.refresh_from_db()  # what is left out may have been chosen anew until it began
    options = replace(options, left_out=frozenset(batch.left_out))
    carry_out(batch=batch, read=read_batch(_waiting(batch), options), options=options)
    _mark_surprises(batch)
    batch.uploads.all().delete()
    return batch


def _options(batch: EssayImport, actor: User) -> Options:
    essay_set = EssaySet.objects.select_related("rules").filter(pk=batch.essay_set_id).first()
    if essay_set is None:
        raise Refused(_("The essay set was deleted meanwhile. Send the files for another one."))
    refuse_import(essay_set)
    subject = Subject(batch.subject) if batch.subject else None
    return Options(essay_set, subject, actor, batch.from_markups)


def _digest(kept: list[tuple[str, bytes]], options: Options) -> str:
    """Of all that was sent: the files in their order, and what was chosen for them."""
    subject = options.subject.value if options.subject else ""
    digest = hashlib.sha256(repr((options.essay_set.pk, subject, options.from_markups)).encode())
    for name, content in kept:
        digest.update(repr((name, len(content))).encode())
        digest.update(content)
    return digest.hexdigest()


def _one_at_a_time(actor: User | None) -> None:
    """Two previews of one person at once are kept one after the other."""
    if actor is not None:
        list(User.objects.select_for_update(no_key=True).filter(pk=actor.pk).values("pk"))


def _same_preview(batch: EssayImport) -> EssayImport | None:
    """What the same person sent before and has not decided about."""
    waiting = EssayImport.objects.filter(actor=batch.actor, state=State.PREVIEW)
    return waiting.filter(digest=batch.digest).first() if batch.actor else None


def _make_room(actor: User | None) -> list[Displaced]:
    waiting = EssayImport.objects.filter(actor=actor, state=State.PREVIEW).order_by("-pk")
    oldest = [Displaced(each, _names(each)) for each in waiting[MOST_WAITING - 1 :]]
    numbers = [each.batch.pk for each in oldest]
    expired = _expire(EssayImport.objects.filter(pk__in=numbers, state=State.PREVIEW))
    return [each for each in oldest if each.batch in expired]


def _names(batch: EssayImport) -> list[str]:
    return list(batch.uploads.values_list("name", flat=True))


def _kept(uploads: Iterable[Upload]) -> Iterator[tuple[str, bytes]]:
    room = MOST_BYTES
    for name, stream in uploads:
        content = _content(name, stream, room)
        room -= len(content)
        if room < 0:
            message = _(
                "The files are larger than 100 MB together. Send them in parts, or import them "
                "with manage.py import_essays."
            )
            raise Refused(message)
        yield sound(name)[-255:], content


def _content(name: str, stream: IO[bytes], room: int) -> bytes:
    """What of a file is needed to say what becomes of it: nothing, where its name says enough."""
    if name.lower().endswith(".zip"):
        return stream.read(room + 1)
    return stream.read(MAX_FILE + 1) if name.lower().endswith(KNOWN) else b""


def _files(name: str, content: bytes, room: Room) -> Iterator[NamedBytes]:
    return read_uploads([(name, BytesIO(bytes(content)))], room)


def _noting(
    kept: Iterable[tuple[str, bytes]], refused: dict[str, NamedBytes]
) -> Iterator[NamedBytes]:
    """The files; ``refused`` gets the uploads that are refused as they stand."""
    room = empty_room()
    for name, content in kept:
        files = list(_files(name, content, room))
        if len(files) == 1 and files[0].refusal and name.endswith(files[0].name):
            refused[name] = files[0]
        yield from files


def _needed(name: str, content: bytes, refused: NamedBytes | None) -> dict[str, Any]:
    """What is kept of an upload: of a refused one its name and the reason alone."""
    if refused is None:
        return {"name": name, "content": content}
    reasons = [to_json(reason) for reason in refused.refusal]
    return {"name": refused.name, "content": b"", "refused_for": reasons}


def _waiting(batch: EssayImport) -> Iterator[NamedBytes]:
    """The files as they were sent; of a refused one only the reason was kept."""
    room = empty_room()
    fields = batch.uploads.order_by("pk").values_list("name", "content", "refused_for")
    for name, content, reasons in fields.iterator(chunk_size=1):
        if reasons:
            yield NamedBytes(name, refusal=tuple(map(from_json, reasons)))
        else:
            yield from _files(name, content, room)


def _foreseen(batch: EssayImport) -> dict[str, list[tuple[str, int | None]]]:
    """What files become and which markup they replace, by name: two archives may have the same."""
    return _outcomes(_with_outcomes(batch))


def _with_outcomes(batch: EssayImport) -> QuerySet[ImportedFile]:
    """The files of an import without what each of them is remarked for."""
    return batch.files.order_by("pk").only("batch", "name", "outcome", "replaced")


def _outcomes(files: Iterable[ImportedFile]) -> dict[str, list[tuple[str, int | None]]]:
    foreseen = defaultdict(list)
    for file in files:
        foreseen[file.name].append((str(file.outcome), file.replaced_id))
    return foreseen


def _mark_surprises(batch: EssayImport) -> None:
    """Note where a file came out otherwise than it was foreseen, or replaced what was not said."""
    surprised = []
    for file in _with_outcomes(batch):
        said = batch.foreseen.get(file.name)
        outcome, replaced = said.pop(0) if said else (file.outcome, file.replaced_id)
        if outcome != file.outcome or file.replaced_id not in (None, replaced):
            file.foreseen = outcome
            surprised.append(file)
    ImportedFile.objects.bulk_update(surprised, ["foreseen"], batch_size=500)
    EssayImport.objects.filter(pk=batch.pk).update(foreseen={})
