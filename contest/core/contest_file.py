"""``contest.toml``: a contest as a file of one fixed shape; every text has exactly one form.

What ``to_toml`` writes, ``from_toml`` reads to the same value and ``to_toml`` writes to the same
bytes. Moments are instants with the offset of the contest's zone; one without an offset is of
that zone. ``none`` stands for nothing among the rules of sessions, which TOML cannot say.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final
from zoneinfo import ZoneInfo

from contest.core.errors import ContestFileError
from web.core.json_values import is_number
from web.core.lines import Lines

FORMAT: Final = 1
NONE: Final = "none"
PLACE: Final = re.compile(r"line (\d+), column (\d+)")
BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
FOLDER: Final = re.compile(r"[A-Za-z0-9_-]{1,40}")
LARGEST: Final = 10**12
LARGEST_COUNT: Final = 2**15 - 1
"""What a column of small numbers holds."""

Row = Mapping[str, Any]


class Kind(StrEnum):
    """What a key holds; of texts ``NAME`` is not empty, ``FOLDER`` fit to be one."""

    NAME = "name"
    FOLDER = "folder"
    TEXT = "text"
    FLAG = "flag"
    COUNT = "count"
    NUMBER = "number"
    MOMENT = "moment"
    WORDS = "words"
    VALUES = "values"


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a table; one that ``may_lack`` is then ``None``."""

    kind: Kind
    may_lack: bool = False


_N, _T, _F, _C = Key(Kind.NAME), Key(Kind.TEXT), Key(Kind.FLAG), Key(Kind.COUNT)
_X, _M, _MAYBE = Key(Kind.NUMBER), Key(Kind.MOMENT), Key(Kind.MOMENT, may_lack=True)

CONTEST: Final[Mapping[str, Key]] = {
    "slug": _N,
    "name_ru": _N,
    "name_en": _T,
    "subject": _T,
    "scheme": _T,
    "zone": _N,
    "live": _F,
    "shows_test_board": _F,
    "contact": _T,
    "licence": _N,
    "applications_from": _MAYBE,
    "applications_until": _MAYBE,
    "announced_at": _MAYBE,
    "final_at": _MAYBE,
    "summary_ru": _T,
    "summary_en": _T,
    "task_ru": _T,
    "task_en": _T,
}
TABLES: Final[Mapping[str, Mapping[str, Key]]] = {
    "phases": {"kind": _N, "starts_at": _M, "ends_at": _M, "closed_at": _MAYBE},
    "rules": {
        "name": _N,
        "version": _C,
        **dict.fromkeys(["w1", "w2", "w3", "w4", "w5", "w6", "w7", "hardness"], _X),
        "third_total": _N,
        "nomination_only": _F,
        "allow_crossing": _F,
        "blind_first": _F,
        "days_to_mark": _C,
        "final_grades": Key(Kind.WORDS, may_lack=True),
    },
    "parameters": {
        "version": _C,
        "rules": _N,
        "star_to_qualify": _X,
        "annulled_to_qualify": _X,
        "session": Key(Kind.VALUES),
        "reason_ru": _T,
        "reason_en": _T,
        "proposed_at": _M,
        "in_force_at": _MAYBE,
        "rejected_at": _MAYBE,
    },
    "sets": {
        "folder": Key(Kind.FOLDER),
        "name": _N,
        "role": _N,
        "rules": _N,
        "state": _N,
        "shows_rivals": _F,
        "names_experts": _F,
        "takes_parcels": _F,
        "published_at": _MAYBE,
        "guidelines": _T,
    },
    "teams": {"name": _N, "login": _N, "admitted_at": _MAYBE, "excluded_at": _MAYBE}
    | {"excluded_because": _T, "excluded_by": Key(Kind.TEXT, may_lack=True)},
}
"""The lists after ``[contest]``, in their order; ``teams`` only where they are taken along."""


@dataclass(frozen=True, slots=True)
class ContestFile:
    """A contest as ``contest.toml`` says it: values by key, as ``CONTEST`` and ``TABLES`` name
    them; moments in UTC.
    """

    contest: Row
    phases: tuple[Row, ...] = ()
    rules: tuple[Row, ...] = ()
    parameters: tuple[Row, ...] = ()
    sets: tuple[Row, ...] = ()
    teams: tuple[Row, ...] = ()


def from_toml(words: str) -> ContestFile:
    """What the file says. Raises ``ContestFileError`` with the line, or the key."""
    try:
        found = tomllib.loads(words)
    except tomllib.TOMLDecodeError as error:
        said = PLACE.search(str(error))
        line, column = map(int, said.groups()) if said else Lines(words).place(len(words))
        raise ContestFileError("not-toml", line=line, column=column) from None
    _known(found, ("format", "contest", *TABLES), "")
    if found.get("format") != FORMAT:
        raise ContestFileError("not-this-format", "format", known=FORMAT)
    contest = found.get("contest")
    if not isinstance(contest, dict):
        raise ContestFileError("table-missing", "contest", name="contest")
    zone = zone_named(contest.get("zone"), "contest.zone")
    lists = {name: _list_of(found.get(name, []), name, zone) for name in TABLES}
    return ContestFile(_row(contest, CONTEST, "contest", zone), **lists)


def to_toml(file: ContestFile) -> str:
    """The file, with a line end after the last line."""
    zone = ZoneInfo(file.contest["zone"])
    parts = [f"format = {FORMAT}\n", _table("[contest]", file.contest, CONTEST, zone)]
    for name, keys in TABLES.items():
        parts += [_table(f"[[{name}]]", row, keys, zone) for row in getattr(file, name)]
    return "\n".join(parts)


def zone_named(value: Any, path: str) -> ZoneInfo:
    """The time zone of this name. Raises ``ContestFileError``."""
    try:
        return ZoneInfo(value)
    except (ValueError, TypeError, OSError):  # a name that is none may be a folder's
        raise ContestFileError("not-a-zone", path, value=str(value)) from None
    except KeyError:  # ZoneInfoNotFoundError
        raise ContestFileError("not-a-zone", path, value=str(value)) from None


def _list_of(found: Any, name: str, zone: ZoneInfo) -> tuple[Row, ...]:
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise ContestFileError("not-tables", name, name=name)
    keys = TABLES[name]
    return tuple(_row(row, keys, f"{name}[{place}]", zone) for place, row in enumerate(found))


def _row(found: Mapping[str, Any], keys: Mapping[str, Key], path: str, zone: ZoneInfo) -> Row:
    _known(found, keys, path)
    row: dict[str, Any] = {}
    for name, key in keys.items():
        if name in found:
            row[name] = _READ[key.kind](found[name], f"{path}.{name}", zone)
        elif key.may_lack:
            row[name] = None
        else:
            raise ContestFileError("key-missing", path, name=name)
    return row


def _known(found: Mapping[str, Any], names: Sequence[str] | Mapping[str, Key], path: str) -> None:
    for name in found:
        if name not in names:
            raise ContestFileError("key-unknown", path, name=name)


def _text(value: Any, path: str, _zone: ZoneInfo) -> str:
    if not isinstance(value, str):
        raise ContestFileError("not-a-string", path)
    if "\0" in value:
        raise ContestFileError("holds-nul", path)
    return value


def _name(value: Any, path: str, zone: ZoneInfo) -> str:
    if not _text(value, path, zone):
        raise ContestFileError("empty-string", path)
    return str(value)


def _folder(value: Any, path: str, zone: ZoneInfo) -> str:
    if not FOLDER.fullmatch(_text(value, path, zone)):
        raise ContestFileError("not-a-folder", path)
    return str(value)


def _flag(value: Any, path: str, _zone: ZoneInfo) -> bool:
    if not isinstance(value, bool):
        raise ContestFileError("not-a-flag", path)
    return value


def _count(value: Any, path: str, _zone: ZoneInfo) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ContestFileError("not-a-count", path, least=0)
    if not 0 <= value <= LARGEST_COUNT:
        raise ContestFileError("out-of-range", path, least=0, most=LARGEST_COUNT)
    return value


def _number(value: Any, path: str, _zone: ZoneInfo) -> float:
    if not is_number(value, -LARGEST, LARGEST):
        raise ContestFileError("not-a-number", path)
    return float(value)


def _moment(value: Any, path: str, zone: ZoneInfo) -> datetime:
    if not isinstance(value, datetime):
        raise ContestFileError("not-a-moment-of-toml", path)
    whole = value if value.tzinfo else value.replace(tzinfo=zone)
    try:
        return whole.astimezone(UTC)
    except OverflowError:
        raise ContestFileError("not-a-moment-of-toml", path) from None


def _words(value: Any, path: str, zone: ZoneInfo) -> dict[str, str]:
    if not isinstance(value, dict):
        raise ContestFileError("not-tables", path, name=path)
    return {name: _text(each, f"{path}.{name}", zone) for name, each in sorted(value.items())}


def _values(value: Any, path: str, zone: ZoneInfo) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ContestFileError("not-tables", path, name=path)
    found: dict[str, Any] = {}
    for name, each in sorted(value.items()):
        if each != NONE:
            _number(each, f"{path}.{name}", zone)
        found[name] = None if each == NONE else each
    return found


_READ: Final[Mapping[Kind, Callable[[Any, str, ZoneInfo], Any]]] = {
    Kind.NAME: _name,
    Kind.FOLDER: _folder,
    Kind.TEXT: _text,
    Kind.FLAG: _flag,
    Kind.COUNT: _count,
    Kind.NUMBER: _number,
    Kind.MOMENT: _moment,
    Kind.WORDS: _words,
    Kind.VALUES: _values,
}


def _table(head: str, row: Row, keys: Mapping[str, Key], zone: ZoneInfo) -> str:
    told = [(name, row[name]) for name in keys if row[name] is not None]
    lines = [f"{name} = {_written(value, zone)}" for name, value in told]
    return "\n".join([head, *lines, ""])


def _written(value: Any, zone: ZoneInfo) -> str:
    if value is None:
        return f'"{NONE}"'
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, datetime):
        return _said_in(value, zone).isoformat()
    if isinstance(value, Mapping):
        pairs = (f"{_key(name)} = {_written(each, zone)}" for name, each in sorted(value.items()))
        return "{ " + ", ".join(pairs) + " }" if value else "{}"
    return _quoted(value)


def _said_in(moment: datetime, zone: ZoneInfo) -> datetime:
    """The moment in the zone; in UTC where the offset of long ago has seconds, or no year."""
    try:
        local = moment.astimezone(zone)
    except OverflowError:
        return moment.astimezone(UTC)
    offset = local.utcoffset()
    is_whole = offset is not None and offset.total_seconds() % 60 == 0
    return local if is_whole else moment.astimezone(UTC)


def _key(name: str) -> str:
    return name if BARE.fullmatch(name) else _quoted(name, in_lines=False)


def _quoted(text: str, *, in_lines: bool = True) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    if in_lines and "\n" in text:
        return '"""\n' + "".join(map(_sign, escaped)) + '"""'
    return '"' + "".join(map(_sign, escaped)).replace("\n", "\\n") + '"'


def _sign(sign: str) -> str:
    is_plain = sign in "\n\t" or not (ord(sign) < 0x20 or ord(sign) == 0x7F)
    return sign if is_plain else f"\\u{ord(sign):04x}"
