"""Make a contest from a folder, take one away as a folder."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from contest.models import Contest
from contest.services.folders import make_from_folder, take_to_folder
from web.commands import SpokenCommand
from web.refusals import Refused


class Command(SpokenCommand):
    help = "Make a contest from a folder (contest.toml, essays, markups), or write one as a folder."

    def add_arguments(self, parser: ArgumentParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        make = acts.add_parser("make", help="make the contest that a folder holds")
        make.add_argument("folder", type=Path)
        take = acts.add_parser("take", help="write a contest into a folder that is not there yet")
        take.add_argument("slug")
        take.add_argument("folder", type=Path)
        take.add_argument("--teams", action="store_true", help="teams and their markups too")

    def handle(self, *_args: Any, act: str, folder: Path, **given: Any) -> None:
        try:
            made = make_from_folder(folder=folder) if act == "make" else _taken(folder, **given)
        except Refused as error:
            raise CommandError(str(error)) from None
        sets = made.data_sets.count()
        essays = sum(each.essay_set.essays.count() for each in made.data_sets.all())
        told = (
            ngettext("%d set", "%d sets", sets) % sets,
            ngettext("%d essay", "%d essays", essays) % essays,
        )
        self.stdout.write(f"{made.slug}: {', '.join(told)}")


def _taken(folder: Path, *, slug: str, teams: bool, **_given: Any) -> Contest:
    found = Contest.objects.filter(slug=slug).first()
    if found is None:
        known = ", ".join(Contest.objects.order_by("slug").values_list("slug", flat=True))
        message = _("There is no contest “%(slug)s”. There are: %(known)s.")
        raise CommandError(message % {"slug": slug, "known": known or "–"})
    take_to_folder(contest=found, folder=folder, teams=teams)
    return found
