from __future__ import annotations

from django.core.management.base import CommandError, CommandParser
from django.db import DatabaseError
from django.utils.translation import gettext as _

from annotator.models import EssaySet, RuleSet
from scoring.core.run_changes import Stood
from scoring.models import RunEntry, ScoreRun
from scoring.pages.run_moves import LEFT_OUT, WHY
from scoring.pages.run_standing import states_told
from scoring.queries.runs import (
    applied_run,
    intervals_moved,
    moves_of,
    progress_of,
    runs_listed,
)
from scoring.services.run_acts import why_outdated
from scoring.services.run_ordering import order_run
from web.api_paging import BIGGEST
from web.commands import SpokenCommand
from web.refusals import Refused


class Command(SpokenCommand):
    help = "Order a score run of an essay set, or print runs and what one would change."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--set", help="order a run of this essay set")
        parser.add_argument("--rules", help="with --set: other rules, as in “Rules 2”")
        parser.add_argument("--seed", type=int, help="with --set: of the resamples")
        parser.add_argument("--run", type=int, help="print what this run would change")

    def handle(  # type: ignore[override]
        self,
        *,
        set: str | None,  # noqa: A002
        rules: str | None,
        seed: int | None,
        run: int | None,
        **_options: object,
    ) -> None:
        try:
            self.answer(set, rules, seed, run)
        except DatabaseError as error:
            message = _("The database does not answer (%s). Prepare it: manage.py migrate")
            raise CommandError(message % str(error).partition("\n")[0]) from error

    def answer(
        self, name: str | None, rules: str | None, seed: int | None, run: int | None
    ) -> None:
        if name is None and (rules is not None or seed is not None):
            raise CommandError(_("--rules and --seed go with --set, which orders a run."))
        if run is not None:
            if name is not None:
                raise CommandError(_("--set and --run: choose one of them."))
            self.show(run)
        elif name is not None:
            self.order(name, rules, seed or 0)
        else:
            self.list_runs()

    def order(self, name: str, rules: str | None, seed: int) -> None:
        essay_set = EssaySet.objects.filter(name=name).first()
        if essay_set is None:
            names = ", ".join(EssaySet.objects.values_list("name", flat=True)) or "–"
            message = _("There is no essay set “%(name)s”. There are: %(names)s.")
            raise CommandError(message % {"name": name, "names": names})
        try:
            run = order_run(
                essay_set=essay_set, actor=None, rules=_rules(rules) if rules else None, seed=seed
            )
        except Refused as refused:
            raise CommandError(str(refused)) from None
        words = _(
            "Run %(run)d is ordered. See what it would change: manage.py rescore --run %(run)d"
        )
        self.stdout.write(words % {"run": run.pk})

    def list_runs(self) -> None:
        listed = list(runs_listed())
        told = states_told(listed)
        for run in listed:
            done, essays = progress_of(run)
            line = f"{run.pk}  {run.essay_set}  {run.rules}  {told[run.pk]}"
            self.stdout.write(f"{line}  {done}/{essays}  {run.told_failure}".rstrip())

    def show(self, number: int) -> None:
        run = runs_listed().filter(pk=number).first() if 0 < number <= BIGGEST else None
        if run is None:
            raise CommandError(_("There is no run %d. See all of them: manage.py rescore") % number)
        self.stdout.write(_said_of(run))
        for each in run.left_out:
            words = _("%(words)s (%(n)d): %(names)s")
            told = {"words": LEFT_OUT[each["why"]], "n": len(each["what"])}
            self.stdout.write(words % {**told, "names": ", ".join(each["what"])})
        if run.state == ScoreRun.State.READY:
            self.show_moves(run)

    def show_moves(self, run: ScoreRun) -> None:
        before = applied_run(run)
        moves = moves_of(before, run)
        if before is None:
            self.stdout.write(_("No run counts for the set yet: this one would be the first."))
            for each in moves:
                self.stdout.write(f"{each.name}: {_rank(each.after)}; {_star(each.after)}")
            moves = []
        elif not moves:
            self.stdout.write(_("Nobody would stand elsewhere or have another score."))
        for each in moves:
            ranks = [_rank(side) for side in (each.before, each.after)]
            scores = [_star(side) for side in (each.before, each.after)]
            why = ", ".join(str(WHY[cause]) for cause in each.why)
            line = f"{each.name}: {' → '.join(ranks)}; {' → '.join(scores)} ({why})"
            self.stdout.write(line)
        if before is not None:
            self.show_intervals(before, run)
        self.stdout.write(_("Nothing is applied by this command: two people do it on the page."))

    def show_intervals(self, before: ScoreRun, run: ScoreRun) -> None:
        moved = intervals_moved(before, run)
        if moved:
            self.stdout.write(_("Other intervals of STAR and of ranks: %d") % len(moved))
        for was, now in moved:
            self.stdout.write(f"{now.name}: {_interval(was)} → {_interval(now)}")


def _rank(side: Stood | None) -> str:
    return str(side.rank or "–") if side else "–"


def _star(side: Stood | None) -> str:
    return _score(side.star if side else None)


def _interval(entry: RunEntry) -> str:
    return f"{_score(entry.low)}–{_score(entry.high)}, {entry.places}"


def _said_of(run: ScoreRun) -> str:
    """How a run stands, and what may be done about it."""
    told = {"run": run.pk, "set": str(run.essay_set)}
    done, essays = progress_of(run)
    match ScoreRun.State(run.state):
        case ScoreRun.State.COMPUTING:
            words = _("Run %(run)d is being computed, %(done)d of %(essays)d essays. Ask later.")
            return words % {**told, "done": done, "essays": essays}
        case ScoreRun.State.FAILED:
            words = _("Run %(run)d failed: %(failure)s Order another: manage.py rescore --set …")
            return words % {**told, "failure": run.told_failure}
        case ScoreRun.State.DISCARDED:
            words = _("Run %(run)d was discarded by %(who)s and counts nowhere: %(reason)s")
            return words % {**told, "who": run.decided_by, "reason": run.reason}
        case ScoreRun.State.APPLIED:
            counting = applied_run(run)
            if counting is None or counting.pk == run.pk:
                words = _("Run %(run)d is applied: it counts for the set “%(set)s” already.")
                return words % told
            words = _("Run %(run)d was applied once; run %(now)d counts for the set “%(set)s” now.")
            return words % {**told, "now": counting.pk}
        case ScoreRun.State.READY:
            words = _("Run %(run)d of the set “%(set)s” is ready. If it were applied:")
            return "\n".join(filter(None, [why_outdated(run), words % told]))


def _rules(name: str) -> RuleSet:
    found = [each for each in RuleSet.objects.all() if str(each) == name]
    if not found:
        names = ", ".join(map(str, RuleSet.objects.all())) or "–"
        message = _("There are no rules “%(name)s”. There are: %(names)s.")
        raise CommandError(message % {"name": name, "names": names})
    return found[0]


def _score(star: float | None) -> str:
    return "–" if star is None else f"{star:.2f}"
