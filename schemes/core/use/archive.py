"""A submission as MERA takes it: a ZIP archive with USE.json in it, read within limits.

Nothing is unpacked to disk. Sizes are measured while reading, whatever the headers say.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from pathlib import PurePosixPath
from typing import IO, Final

from schemes.core.use.errors import UnusableFileError

SIGNATURES: Final = (b"PK\x03\x04", b"PK\x05\x06")
NAME: Final = "USE.json"
MAX_BYTES: Final = 50 * 1024 * 1024
MAX_RATIO: Final = 100
MAX_MEMBERS: Final = 10_000
CHUNK: Final = 64 * 1024
SMALL: Final = 4096
"""Fewer packed bytes count as so many, since a short file may well be packed tightly."""
SYMLINK: Final = 0o120000
NAMED: Final = 10
"""So many names of the archive's files are told at most."""
MAC_SHADOWS: Final = "__MACOSX/"
PACKINGS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
DAMAGE: Final = (
    *(zipfile.BadZipFile, zlib.error, EOFError, OSError),
    *(RuntimeError, NotImplementedError, ValueError),
)
"""What the standard library raises on archives that are not sound."""


def is_archive(data: bytes) -> bool:
    """Whether the bytes begin as a ZIP archive does."""
    return data.startswith(SIGNATURES)


def read_submission(data: bytes) -> bytes:
    """The contents of USE.json, in whatever folder of the archive it lies.

    Raises ``UnusableFileError`` if there is none or more than one, and for what is encrypted,
    damaged, packed more than a hundred times, larger than 50 MB, a link, or named ``../x``.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            member = _chosen(archive)
            with archive.open(member) as stream:
                return _bounded(stream, member)
    except DAMAGE:
        raise UnusableFileError("archive-damaged") from None


def _chosen(archive: zipfile.ZipFile) -> zipfile.ZipInfo:
    members = [each for each in archive.infolist() if _is_file(each)]
    if len(members) > MAX_MEMBERS:
        raise UnusableFileError("archive-too-many", limit=MAX_MEMBERS)
    found = [each for each in members if _path(each).name.lower() == NAME.lower()]
    if len(found) != 1:
        names = tuple(each.filename for each in (found or members)[:NAMED])
        raise UnusableFileError("archive-names" if found else "archive-no-name", names=names)
    _refuse(found[0])
    return found[0]


def _is_file(member: zipfile.ZipInfo) -> bool:
    return not member.is_dir() and not member.filename.startswith(MAC_SHADOWS)


def _path(member: zipfile.ZipInfo) -> PurePosixPath:
    return PurePosixPath(member.filename.replace("\\", "/"))


def _refuse(member: zipfile.ZipInfo) -> None:
    path = _path(member)
    if path.is_absolute() or ".." in path.parts or ":" in member.filename:
        raise UnusableFileError("archive-path", name=member.filename)
    if member.external_attr >> 16 & 0o170000 == SYMLINK:
        raise UnusableFileError("archive-link", name=member.filename)
    if member.flag_bits & 1:
        raise UnusableFileError("archive-encrypted", name=member.filename)
    if member.compress_type not in PACKINGS:
        raise UnusableFileError("archive-packing", name=member.filename)


def _bounded(stream: IO[bytes], member: zipfile.ZipInfo) -> bytes:
    pieces: list[bytes] = []
    size = 0
    while piece := stream.read(CHUNK):
        size += len(piece)
        if size > MAX_RATIO * max(member.compress_size, SMALL):
            raise UnusableFileError("archive-ratio", limit=MAX_RATIO)
        if size > MAX_BYTES:
            raise UnusableFileError("file-too-large", limit=MAX_BYTES // 2**20)
        pieces.append(piece)
    return b"".join(pieces)
