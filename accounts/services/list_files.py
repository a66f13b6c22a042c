"""A list of people as a file: its encoding, its columns in either language, its rows."""

from __future__ import annotations

import csv
import io
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator, Mapping
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from accounts.services.list_words import codes_by_word, plain
from web.core.old_encodings import old_encoding
from web.core.sheets import unguarded
from web.refusals import Refused

COLUMNS: Final = ("login", "name", "email", "role", "school", "subjects")
HEADINGS: Final = (
    ("login", gettext_lazy("login")),
    ("name", gettext_lazy("full name")),
    ("name", pgettext_lazy("column of a list of people", "name")),
    ("email", gettext_lazy("e-mail")),
    ("email", pgettext_lazy("column of a list of people", "mail")),
    ("role", gettext_lazy("role")),
    ("school", gettext_lazy("school")),
    ("subjects", gettext_lazy("subjects")),
)
"""What the columns may be called, as in the export of people; also as in ``COLUMNS``."""

MAX_ROWS: Final = 2000
LEAD: Final = 3
"""By so many letters an old encoding must be likelier than the others: names are not guessed."""


class ListRefused(Refused):
    """The list as a whole cannot be read; ``str()`` says why."""


def rows_of(data: bytes) -> Iterator[tuple[int, Mapping[str, str]]]:
    """The lines of a list by ``COLUMNS``, each with its number. Raises ``ListRefused``."""
    text = _text_of(data)
    delimiter = ";" if text.partition("\n")[0].count(";") else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        places = _places(next((row for row in reader if row), []))
        lines = (row for row in reader if row)
        for index, row in enumerate(lines):
            if index >= MAX_ROWS:
                raise ListRefused(_("The list holds more than %d people.") % MAX_ROWS)
            cells = {name: row[at] if at < len(row) else "" for name, at in places.items()}
            yield reader.line_num, {name: unguarded(cell).strip() for name, cell in cells.items()}
    except csv.Error as error:
        message = _("Line %(line)d is not CSV: %(error)s.")
        raise ListRefused(message % {"line": reader.line_num, "error": error}) from None


def _text_of(data: bytes) -> str:
    """UTF-8, what a byte order mark announces, or an old Russian encoding."""
    encoding = "utf-16" if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        pass
    try:
        return data.decode(old_encoding(data, lead=LEAD) or "utf-8")
    except UnicodeDecodeError:
        message = _("The list is not in UTF-8. In Excel, save it as “CSV UTF-8”.")
        raise ListRefused(message) from None


def _words(names: list[str]) -> list[str]:
    """What the export of people calls these columns."""
    said = dict(reversed(HEADINGS))  # the first of several words for one column stays
    return [str(said[name]) for name in names]


def _places(head: list[str]) -> dict[str, int]:
    known = codes_by_word(HEADINGS)
    named = [known.get(plain(word)) for word in head]
    missing = [name for name in COLUMNS if name not in named]
    if missing:
        raise ListRefused(
            _("The first line must name the columns; missing: %s.") % ", ".join(_words(missing))
        )
    return {name: named.index(name) for name in COLUMNS}
