from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotator.core.values import Subject
from annotator.models import EssaySet
from annotator.services.archives import read_uploads
from annotator.services.importing import Options, Outcome, import_files


class Command(BaseCommand):
    help = "Import essays and markups: .txt, .json or .zip files, or a folder of them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", type=Path, nargs="+")
        parser.add_argument("--set", required=True, help="name of the essay set")
        parser.add_argument("--subject", choices=[item.value for item in Subject])

    def handle(self, *, path: list[Path], set: str, subject: str | None, **_: object) -> None:  # noqa: A002
        essay_set = EssaySet.objects.filter(name=set).first()
        if essay_set is None:
            names = ", ".join(EssaySet.objects.values_list("name", flat=True)) or "none yet"
            raise CommandError(f"There is no essay set “{set}”. There are: {names}.")
        options = Options(essay_set, Subject(subject) if subject else None)
        with ExitStack() as opened:
            report = import_files(read_uploads(_open_all(path, opened)), options)
        for item in report:
            self.stdout.write(f"{item.outcome:8} {item.name} {item.reason}".rstrip())
            for remark in item.remarks:
                self.stdout.write(f"         {remark}")
        if any(item.outcome is Outcome.REFUSED for item in report):
            raise CommandError("Some files were refused; the reasons stand above.")


def _open_all(paths: list[Path], opened: ExitStack) -> Iterator[tuple[str, IO[bytes]]]:
    for path in paths:
        if not path.exists():
            raise CommandError(f"{path}: no such file or folder.")
        files = sorted(path.iterdir()) if path.is_dir() else [path]
        for file in files:
            if file.is_file() and file.suffix.lower() in (".txt", ".json", ".zip"):
                yield file.name, opened.enter_context(file.open("rb"))
