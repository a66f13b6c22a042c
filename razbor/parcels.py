"""An archive of markups is handed in: looked at here first, then sent and waited for."""

from __future__ import annotations

import sys
import time
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from razbor.client import Exchange, is_refused
from razbor.errors import Unusable
from razbor.words import _

LARGEST: Final = 100 * 1024 * 1024
KINDS: Final = (".json", ".txt")
PAUSE: Final = 1.0
"""Seconds between two questions how far it is."""
WAITING: Final = "waiting"


def hand_in(exchange: Exchange, path: str, essay_set: str) -> int:
    """Send an archive and tell what became of its files; 1 when one was refused.

    Raises ``Unusable`` and ``ExchangeError``.
    """
    content = read_archive(path)
    parcel = exchange.send_parcel(essay_set, Path(path).name, content)
    words = _("Archive {id} was sent: {size} files for “{essay_set}”.")
    _say(words.format(**parcel))
    parcel = _waited_for(exchange, parcel)
    for each in exchange.told_of(parcel["id"]):
        _say(_became_of(each))
    _say(_("Taken: {taken}, known already: {known}, refused: {refused}.").format(**parcel))
    if parcel["state"] == "failed":
        raise Unusable(
            _("The platform broke off. What was taken stays; send the archive again for the rest.")
        )
    return int(parcel["refused"] > 0)


def _became_of(file: Mapping[str, Any]) -> str:
    """What is told of a file that was refused, or that is remarkable."""
    if is_refused(file):
        return _("{name}: refused. {reason}").format(**file)
    words = _("{name}: remark. {remarks}")
    return words.format(name=file["name"], remarks=" ".join(file["remarks"]))


def read_archive(path: str) -> bytes:
    """The bytes of an archive that can be sent. Raises ``Unusable``."""
    try:
        content = Path(path).read_bytes()
        with zipfile.ZipFile(path) as archive:
            damaged = archive.testzip()
            names = [name for name in archive.namelist() if name.lower().endswith(KINDS)]
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError):
        raise Unusable(_("{name}: this is no sound .zip archive.").format(name=path)) from None
    except OSError as error:
        raise Unusable(f"{path}: {error.strerror}.") from None
    if damaged is not None:
        words = _("{name}: {file} is damaged. Pack the archive anew.")
        raise Unusable(words.format(name=path, file=damaged))
    if not names:
        raise Unusable(_("{name}: no .json or .txt files are in it.").format(name=path))
    if len(content) > LARGEST:
        raise Unusable(_("{name}: larger than 100 MB. Send it in parts.").format(name=path))
    return content


def _waited_for(exchange: Exchange, parcel: dict[str, Any]) -> dict[str, Any]:
    """The archive once it is taken in."""
    told = 0
    while parcel["state"] == WAITING:
        time.sleep(PAUSE)
        parcel = exchange.parcel(parcel["id"])
        come = sum(parcel[name] for name in ("taken", "known", "refused"))
        if come > told and sys.stderr.isatty():
            told = come
            words = _("{come} of {size} files so far")
            sys.stderr.write(words.format(come=come, size=parcel["size"]) + "\n")
    return parcel


def _say(words: str) -> None:
    sys.stdout.write(words + "\n")
