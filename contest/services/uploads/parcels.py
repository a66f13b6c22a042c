"""Archives of markups: kept as they came, then taken in file by file, each whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from io import BytesIO
from pathlib import PurePosixPath
from typing import IO, Final

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit
from annotator.access import essays_seen_by
from annotator.core.carrying import carry_onto
from annotator.core.codec import submission_from_json
from annotator.core.differing import first_difference
from annotator.core.names import split_name
from annotator.core.problems import Problem, kept
from annotator.core.values import MarkedFile
from annotator.core.wrapper import is_wrapper
from annotator.models import Essay, EssaySet, MarkupRecord
from annotator.queries.essays import LATEST
from annotator.services.archives import MAX_MEMBERS, NamedBytes, members_in, read_uploads
from annotator.services.encodings import decode
from annotator.services.imports.present import presents_of
from annotator.services.imports.staging import MOST_BYTES
from annotator.services.markup import remarks_on_crossing, remarks_on_points, send_markup
from annotator.services.reading import clean_name, json_of, read_named_file
from annotator.services.refusals import MarkupHasProblems, Told, refuse_copy, told_by, unfit
from contest.access import sets_taking_parcels_of
from contest.models import Parcel, ParcelFile, Phase, Publication, PublicationOrder
from contest.signals import parcel_taken
from jobs.models import Job
from jobs.services.work import fenced, order
from web.core.sound import sound
from web.refusals import Refused

MOST_WAITING: Final = 3
"""So many parcels of one participant wait at a time."""
CHUNK: Final = 500
"""Files of one job; the next one takes what follows."""
ALGORITHM: Final = MarkupRecord.Source.ALGORITHM
Outcome, State = ParcelFile.Outcome, Parcel.State


@dataclass(frozen=True, slots=True)
class _Read:
    """A file that holds a markup of an essay of the set."""

    essay: Essay
    file: MarkedFile
    remarks: tuple[Problem, ...]


def send_parcel(
    *, participant: User, essay_set: EssaySet, name: str, stream: IO[bytes]
) -> tuple[Parcel, bool]:
    """Keep an archive, and promise that its markups are taken in; is it new?

    The same one sent again while it waits is the same parcel. Raises ``Refused``.
    """
    if not sets_taking_parcels_of(participant).filter(pk=essay_set.pk).exists():
        raise Refused(_("The set “%s” takes no archives of markups.") % essay_set)
    content = stream.read(MOST_BYTES + 1)
    return keep_parcel(participant=participant, essay_set=essay_set, name=name, content=content)


def keep_parcel(
    *, participant: User, essay_set: EssaySet, name: str, content: bytes
) -> tuple[Parcel, bool]:
    """The same for a set that takes it by other terms: the caller has asked whether it does."""
    if len(content) > MOST_BYTES:
        raise Refused(_("The archive is larger than 100 MB. Send it in parts."))
    size = _size_of(content)
    digest = sha256(content).hexdigest()
    with transaction.atomic():
        list(User.objects.select_for_update(no_key=True).filter(pk=participant.pk).values("pk"))
        given_up = Q(job=None) | Q(job__state=Job.State.FAILED)
        waiting = participant.parcels.filter(state=State.WAITING)
        waiting.filter(given_up, essay_set=essay_set, digest=digest).delete()
        waiting = waiting.exclude(given_up)
        same = waiting.filter(essay_set=essay_set, digest=digest).first()
        if same is not None:
            return same, False
        if waiting.count() >= MOST_WAITING:
            raise Refused(_("Your former archives are not taken in yet. Wait for one of them."))
        parcel = Parcel.objects.create(
            participant=participant,
            essay_set=essay_set,
            name=sound(name)[-255:],
            content=content,
            digest=digest,
            size=size,
        )
        _promise(parcel, 1)
        audit(actor=participant, action="parcel.sent", target=parcel, files=size)
    return parcel, True


def _size_of(content: bytes) -> int:
    """How many files an archive holds. Raises ``Refused`` where there are none, or too many."""
    size = members_in(BytesIO(content))
    if not size:
        raise Refused(_("This is not a ZIP archive with files in it, or it is damaged."))
    if size > MAX_MEMBERS:
        raise unfit("too-many-members")
    return size


def take_parcel(*, parcel_id: int, first: int) -> None:
    """Take in the files of a parcel from number ``first`` on. Safe to repeat."""
    known = ("participant", "essay_set__rules", "upload")
    parcel = Parcel.objects.select_related(*known).get(pk=parcel_id)
    if parcel.state == State.DONE:
        return
    done = parcel.files.count()
    last = first + CHUNK - 1
    for position, file in _files(parcel):
        if position > last:
            with fenced():
                _promise(parcel, position)
            return
        if position > done:
            _take_in(parcel, position, file)
    with fenced():
        finished = {"state": State.DONE, "content": b"", "done_at": Now()}
        Parcel.objects.filter(pk=parcel.pk).update(**finished)
        parcel_taken.send(sender=Parcel, parcel_id=parcel.pk)


def _promise(parcel: Parcel, first: int) -> None:
    parcel.job = order(
        kind="contest.take_parcel",
        key=f"parcel:{parcel.pk}:{first}",
        args={"parcel_id": parcel.pk, "first": first},
        priority=Job.Priority.RUNS,
    )
    Parcel.objects.filter(pk=parcel.pk).update(job=parcel.job)


def _files(parcel: Parcel) -> Iterator[tuple[int, NamedBytes]]:
    content = BytesIO(bytes(parcel.content))
    return enumerate(read_uploads([(f"{parcel.name}.zip", content)]), 1)


def _take_in(parcel: Parcel, position: int, file: NamedBytes) -> None:
    """Store a file's markup, and in the same transaction what became of the file."""
    row = ParcelFile(parcel=parcel, position=position, name=sound(file.name)[-255:])
    try:
        read = _read(parcel, file)
        with fenced():
            _store(row, read)
            _note(row)
    except Refused as refusal:
        problems = refusal.problems if isinstance(refusal, MarkupHasProblems) else ()
        row.essay, row.markup, row.remarked = None, None, []
        row.outcome, row.refused_for = Outcome.REFUSED, kept(problems or told_by(refusal))
        with fenced():
            _note(row)


def _text_is_given(parcel: Parcel, essay: Essay) -> bool:
    """True for the own essays, those of finals that have begun and those a publication has had.

    What has come since a publication was ordered may not stand in it.
    """
    if not hasattr(parcel, "upload"):
        return True
    phase = parcel.upload.phase
    if phase.kind == Phase.Kind.FINALS:
        return True
    return PublicationOrder.objects.filter(
        contest__data_sets__essay_set=parcel.essay_set_id,
        contest__data_sets__added_at__lt=F("ordered_at"),
        kind=Publication.Kind.TEST,
        publication__isnull=False,
        ordered_at__gt=essay.imported_at,
    ).exists()


def _note(row: ParcelFile) -> None:
    row.save(force_insert=True)
    Parcel.objects.filter(pk=row.parcel_id).update(**{row.outcome: F(row.outcome) + 1})


def _store(row: ParcelFile, read: _Read) -> None:
    parcel, essay = row.parcel, read.essay
    login = parcel.participant.username
    earlier = parcel.files.filter(essay=essay).exclude(outcome=Outcome.REFUSED)
    if earlier.exists():
        raise unfit("brought-twice", essay=essay.number, author=login)
    (present,) = presents_of([essay])
    row.essay, row.remarked = essay, kept(read.remarks)
    if present.known(login, read.file):
        row.outcome, row.markup = Outcome.KNOWN, present.markups[login].record
        return
    row.markup, _is_new = send_markup(
        essay=essay,
        author=parcel.participant,
        file=read.file,
        client_key=None,
        is_counted=hasattr(parcel, "upload"),
    )
    row.outcome = Outcome.TAKEN


def _read(parcel: Parcel, file: NamedBytes) -> _Read:
    """The markup in a file, and the essay it is of. Raises ``Refused``."""
    if file.refusal:
        raise Told(told=file.refusal)
    essay = _essay_of(parcel, clean_name(PurePosixPath(file.name).stem))
    if _text_is_given(parcel, essay):
        return _markup_in(file, essay)
    return _markup_by_who_has_the_text(file, essay)


def _markup_by_who_has_the_text(file: NamedBytes, essay: Essay) -> _Read:
    """The same where the text is not given yet: who does not have it learns nothing of it.

    What the file itself says comes first, then that its text is another one and no more.
    """
    if _is_json(file):
        payload = json_of(decode(file.data)) if file.data.strip() else None
        if isinstance(payload, dict) and not is_wrapper(payload) and "text" not in payload:
            fields = {"expected": "string", "missing": True}
            raise Told(told=[Problem("err-schema-validate", path="text", fields=fields)])
        if isinstance(payload, dict) and payload.get("text", essay.text) != essay.text:
            raise unfit("text-other")
        return _markup_in(file, essay)
    try:
        return _markup_in(file, essay)
    except Refused:
        _from_brackets(essay, file, source=None)
        raise unfit("text-other") from None


def _markup_in(file: NamedBytes, essay: Essay) -> _Read:
    if _is_json(file):
        marked, problems = _from_json(essay, file.data)
    else:
        marked, problems = _from_brackets(essay, file, source=essay.text)
    markup = carry_onto(marked.markup, essay.text)
    if markup is None:
        place = first_difference(essay.text, marked.markup.text)
        raise unfit("text-changed", essay=essay.number, **asdict(place))
    crossing = remarks_on_crossing(essay.essay_set.rules, markup, ALGORITHM)
    marked = replace(marked, markup=markup)
    said = (*file.remarks, *problems, *crossing, *remarks_on_points(essay, marked))
    return _Read(essay, marked, said)


def _essay_of(parcel: Parcel, stem: str) -> Essay:
    """The essay a file is named after: ``NUMBER``, or ``NUMBER_login`` of whoever sent it."""
    essays = _essays_for(parcel).filter(LATEST, essay_set=parcel.essay_set)
    whole = essays.filter(number=stem).first()
    if whole is not None:
        return whole
    refuse_copy(stem)
    said, login = split_name(stem), parcel.participant.username
    if said.author and said.author.casefold() != login.casefold():
        raise unfit("of-somebody-else", name=said.author, login=login)
    essay = essays.filter(number=said.number).first() if said.number else None
    if essay is None:
        raise unfit("no-such-essay", essay=said.number or stem)
    return essay


def _essays_for(parcel: Parcel) -> QuerySet[Essay]:
    """Those its participant sees; of an upload to a contest all."""
    if hasattr(parcel, "upload"):
        return Essay.objects.all()
    return essays_seen_by(parcel.participant)


def _is_json(file: NamedBytes) -> bool:
    return PurePosixPath(file.name).suffix.lower() == ".json"


def _from_brackets(
    essay: Essay, file: NamedBytes, *, source: str | None
) -> tuple[MarkedFile, tuple[Problem, ...]]:
    try:
        named = read_named_file(file.name, file.data, source=source)
    except Told as refusal:
        if [each.code for each in refusal.told] == ["no-essay"]:
            raise unfit("text-missing", essay=essay.number) from None
        raise
    return named.file, named.remarks


def _from_json(essay: Essay, data: bytes) -> tuple[MarkedFile, tuple[Problem, ...]]:
    if not data.strip():
        raise unfit("is-empty")
    payload = json_of(decode(data))
    if is_wrapper(payload):
        raise unfit("essay-with-markups")
    reading = submission_from_json(payload, meta=essay.meta(), text=essay.text)
    if reading.refused:
        raise Told(told=[each for each in reading.problems if each.blocks])
    return reading.file, reading.problems
