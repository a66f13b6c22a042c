"""What is wrong with a session's case or log, or a ``contest.toml``; what to do about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from web.core.errors import JsonValueError
from web.core.sentences import N_, Translate, describe_value

SENTENCES: Final[Mapping[str, str]] = {
    "not-a-moment": N_("A number of seconds is expected here, with at most {most} decimals."),
    "not-an-iso-moment": N_("A moment such as 2026-11-20T11:25:04.531000+00:00 is expected here."),
    "not-a-count": N_("A whole number of {least} or more is expected here."),
    "not-a-share": N_("A share from 0 to 1, or null, is expected here."),
    "out-of-range": N_("A number from {least} to {most} is expected here."),
    "not-positive": N_("The span must be longer than 0 seconds."),
    "negative": N_("The span must be 0 seconds or longer."),
    "no-files": N_("There are no files. Name at least one."),
    "file-twice": N_("The file “{name}” is named twice. Keep one of them."),
    "descending": N_("The event is earlier than the one before it. Put events in their order."),
    "not-toml": N_(
        "line {line}, column {column}: this is not TOML. Look at the quotes and brackets here."
    ),
    "not-this-format": N_("Write format = {known}: files of another format cannot be read."),
    "table-missing": N_("The table [{name}] is missing. Add it."),
    "not-tables": N_("Tables with keys are expected here, under [[{name}]]."),
    "not-a-zone": N_("“{value}” is no time zone. Write one such as Europe/Moscow."),
    "not-a-folder": N_("Write the name of a folder: up to 40 Latin letters, digits, - and _."),
    "not-a-flag": N_("Write true or false here."),
    "not-a-number": N_("A finite number is expected here."),
    "not-a-moment-of-toml": N_("A moment such as 2026-11-20T10:00:00+03:00 is expected here."),
    "holds-nul": N_("The string holds a NUL character. Remove it."),
    "unfit": N_("{words}"),
    "twice": N_("“{value}” stands here twice. Give each a name of its own."),
    "no-such-rules": N_("There are no [[rules]] “{value}” in this file. Add them or name others."),
    "other-rules": N_(
        "The platform has rules “{value}” that say something else. Give these another version."
    ),
    "taken": N_("The platform has “{value}” already. Choose another one."),
}


def describe(error: JsonValueError, translate: Translate) -> str:
    """The sentence, with its place before it."""
    return describe_value(error, translate, SENTENCES)
