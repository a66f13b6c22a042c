"""A contest from a folder, and a contest as one.

``contest.toml`` says what it is; each set has a folder with ``essays/``, the texts, ``experts/``,
their markups, and where teams are taken along ``algorithms/``, theirs. A folder comes in whole or
not at all, and is written whole or not at all.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit
from annotator.core.codec import file_to_json
from annotator.core.values import MarkedFile, Markup, Subject
from annotator.models import Essay, EssaySet, MarkupRecord
from annotator.queries.essays import LATEST
from annotator.services.archives import NamedBytes
from annotator.services.imports.importing import Options, Outcome, import_files
from contest.core.contest_file import ContestFile, from_toml, to_toml
from contest.core.errors import ContestFileError
from contest.core.messages import describe
from contest.models import Contest, DataSet
from contest.queries.sealing import sealed
from contest.services.data_sets import name_marking_days, refuse_given, refuse_other_subject
from contest.services.folder_rows import (
    file_of,
    make_contest,
    make_set,
    make_teams,
    rules_of,
    with_folders,
)
from contest.services.showing import refuse_published
from web.core.batches import batched
from web.refusals import Refused

NAME: Final = "contest.toml"
PARTS: Final = ("essays", "experts", "algorithms")
"""The folders of a set: its texts, and whose markups."""
ENDINGS: Final = (".txt", ".json")
UNFIT: Final = re.compile(r"[^\w.-]+")
BATCH: Final = 200
TOLD: Final = 5
LARGEST: Final = 10 * 2**20
"""Bytes of one file."""


class FolderRefused(Refused):
    """What is wrong with a folder: the file, its line or key, and the remedy."""

    code = "folder"


def make_from_folder(*, folder: Path, actor: User | None = None) -> Contest:
    """Make the contest a folder holds, all of it or nothing. Raises ``FolderRefused``."""
    try:
        file = from_toml(_words(folder / NAME))
        with transaction.atomic():
            return _make(file, folder, actor)
    except ContestFileError as error:
        raise FolderRefused(f"{NAME}: {describe(error, _)}") from None


def take_to_folder(*, contest: Contest, folder: Path, teams: bool = False) -> None:
    """Write a contest into a folder that is not there yet, or empty. Raises ``FolderRefused``."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FolderRefused(_("%s is not empty. Name a folder that is not there yet.") % folder)
    room = folder.with_name(f"{folder.name}-{uuid4().hex}.part")
    try:
        room.mkdir(parents=True)
        _take(contest, room, teams)
        if folder.exists():
            folder.rmdir()
        room.rename(folder)
    except OSError as error:
        raise FolderRefused(f"{error.filename or folder}: {error.strerror or error}") from None
    finally:
        shutil.rmtree(room, ignore_errors=True)


def _make(file: ContestFile, folder: Path, actor: User | None) -> Contest:
    contest = make_contest(file, actor)
    make_teams(contest, file, actor)
    rules = rules_of(file)
    met: set[str] = set()
    for place, row in enumerate(file.sets):
        path = f"sets[{place}]"
        if row["folder"] in met:
            raise ContestFileError("twice", f"{path}.folder", value=row["folder"])
        met.add(row["folder"])
        made = make_set(row, rules, path, actor)
        _fill(made, folder, row["folder"], contest, actor)
        EssaySet.objects.filter(pk=made.pk).update(state=row["state"])
        _join(contest, made, row["role"], path, actor)
    return contest


def _join(contest: Contest, essay_set: EssaySet, role: str, path: str, actor: User | None) -> None:
    """The set is the contest's from here on; of a final one that is sealed, nothing is marked."""
    if role == DataSet.Role.FINAL and contest.data_sets.filter(role=role).exists():
        raise ContestFileError("twice", f"{path}.role", value=role)
    made = DataSet.objects.create(contest=contest, role=role, essay_set=essay_set)
    try:
        refuse_other_subject(contest, essay_set)
        if made in sealed():
            refuse_published(essay_set)
            refuse_given(essay_set.essays.all())
    except Refused as refusal:
        raise ContestFileError("unfit", path, words=str(refusal)) from None
    audit(actor=actor, action="set.joined", target=made, contest=contest.slug)
    name_marking_days(made, actor)


def _fill(
    essay_set: EssaySet, folder: Path, name: str, contest: Contest, actor: User | None
) -> None:
    """Bring in what a set's folder holds. Raises ``FolderRefused`` naming each file."""
    files = list(_files(folder / name, name))
    if not files:
        return
    subject = Subject(contest.subject) if contest.subject in set(Subject) else None
    rows = import_files(files, Options(essay_set, subject, actor))
    refused = [row for row in rows if row.outcome == Outcome.REFUSED]
    if refused:
        told = [f"{row.name}: {row.reason}" for row in refused[:TOLD]]
        more = len(refused) - TOLD
        told += [_("%d more files.") % more] if more > 0 else []
        raise FolderRefused("\n".join(told))


def _files(folder: Path, name: str) -> Iterator[NamedBytes]:
    """The files of a set by their names within the whole; anything else there is refused."""
    if not folder.is_dir():
        raise FolderRefused(_("%s: there is no such folder. Make it, be it empty.") % name)
    for part in sorted(folder.iterdir()):
        if part.name not in PARTS or not part.is_dir():
            message = _("%(path)s: only the folders %(known)s belong here. Take it away.")
            known = ", ".join(PARTS)
            raise FolderRefused(message % {"path": f"{name}/{part.name}", "known": known})
        for path in sorted(part.iterdir()):
            within = f"{name}/{part.name}/{path.name}"
            if path.suffix.lower() not in ENDINGS or not path.is_file():
                message = _("%s: only .txt and .json files belong here. Take it away.")
                raise FolderRefused(message % within)
            yield NamedBytes(within, _bytes(path, within))


def _words(path: Path) -> str:
    try:
        return _bytes(path, path.name).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = _("%(file)s: byte %(byte)d is not UTF-8. Save the file in that encoding.")
        raise FolderRefused(message % {"file": path.name, "byte": error.start}) from None


def _bytes(path: Path, name: str) -> bytes:
    try:
        if path.stat().st_size > LARGEST:
            raise FolderRefused(_("%s: larger than 10 MB. Send less.") % name)
        return path.read_bytes()
    except OSError as error:
        raise FolderRefused(f"{name}: {error.strerror or error}") from None


def _take(contest: Contest, room: Path, teams: bool) -> None:
    (room / NAME).write_bytes(to_toml(file_of(contest, teams=teams)).encode())
    sets = contest.data_sets.select_related("essay_set").order_by("pk")
    logins = set(contest.teams.values_list("account__username", flat=True)) if teams else set()
    for found, name in with_folders(sets):
        place = room / name
        place.mkdir()
        _put_essays(found.essay_set, place / "essays")
        _put_markups(_markups(found.essay_set, MarkupRecord.Source.EXPERT), place / "experts")
        of_teams = _markups(found.essay_set, MarkupRecord.Source.ALGORITHM)
        chosen = (each for each in of_teams if each.author.username in logins)
        if teams:
            _put_markups(chosen, place / "algorithms")


def _put_essays(essay_set: EssaySet, folder: Path) -> None:
    folder.mkdir()
    essays = Essay.objects.filter(LATEST, essay_set=essay_set).order_by("number", "pk")
    for essay in essays.iterator(chunk_size=BATCH):
        _put(folder / f"{fit(essay.number)}.json", MarkedFile(essay.meta(), Markup(essay.text, ())))


def _put_markups(records: Iterable[MarkupRecord], folder: Path) -> None:
    folder.mkdir()
    for record in records:
        name = fit(f"{record.essay.number}_{record.author.username}")
        _put(folder / f"{name}.json", record.to_file())


def _put(path: Path, file: MarkedFile) -> None:
    if path.exists():
        message = _("Two files of the set would be named %s. Give an essay another number.")
        raise FolderRefused(message % path.name)
    path.write_bytes(as_json(file_to_json(file)))


def _markups(essay_set: EssaySet, source: str) -> Iterator[MarkupRecord]:
    """The submitted markups of the latest versions, in the order of the essays."""
    essays = Essay.objects.filter(LATEST, essay_set=essay_set).order_by("number", "pk")
    for numbers in batched(essays.values_list("pk", flat=True), BATCH):
        found = MarkupRecord.objects.filter(
            essay__in=numbers, source=source, state=MarkupRecord.State.SUBMITTED
        )
        rows = found.select_related("essay", "author", "assignment").prefetch_related("fragments")
        yield from rows.order_by("essay__number", "author__username", "pk")


def fit(words: str) -> str:
    """A number and a login as the name of a file, which no system reads as anything else."""
    return UNFIT.sub("-", words).lstrip(".")


def as_json(value: Any) -> bytes:
    """The one form of a value in our files."""
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()
