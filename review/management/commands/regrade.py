from __future__ import annotations

from django.core.management.base import CommandError, CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator.core.values import Subject
from annotator.models import EssaySet
from review.queries.settling import standing_decisions
from review.services.redeciding import OtherDecision, decide_anew, other_decisions
from scoring.queries.tables import graded_markups
from scoring.services.regrading import Change, outdated_points, regrade
from web.commands import SpokenCommand


class Command(SpokenCommand):
    help = "Show which stored points the rules would give otherwise; --apply writes them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--set", help="name of an essay set; without it, all of them")
        parser.add_argument("--subject", choices=[item.value for item in Subject])
        parser.add_argument("--apply", action="store_true", help="write the points")
        parser.add_argument(
            "--thirds", action="store_true", help="with --apply: decide on third checks anew, too"
        )

    def handle(  # type: ignore[override]
        self,
        *,
        set: str | None,  # noqa: A002
        subject: str | None,
        apply: bool,
        thirds: bool,
        **_options: object,
    ) -> None:
        if thirds and not apply:
            raise CommandError(_("--thirds goes with --apply."))
        scope = {"essay_set": _essay_set(set), "subject": subject}
        changes = self.show_points([*outdated_points(graded_markups(**scope))])
        others = self.show_decisions([*other_decisions(standing_decisions(**scope))])
        if not apply:
            if changes or others:
                self.stdout.write(_("Nothing is written yet. Add --apply to write the points."))
            return
        self.write_points(changes)
        self.write_decisions(others, thirds=thirds)

    def show_points(self, changes: list[Change]) -> list[int]:
        for change in changes:
            self.stdout.write(_line(change))
        count = len(changes)
        words = ngettext(
            "%d markup has other points now.", "%d markups have other points now.", count
        )
        self.stdout.write(words % count)
        return [change.markup.pk for change in changes]

    def show_decisions(self, others: list[OtherDecision]) -> list[int]:
        for other in others:
            self.stdout.write(_decision(other))
        return [other.essay.pk for other in others]

    def write_points(self, markup_ids: list[int]) -> None:
        count = regrade(markup_ids=markup_ids)
        words = ngettext("%d markup was graded anew.", "%d markups were graded anew.", count)
        self.stdout.write(words % count)

    def write_decisions(self, essay_ids: list[int], *, thirds: bool) -> None:
        if thirds:
            count = decide_anew(essay_ids=essay_ids)
            words = ngettext(
                "%d third check was decided anew.", "%d third checks were decided anew.", count
            )
            self.stdout.write(words % count)
        elif essay_ids:
            self.stdout.write(
                _("The decisions on third checks stay as they are. Add --thirds to take them anew.")
            )


def _essay_set(name: str | None) -> EssaySet | None:
    if name is None:
        return None
    found = EssaySet.objects.filter(name=name).first()
    if found is None:
        names = ", ".join(EssaySet.objects.values_list("name", flat=True)) or "–"
        message = _("There is no essay set “%(name)s”. There are: %(names)s.")
        raise CommandError(message % {"name": name, "names": names})
    return found


def _line(change: Change) -> str:
    essay = change.markup.essay
    points = [f"{name} {_known(was)} → {now}" for name, (was, now) in change.points.items()]
    total = _("total {before} → {after}").format(before=change.totals[0], after=change.totals[1])
    return f"{essay.essay_set.name}, {essay.number}, {change.markup.author}: " + ", ".join(
        [*points, total]
    )


def _known(points: int | None) -> str:
    return "–" if points is None else str(points)


def _decision(other: OtherDecision) -> str:
    if other.before == other.after:
        words = _("{set}, {number}: the third check would be decided alike, for other reasons")
    elif other.after:
        words = _("{set}, {number}: a third check would be needed")
    else:
        words = _("{set}, {number}: no third check would be needed; one that was given stays")
    return words.format(set=other.essay.essay_set.name, number=other.essay.number)
