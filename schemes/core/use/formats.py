"""Bytes or text of any accepted format -> records.

The format is told by the contents, never by a file's name (schemes.md 1.4): MERA's
``{"data": {"test": [...]}}`` with any splits, a JSON list, JSON Lines, CSV with a header, or a
submission archive that holds one of these.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from schemes.core.use.archive import MAX_BYTES, is_archive, read_submission
from schemes.core.use.csv_records import from_csv
from schemes.core.use.errors import UnusableFileError
from schemes.core.use.json_records import from_list, from_object
from schemes.core.use.problems import Problems
from schemes.core.use.record import RecordFile
from web.core.packed import why_not_utf8


def read_records(
    data: bytes | str, problems: Problems, *, split: str | None, columns: Sequence[str]
) -> RecordFile:
    """Read a file: broken records are added to ``problems``, the others are read.

    ``split``: the one to be read; by default "test", or the only one there is. ``columns``:
    those a CSV must have. Raises ``UnusableFileError`` if nothing can be read.
    """
    text = read_text(data)
    sign = text.lstrip()[:1]
    if sign == "{":
        return from_object(text, problems, split)
    if sign == "[":
        return from_list(text, problems, split)
    return from_csv(text, problems, split, columns)


class _Read(Protocol):
    @property
    def has_splits(self) -> bool: ...


def refuse_idle_split(split: str | None, *files: _Read) -> None:
    """A split was chosen though no file has any. Raises ``UnusableFileError``."""
    if split and not any(file.has_splits for file in files):
        raise UnusableFileError("split-idle", name=split)


def read_text(data: bytes | str) -> str:
    """The text of a file or of the file in an archive. Raises ``UnusableFileError``."""
    if len(data) > MAX_BYTES:
        raise UnusableFileError("file-too-large", limit=MAX_BYTES // 2**20)
    if isinstance(data, bytes):
        data = _decoded(read_submission(data) if is_archive(data) else data)
    text = data.removeprefix("\ufeff")
    if not text.strip():
        raise UnusableFileError("empty-file")
    return text


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        found = why_not_utf8(data, error.start)
        raise UnusableFileError(found.code, **found.fields) from None
