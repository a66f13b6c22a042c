from __future__ import annotations

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config import catalogues


class Command(BaseCommand):
    help = "Collect the messages of code and templates, and compile the Russian catalogues."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="change nothing, exit 1 on faults")

    def handle(self, *, check: bool, **_: object) -> None:
        found = catalogues.check() if check else catalogues.update()
        for line in found:
            self.stdout.write(line)
        if found and check:
            raise CommandError("The catalogues are not complete.")
