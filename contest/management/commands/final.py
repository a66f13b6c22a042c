"""Plan a final or a rehearsal, cancel one, start one anew."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.dateparse import parse_datetime
from django.utils.timezone import is_naive, make_aware

from accounts.models import User
from annotator.models import EssaySet
from contest.core.session_json import FINAL
from contest.models import Final
from contest.services.contest_finals import refuse_set_of_contest
from contest.services.sessions.clock import moment_now
from contest.services.sessions.finals import Planned, cancel_final, plan_final, restart_final
from web.core.years import YEARS
from web.refusals import Refused


class Command(BaseCommand):
    help = "Plan a final or a rehearsal, cancel one, or start one anew with other files."

    def add_arguments(self, parser: ArgumentParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        plan = acts.add_parser("plan", help="fix files, order, start and who is admitted")
        plan.add_argument("name")
        plan.add_argument("--set", required=True, help="the essay set by its name")
        plan.add_argument("--start", required=True, help="as 2026-11-20T10:00")
        plan.add_argument("--admit", required=True, nargs="+", metavar="LOGIN")
        plan.add_argument("--files", type=int, help="all essays of the set, if left out")
        plan.add_argument("--interval", type=float, default=60, help="seconds between two files")
        plan.add_argument("--limit", type=float, default=60, help="seconds for an answer")
        plan.add_argument("--rehearsal", action="store_true")
        add_rules(plan)
        for act in ("cancel", "restart"):
            each = acts.add_parser(act)
            each.add_argument("final", type=int, help="its number")
            each.add_argument("--reason", required=True)
        each.add_argument("--start", required=True, help="of the new run")

    def handle(self, *_: Any, act: str, **given: Any) -> None:
        try:
            final = {"plan": _plan, "cancel": _cancel, "restart": _restart}[act](given)
        except Refused as error:
            raise CommandError(str(error)) from None
        files, people = final.files.count(), final.admissions.count()
        self.stdout.write(f"{final.pk}: {final}, {files} files, {people} admitted")


def add_rules(plan: ArgumentParser) -> None:
    """The rules that most finals leave as they are."""
    often = "seconds from the start in which a session may be opened, or none: any time (120)"
    share = "percent of annulled files above which a solution does not stand, or none (5)"
    linger = "seconds after the last opening for late answers, or none (none)"
    plan.add_argument("--window", type=number_or_none, default=FINAL["window"], help=often)
    plan.add_argument("--sends", type=int, default=FINAL["sends"], help="answers to a file (10)")
    plan.add_argument("--share", type=number_or_none, default=5.0, help=share)
    plan.add_argument("--linger", type=number_or_none, default=FINAL["linger"], help=linger)
    lost = "seconds without a connection after which a session is lost (900)"
    plan.add_argument("--lost", type=float, default=FINAL["lost"], help=lost)


def number_or_none(words: str) -> float | None:
    return None if words == "none" else float(words)


def _plan(given: dict[str, Any]) -> Final:
    essay_set = EssaySet.objects.filter(name=given["set"]).first()
    if essay_set is None:
        raise CommandError(f"There is no essay set “{given['set']}”.")
    refuse_set_of_contest(essay_set)
    people = User.objects.filter(username__in=given["admit"])
    missing = set(given["admit"]) - {person.username for person in people}
    if missing:
        raise CommandError(f"There is no account {', '.join(sorted(missing))}.")
    planned = Planned(
        name=given["name"],
        essay_set=essay_set,
        starts_at=_moment(given["start"]),
        kind=Final.Kind.REHEARSAL if given["rehearsal"] else Final.Kind.FINAL,
        count=given["files"],
        rules=_rules(given),
    )
    return plan_final(planned=planned, admitted=people, actor=None)


def _rules(given: dict[str, Any]) -> dict[str, Any]:
    names = ("interval", "limit", "window", "sends", "linger", "lost")
    share = given["share"]
    return {**{name: given[name] for name in names}, "share": share and share / 100}


def _cancel(given: dict[str, Any]) -> Final:
    final = _final(given["final"])
    cancel_final(final=final, reason=given["reason"], actor=None, moment=moment_now())
    return final


def _restart(given: dict[str, Any]) -> Final:
    return restart_final(
        final=_final(given["final"]),
        starts_at=_moment(given["start"]),
        reason=given["reason"],
        actor=None,
        moment=moment_now(),
    )


def _final(number: int) -> Final:
    found = Final.objects.filter(pk=number).first()
    if found is None:
        raise CommandError(f"There is no final {number}.")
    refuse_set_of_contest(found.essay_set)
    return found


def _moment(words: str) -> datetime:
    try:
        found = parse_datetime(words)
    except ValueError:
        found = None
    if found is None or found.year not in YEARS:
        raise CommandError(f"“{words}” is no moment such as 2026-11-20T10:00.")
    return make_aware(found) if is_naive(found) else found
