"""Uploaded files and the members of uploaded archives, within limits measured while reading."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import IO, Final

from django.utils.translation import gettext as _

from annotator.services.refusals import Refused

MAX_MEMBERS: Final = 10_000
MAX_BYTES: Final = 500 * 1024 * 1024
MAX_FILE: Final = 5 * 1024 * 1024
MAX_RATIO: Final = 100
CHUNK: Final = 64 * 1024
SYMLINK: Final = 0o120000
KNOWN: Final = (".txt", ".json")
MAC_SHADOWS: Final = "__MACOSX/"
"""Where archives made on a Mac keep what belongs to the Mac: no files of ours."""
PACKINGS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
DAMAGE: Final = (
    *(zipfile.BadZipFile, zlib.error, EOFError, OSError),
    *(RuntimeError, NotImplementedError, ValueError),
)
"""What the standard library raises on archives that are not sound."""


@dataclass(frozen=True, slots=True)
class NamedBytes:
    """A file's name without folders, and its contents; ``refusal`` says why it was not read."""

    name: str
    data: bytes = b""
    refusal: str = ""


@dataclass(slots=True)
class Room:
    """How many bytes may still be unpacked of an archive; those of refused members count too."""

    left: int

    def take(self, size: int) -> None:
        self.left -= size
        if self.left < 0:
            raise Refused(_("The archive is larger than 500 MB unpacked."))


def read_uploads(uploads: Iterable[tuple[str, IO[bytes]]]) -> Iterator[NamedBytes]:
    """Every file of an upload; archives give their members."""
    for name, stream in uploads:
        if name.lower().endswith(".zip"):
            yield from _members(name, stream)
        else:
            yield _file(name, stream)


def _file(name: str, stream: IO[bytes]) -> NamedBytes:
    base = PurePosixPath(name.replace("\\", "/")).name
    if not base.lower().endswith(KNOWN):
        return NamedBytes(base, refusal=_("Only .txt, .json and .zip files can be read."))
    data = stream.read(MAX_FILE + 1)
    if len(data) > MAX_FILE:
        return NamedBytes(base, refusal=_("The file is larger than 5 MB."))
    return NamedBytes(base, data)


def _members(name: str, stream: IO[bytes]) -> Iterator[NamedBytes]:
    try:
        archive = zipfile.ZipFile(stream)
    except DAMAGE:
        yield NamedBytes(name, refusal=_("This is not a ZIP archive, or it is damaged."))
        return
    with archive:
        members = [item for item in archive.infolist() if _is_file(item)]
        if len(members) > MAX_MEMBERS:
            yield NamedBytes(name, refusal=_("The archive holds more than 10,000 files."))
            return
        room = Room(MAX_BYTES)
        for item in members:
            yield _member(archive, item, room)
            if room.left < 0:
                yield NamedBytes(name, refusal=_("The archive is larger than 500 MB unpacked."))
                return


def _is_file(item: zipfile.ZipInfo) -> bool:
    # is_dir() fails on a name that is empty
    return not item.filename.endswith("/") and not item.filename.startswith(MAC_SHADOWS)


def _member(archive: zipfile.ZipFile, item: zipfile.ZipInfo, room: Room) -> NamedBytes:
    path = PurePosixPath(item.filename.replace("\\", "/"))
    try:
        _refuse_member(item, path)
        with archive.open(item) as stream:
            data = _bounded(stream, item, room)
    except Refused as refused:
        return NamedBytes(path.name or item.filename, refusal=str(refused))
    except DAMAGE:
        return NamedBytes(path.name, refusal=_("The file is damaged within the archive."))
    return NamedBytes(path.name, data)


def _refuse_member(item: zipfile.ZipInfo, path: PurePosixPath) -> None:
    if path.is_absolute() or ".." in path.parts or ":" in item.filename:
        raise Refused(_("The file’s path leads out of the archive."))
    if item.external_attr >> 16 & 0o170000 == SYMLINK:
        raise Refused(_("Links are not read."))
    if item.flag_bits & 1:
        raise Refused(_("The file is encrypted."))
    if item.compress_type not in PACKINGS:
        raise Refused(_("The file is packed in an unusual way. Pack it with Deflate."))
    if not path.name.lower().endswith(KNOWN):
        raise Refused(_("Only .txt and .json files are read from an archive."))


def _bounded(stream: IO[bytes], item: zipfile.ZipInfo, room: Room) -> bytes:
    """Read a member, but never more than is allowed, whatever its header says."""
    pieces: list[bytes] = []
    size = 0
    while piece := stream.read(CHUNK):
        size += len(piece)
        room.take(len(piece))
        if size > MAX_FILE:
            raise Refused(_("The file is larger than 5 MB."))
        if size > MAX_RATIO * max(item.compress_size, 1024):
            raise Refused(_("The file is packed too tightly to be an essay."))
        pieces.append(piece)
    return b"".join(pieces)
