"""The gettext catalogues: collected from the code and the templates, compiled, checked.

Two of them, so that the command line can be shipped without the web: the words of the cores and
of ``razbor`` lie beside it, those of pages and forms in ``locale``. Needs Babel (a tool of the
tests, tests/requirements.in); GNU gettext is not needed.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

from config.floors import APPS, FOLDERS

ROOT: Final = Path(__file__).resolve().parent.parent
LANGUAGE: Final = "ru"
KEYWORDS: Final = {
    "_": None,
    "N_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
}
FOR_COMMAND_LINE: Final = ("razbor/", *(f"{app}/core/" for app in APPS))
IGNORED: Final = ("/migrations/", "/demo/")


@dataclass(frozen=True, slots=True)
class Located:
    """A catalogue: where it lies and what was collected for it."""

    folder: Path
    collected: Catalog

    @property
    def po(self) -> Path:
        return self.folder / LANGUAGE / "LC_MESSAGES" / "django.po"

    @property
    def name(self) -> str:
        """How it is called to a person."""
        return self.po.relative_to(ROOT).as_posix()

    @property
    def mo(self) -> Path:
        return self.po.with_suffix(".mo")

    def known(self) -> Catalog:
        """The catalogue as it is translated today."""
        if not self.po.is_file():
            return Catalog(locale=LANGUAGE)
        with self.po.open("rb") as stream:
            return read_po(stream, locale=LANGUAGE)


def collect() -> list[Located]:
    """Both catalogues with every message of the sources, not translated yet."""
    places = [Located(ROOT / "razbor" / "locale", _empty()), Located(ROOT / "locale", _empty())]
    for path, text in _sources():
        name = path.relative_to(ROOT).as_posix()
        catalogue = places[0 if name.startswith(FOR_COMMAND_LINE) else 1].collected
        for line, message, comments, context in extract(
            "python", io.BytesIO(text.encode()), keywords=KEYWORDS, comment_tags=["Translators:"]
        ):
            catalogue.add(message, None, [(name, line)], auto_comments=comments, context=context)
    return places


def update() -> list[str]:
    """Bring both catalogues up to date and compile them; returns what is not translated yet."""
    missing: list[str] = []
    for place in collect():
        catalogue = _merged(place)
        missing += _told(place, catalogue)
        place.po.parent.mkdir(parents=True, exist_ok=True)
        place.po.write_bytes(_po(catalogue))
        place.mo.write_bytes(_mo(catalogue))
    return missing


def check() -> list[str]:
    """What is wrong with the catalogues as they lie there; empty when they are complete."""
    found: list[str] = []
    for place in collect():
        name = place.name
        catalogue = _merged(place)
        found += _told(place, catalogue)
        if not place.po.is_file() or place.po.read_bytes() != _po(catalogue):
            found.append(f"{name}: not up to date: run `manage.py messages`.")
        elif place.mo.read_bytes() != _mo(catalogue):
            found.append(f"{place.mo.name} does not belong to {name}: run `manage.py messages`.")
    return found


def _sources() -> Iterator[tuple[Path, str]]:
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if not any(part in path.as_posix() for part in IGNORED):
                yield path, path.read_text("utf-8")
    for path in sorted((ROOT / "templates").rglob("*.*")):
        if path.suffix in (".html", ".txt"):
            lines = templatize(path.read_text("utf-8"), origin=path.name).splitlines()
            yield (
                path,
                "\n".join(line.lstrip() for line in lines),
            )  # read as Python: none is indented


def _merged(place: Located) -> Catalog:
    """What was collected, with the translations known so far and nothing that is not used."""
    catalogue = _empty()
    known = place.known()
    for message in place.collected:
        if message.id:
            old = known.get(message.id, message.context)
            string = old.string if old and not old.fuzzy else None
            files = sorted({(name, None) for name, _line in message.locations})
            catalogue.add(message.id, string, files, context=message.context)
    return catalogue


class _Ours(Catalog):
    """A catalogue whose header says what a reader of it needs: no dates, no names to fill in."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:  # type: ignore[override]
        return [
            ("Language", LANGUAGE),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=UTF-8"),
            ("Content-Transfer-Encoding", "8bit"),
            ("Plural-Forms", self.plural_forms + "\n"),
        ]


def _empty() -> Catalog:
    return _Ours(locale=LANGUAGE, fuzzy=False, header_comment="# Razbor, in Russian.")


def _told(place: Located, catalogue: Catalog) -> list[str]:
    """What waits for a translation, each with the file where it stands."""
    return [f"{place.name}: not translated: {message}" for message in _untranslated(catalogue)]


def _untranslated(catalogue: Catalog) -> list[str]:
    missing = []
    for message in catalogue:
        string = message.string or ""
        strings = [string] if isinstance(string, str) else list(string)
        if message.id and not all(strings):
            missing.append(str(message.id))
    return missing


def _po(catalogue: Catalog) -> bytes:
    stream = io.BytesIO()
    write_po(stream, catalogue, width=96, sort_by_file=True)
    return stream.getvalue()


def _mo(catalogue: Catalog) -> bytes:
    stream = io.BytesIO()
    write_mo(stream, catalogue)
    return stream.getvalue()
