"""What is said where something of a contest goes by other rules than its parameters (R 2.17)."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from annotator.models import RuleSet
from contest.models import Contest, DataSet
from contest.queries.counting import (
    goes_by_others,
    other_runs,
    parameters_of_set,
    sets_with_other_rules,
)
from contest.queries.phase_contents import sets_of_phase
from scoring.models import ScoreRun
from web.refusals import Refused


def refuse_other_parameters(*, set_id: int, rules_id: int | None) -> None:
    """Raise ``Refused`` for rules of an announced contest's set that its parameters do not say."""
    sets = DataSet.objects.select_related("contest", "essay_set")
    found = sets.filter(essay_set=set_id, contest__announced_at__isnull=False).first()
    parameters = parameters_of_set(found) if found else None
    if found is None or parameters is None or parameters.rules_id == rules_id:
        return
    message = _(
        "Clause 2.17 of the regulation: the set “%(set)s” belongs to the contest “%(contest)s” and "
        "goes by its parameters. Organisers propose other rules among these; once a judge and a "
        "member of the commission agree, the set takes them."
    )
    raise Refused(message % {"set": found.essay_set, "contest": found.contest})


def said_of_other_run(run: ScoreRun, rules: RuleSet) -> str:
    """Which run counts by which rules, and by which the parameters have it."""
    message = _(
        "Score run %(number)s of the set “%(set)s” counts by the rules “%(own)s”, and the "
        "parameters of the contest say “%(rules)s”: a run by these is to be applied."
    )
    told = {"number": run.pk, "set": run.essay_set, "own": run.rules, "rules": rules}
    return message % told


def said_of_other_runs(contest: Contest, sets: Iterable[int] | None = None) -> list[str]:
    """The same of every run that counts for a contest's sets and goes by other rules."""
    return [said_of_other_run(run, rules) for run, rules in other_runs(contest, sets)]


def why_board_waits(*, set_id: int) -> str:
    """Why the board of a contest's set is not shown to everybody; empty where it may be."""
    contest = Contest.objects.filter(data_sets__essay_set=set_id).first()
    found = said_of_other_runs(contest, [set_id]) if contest else []
    return " ".join(found)


def why_counted_otherwise(*, run_id: int, set_id: int) -> str:
    """By which rules a run should go; empty where its own count alike or no contest has it."""
    found = DataSet.objects.select_related("contest").filter(essay_set=set_id).first()
    parameters = parameters_of_set(found) if found else None
    if parameters is None:
        return ""
    run = ScoreRun.objects.select_related("rules", "essay_set").get(pk=run_id)
    is_other = goes_by_others(run, parameters.rules)
    return said_of_other_run(run, parameters.rules) if is_other else ""


def why_results_stay(*, set_id: int, holds: bool = False) -> str:
    """Why the run that counts for a contest's set stays: the results of its phase are approved.

    ``holds``: nobody approves them before the transaction ends. Empty where it may be another one.
    """
    contests = Contest.objects.filter(data_sets__essay_set=set_id)
    if holds:
        contests = contests.select_for_update(of=("self",), no_key=True)
    contest = contests.first()
    phases = contest.phases.filter(closed_at__isnull=False) if contest else ()
    for phase in phases:
        if sets_of_phase(phase).filter(pk=set_id).exists():
            message = _(
                "Clause 8.2.5 of the regulation: the results are approved (%(phase)s, "
                "“%(contest)s”). The score run of their protocol counts, and no other one."
            )
            return message % {"phase": phase.get_kind_display(), "contest": contest}
    return ""


def said_of_sets(contest: Contest, rules: RuleSet) -> str:
    """Which sets keep the rules their checks were made by; empty where all go by these."""
    kept = sets_with_other_rules(contest, rules)
    if not kept:
        return ""
    message = _(
        "Sets keep the rules their markups were handed in under: %(sets)s. Results count by "
        "“%(rules)s”."
    )
    named = ", ".join(f"{_named(each)} – “{each.essay_set.rules}”" for each in kept)
    return message % {"sets": named, "rules": rules}


def _named(data_set: DataSet) -> str:
    return f"“{data_set.essay_set}” ({data_set.get_role_display()})"
