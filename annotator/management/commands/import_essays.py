from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotator.core.values import Subject
from annotator.models import EssaySet
from annotator.models.imports import EssayImport, ImportedFile
from annotator.services.archives import read_uploads
from annotator.services.gates import refuse_import
from annotator.services.imports.importing import (
    Options,
    Outcome,
    Preview,
    begin_import,
    carry_out,
    foresee,
)
from annotator.services.imports.steps import read_batch
from annotator.services.sets import make_essay_set, new_essay_set
from web.refusals import Refused

MANY: Final = 50
"""From so many essays on, somebody who watches sees how far the import is."""
FORMATS: Final = (".txt", ".json", ".zip")


class Command(BaseCommand):
    help = (
        "Import essays and markups: .txt, .json or .zip files, or a folder of them. "
        "Accounts that are made for experts nobody knows are listed first; nobody can use them."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", type=Path, nargs="+")
        parser.add_argument("--set", required=True, help="name of the essay set")
        parser.add_argument("--make-set", action="store_true", help="make the set if it is new")
        parser.add_argument("--rules", default="", help="name of the rules of a new set")
        parser.add_argument("--subject", choices=[item.value for item in Subject])
        parser.add_argument(
            "--from-markups",
            action="store_true",
            help="a marked file brings its essay along where there is none",
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="say what would happen and do nothing"
        )

    def handle(self, *, path: list[Path], dry_run: bool, **options: Any) -> None:
        files, passed_over = _listed(path)
        for each in passed_over:
            self.stderr.write(f"skipped  {each}: {_why_skipped(each)}")
        try:
            chosen = _options(**options)
            if not (dry_run or chosen.essay_set.pk):
                make_essay_set(essay_set=chosen.essay_set, actor=None)
        except Refused as refused:
            raise CommandError(str(refused)) from None
        read = read_batch(read_uploads(_opened(files)), chosen)
        preview = foresee(batch=EssayImport(), read=read, options=chosen)
        self._announce(preview)
        if dry_run:
            self._tell(preview.files, [_thirds(preview), "Nothing was imported."])
        else:
            batch = begin_import(chosen)
            self._tell(carry_out(batch=batch, read=read, options=chosen, watch=_watched))

    def _announce(self, preview: Preview) -> None:
        """Before anything is done: the accounts that will be made."""
        for file in preview.files:
            if file.makes_account:
                self.stderr.write(f"account  {file.author}: new, closed")

    def _tell(self, files: Sequence[ImportedFile], last: Sequence[str] = ()) -> None:
        for item in files:
            self.stdout.write(f"{item.outcome:8} {item.name} {_becomes(item)}".rstrip())
            for remark in item.remarks:
                self.stdout.write(f"         {remark}")
        for line in last:
            self.stdout.write(line)
        if any(item.outcome == Outcome.REFUSED for item in files):
            raise CommandError("Some files were refused; the reasons stand above.")


def _options(
    *,
    set: str,  # noqa: A002 - the name of the option
    make_set: bool,
    rules: str,
    subject: str | None,
    from_markups: bool,
    **_: object,
) -> Options:
    essay_set = EssaySet.objects.select_related("rules").filter(name=set).first()
    if essay_set is None and make_set:
        essay_set = new_essay_set(name=set, rules=rules)
    if essay_set is None:
        names = ", ".join(EssaySet.objects.values_list("name", flat=True)) or "none yet"
        raise CommandError(f"There is no essay set “{set}”. There are: {names}.")
    refuse_import(essay_set)
    return Options(essay_set, Subject(subject) if subject else None, None, from_markups)


def _becomes(file: ImportedFile) -> str:
    """Why a file is refused, or which check its markup becomes."""
    return f"({file.get_role_display()})" if file.role else file.reason


def _thirds(preview: Preview) -> str:
    return f"Third checks called: {', '.join(preview.thirds) or 'none'}."


def _listed(paths: Sequence[Path]) -> tuple[list[Path], list[Path]]:
    """The files to import, and what is passed over."""
    files: list[Path] = []
    for path in paths:
        if not path.exists():
            raise CommandError(f"{path}: no such file or folder.")
        files += sorted(path.iterdir()) if path.is_dir() else [path]
    ours = [file for file in files if file.is_file() and file.suffix.lower() in FORMATS]
    return ours, [file for file in files if file not in set(ours)]


def _why_skipped(path: Path) -> str:
    if path.is_dir():
        return "a folder within a folder; name it as well to import it."
    return f"only {', '.join(FORMATS)} files are imported."


def _opened(files: Iterable[Path]) -> Iterator[tuple[str, IO[bytes]]]:
    """Every file in its turn; one at a time is open."""
    for file in files:
        with _open(file) as stream:
            yield file.name, stream


def _open(file: Path) -> IO[bytes]:
    try:
        return file.open("rb")
    except OSError as error:
        raise CommandError(f"{file}: {error.strerror}.") from None


def _watched(essays: Sequence[Any]) -> Iterable[Any]:
    """The essays; with a progress bar when they are many and somebody watches."""
    if len(essays) < MANY or not sys.stderr.isatty():
        return essays
    from tqdm import tqdm  # noqa: PLC0415 - a bar nobody sees must not cost start-up time

    return tqdm(essays, unit=" essays", file=sys.stderr)
