"""Uploaded files and the members of uploaded archives, within limits measured while reading."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import IO, Final

from annotator.core.problems import Problem
from annotator.services.refusals import Told, told_by, unfit
from web.refusals import Refused

MAX_MEMBERS: Final = 10_000
MAX_BYTES: Final = 500 * 1024 * 1024
MAX_FILE: Final = 5 * 1024 * 1024
MAX_RATIO: Final = 100
CHUNK: Final = 64 * 1024
SYMLINK: Final = 0o120000
KNOWN: Final = (".txt", ".json")
MAC_SHADOWS: Final = "__MACOSX/"
"""Where archives made on a Mac keep what belongs to the Mac: no files of ours."""
MANIFEST: Final = "manifest.json"
"""What an exported archive of markups says of its files."""
UTF8_NAME: Final = 0x800
TWO_ALPHABETS: Final = re.compile("[A-Za-z][А-яЁё]|[А-яЁё][A-Za-z]")
NAMES_IN: Final = ("utf-8", "cp866", "cp1251")
PACKINGS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
DAMAGE: Final = (
    *(zipfile.BadZipFile, zlib.error, EOFError, OSError),
    *(RuntimeError, NotImplementedError, ValueError),
)
"""What the standard library raises on archives that are not sound."""


@dataclass(frozen=True, slots=True)
class NamedBytes:
    """A file's name, in an archive with its folders, and its contents or why it was not read."""

    name: str
    data: bytes = b""
    refusal: tuple[Problem, ...] = ()
    remarks: tuple[Problem, ...] = ()


@dataclass(slots=True)
class Room:
    """How many bytes and members archives may still bring; those that are refused count too."""

    left: int
    members: int
    is_shared: bool = False

    def take(self, size: int) -> None:
        self.left -= size
        if self.left < 0:
            raise Told(told=[self.full_of_bytes()])

    def full_of_bytes(self) -> Problem:
        return Problem("archives-too-large") if self.is_shared else Problem("archive-too-large")

    def full_of_members(self) -> Problem:
        return (
            Problem("too-many-members-together") if self.is_shared else Problem("too-many-members")
        )


def empty_room() -> Room:
    """As much as one archive may bring, or all of an upload that is kept in memory together."""
    return Room(MAX_BYTES, MAX_MEMBERS)


def read_uploads(
    uploads: Iterable[tuple[str, IO[bytes]]], room: Room | None = None
) -> Iterator[NamedBytes]:
    """Every file of an upload; archives give their members.

    ``room`` is for all archives together; without it each one has as much.
    """
    for name, stream in uploads:
        if name.lower().endswith(".zip"):
            yield from _members(name, stream, room or empty_room())
        else:
            yield _file(name, stream)


def _file(name: str, stream: IO[bytes]) -> NamedBytes:
    base = PurePosixPath(name.replace("\\", "/")).name
    if not base.lower().endswith(KNOWN):
        return NamedBytes(base, refusal=(Problem("kind-of-upload"),))
    data = stream.read(MAX_FILE + 1)
    if len(data) > MAX_FILE:
        return NamedBytes(base, refusal=(Problem("file-too-large"),))
    return NamedBytes(base, data)


def _members(name: str, stream: IO[bytes], room: Room) -> Iterator[NamedBytes]:
    try:
        archive = zipfile.ZipFile(stream)
    except DAMAGE:
        yield NamedBytes(name, refusal=(Problem("not-an-archive"),))
        return
    with archive:
        members = [item for item in archive.infolist() if _is_file(item)]
        if len(members) > room.members:
            yield NamedBytes(name, refusal=(room.full_of_members(),))
            return
        room.members -= len(members)
        for item in members:
            yield _member(archive, item, room)
            if room.left < 0:
                yield NamedBytes(name, refusal=(room.full_of_bytes(),))
                break
    room.is_shared = True


def members_in(stream: IO[bytes]) -> int | None:
    """How many files an archive says it has; ``None`` where it is none."""
    try:
        with zipfile.ZipFile(stream) as archive:
            return sum(map(_is_file, archive.infolist()))
    except DAMAGE:
        return None


def _is_file(item: zipfile.ZipInfo) -> bool:
    # is_dir() fails on a name that is empty
    if item.filename == MANIFEST:
        return False
    return not item.filename.endswith("/") and not item.filename.startswith(MAC_SHADOWS)


def _member(archive: zipfile.ZipFile, item: zipfile.ZipInfo, room: Room) -> NamedBytes:
    name, remarks = name_of(item)
    path = PurePosixPath(name.replace("\\", "/"))
    try:
        _refuse_member(item, path)
        with archive.open(item) as stream:
            data = _bounded(stream, item, room)
    except Refused as refused:
        return NamedBytes(str(path) if path.name else item.filename, refusal=told_by(refused))
    except DAMAGE:
        return NamedBytes(str(path), refusal=(Problem("damaged-member"),))
    return NamedBytes(str(path), data, remarks=remarks)


def name_of(item: zipfile.ZipInfo) -> tuple[str, tuple[Problem, ...]]:
    """A member's name, and a remark where nothing says in which letters it is written.

    Names without the mark of UTF-8 are in the code page of whoever packed them (APPNOTE 4.4.4):
    on Windows in Russian CP866, from other programs UTF-8 or CP1251.
    """
    if item.flag_bits & UTF8_NAME or item.filename.isascii():
        return item.filename, ()
    try:
        written = item.filename.encode("cp437")
    except UnicodeEncodeError:
        return item.filename, ()
    for encoding in NAMES_IN:
        with suppress(UnicodeDecodeError):
            name = written.decode(encoding)
            if encoding == "utf-8" or _is_russian(name):
                return name, ()
    problem = Problem("name-in-unknown-letters", blocks=False)
    return item.filename, (problem,)


def _is_russian(name: str) -> bool:
    """Are all letters beyond ASCII those of Russian, and is no word of two alphabets?"""
    return not TWO_ALPHABETS.search(name) and all(
        sign.isascii() or sign in "ёЁ№«»—" or "А" <= sign <= "я" for sign in name
    )


def _refuse_member(item: zipfile.ZipInfo, path: PurePosixPath) -> None:
    if path.is_absolute() or ".." in path.parts or ":" in item.filename:
        raise unfit("leads-out")
    if item.external_attr >> 16 & 0o170000 == SYMLINK:
        raise unfit("is-a-link")
    if item.flag_bits & 1:
        raise unfit("is-encrypted")
    if item.compress_type not in PACKINGS:
        raise unfit("unusual-packing")
    if not path.name.lower().endswith(KNOWN):
        raise unfit("kind-of-member")


def _bounded(stream: IO[bytes], item: zipfile.ZipInfo, room: Room) -> bytes:
    """Read a member, but never more than is allowed, whatever its header says."""
    pieces: list[bytes] = []
    size = 0
    while piece := stream.read(CHUNK):
        size += len(piece)
        room.take(len(piece))
        if size > MAX_FILE:
            raise unfit("file-too-large")
        if size > MAX_RATIO * max(item.compress_size, 1024):
            raise unfit("packed-too-tightly")
        pieces.append(piece)
    return b"".join(pieces)
