"""What the results of phases lack until judges can check them, in words (R 7.9, 7.10, 8.1)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Final

from django.utils.translation import gettext as _

from contest.core.moments import at
from contest.models import Phase
from contest.queries.unchecked import (
    Phases,
    by_other_rules,
    half_checked,
    outdated,
    over,
    overtaken,
    returned,
    thirds_missing,
    thirds_undecided,
    with_open_checks,
    with_open_sessions,
    with_runs_to_come,
    with_waiting_uploads,
    without_the_last,
)
from contest.services.counting import said_of_other_run
from contest.services.sessions.clock import moment_now

Said = Iterator[tuple[int, str]]
"""Numbers of phases, and what each of them lacks."""


def why_unchecked(phase: Phase) -> str:
    """What a phase lacks until its results can be checked, in words; empty where nothing."""
    return why_each_unchecked([phase])[phase.pk]


def why_each_unchecked(phases: Iterable[Phase]) -> dict[int, str]:
    """The same of several phases by their numbers, in as many queries as of one."""
    asked = Phases(phases)
    told = dict.fromkeys(asked.found, "")
    for question in QUESTIONS:
        if all(told.values()):
            break
        for number, words in question(asked):
            told[number] = told[number] or words
    return told


def _not_over(phases: Phases) -> Said:
    for number in phases.found.keys() - over(phases):
        yield number, _("The phase is not over yet: its results are checked afterwards.")


def _under_way(phases: Phases) -> Said:
    for number in with_open_sessions(phases):
        yield number, _("Sessions of the phase are still going on: wait until they end.")
    for number, run in with_runs_to_come(phases, at(moment_now())).items():
        words = _("“%s” is still to be held: the results of the finals are checked afterwards.")
        yield number, words % run
    for number in with_waiting_uploads(phases):
        yield number, _("Uploads of the phase are still being read: wait until they are done.")


def _returned(phases: Phases) -> Said:
    words = _("Score run %(number)s of the set “%(set)s” was returned: apply another one first.")
    return _of_runs(phases, returned(phases), words)


def _outdated(phases: Phases) -> Said:
    words = _(
        "Score run %(number)s of the set “%(set)s” counts solutions that were annulled, "
        "excluded or taken back since: apply another one first."
    )
    return _of_runs(phases, outdated(phases), words)


def _without_the_last(phases: Phases) -> Said:
    words = _(
        "Score run %(number)s of the set “%(set)s” was ordered before the last solutions were "
        "complete: apply another one first."
    )
    return _of_runs(phases, without_the_last(phases), words)


def _by_other_rules(phases: Phases) -> Said:
    found = by_other_rules(phases)
    for number, run in phases.first_of_runs(found):
        yield number, said_of_other_run(*found[run.pk])


def _unscored(phases: Phases) -> Said:
    finals = phases.finals
    counted = finals.of_sets({run.essay_set_id for run in finals.runs})
    for number, phase in finals.found.items():
        if not phase.contest.scheme and number not in counted:
            yield number, _("No score run counts for the final set yet: apply one first.")


def _half_marked(phases: Phases) -> Said:
    finals = phases.finals
    for number in with_open_checks(finals):
        yield (
            number,
            _(
                "Clause 7.10 of the regulation: experts still mark the final set. The results are "
                "checked once every check is in, third ones among them."
            ),
        )
    words = _(
        "Clause 7.9 of the regulation: two experts check each essay of the finals. Fewer have "
        "checked %(count)d of them, the first is %(number)s: plan their checks."
    )
    for number, essays in half_checked(finals).items():
        yield number, words % {"count": len(essays), "number": essays[0]}
    words = _(
        "Clause 7.9 of the regulation: the first two checks of %(count)d essays of the finals "
        "call for a third one that nobody has made yet. The first is %(number)s: give its "
        "third check on the desk."
    )
    for number, essays in thirds_missing(finals).items():
        yield number, words % {"count": len(essays), "number": essays[0]}
    words = _(
        "Clause 7.9 of the regulation: of %(count)d essays of the finals it is not decided yet "
        "whether they need a third check. The first is %(number)s: wait until the points of its "
        "checks are computed."
    )
    for number, essays in thirds_undecided(finals).items():
        yield number, words % {"count": len(essays), "number": essays[0]}


def _overtaken(phases: Phases) -> Said:
    finals = phases.finals
    for number, _run in finals.first_of_runs(overtaken(finals)):
        yield (
            number,
            _("Checks came in after the score run that counts was ordered: apply another run."),
        )


QUESTIONS: Final[tuple[Callable[[Phases], Said], ...]] = (
    _not_over,
    _under_way,
    _half_marked,
    _returned,
    _outdated,
    _without_the_last,
    _by_other_rules,
    _unscored,
    _overtaken,
)
"""In the order in which one of them is told: no run is asked for while checks are to come."""


def _of_runs(phases: Phases, runs: Collection[int], words: str) -> Said:
    """The same sentence of the first of these runs of each phase that has one."""
    for number, run in phases.first_of_runs(runs):
        yield number, words % {"number": run.pk, "set": run.essay_set}
