"""Why solutions stand apart from a board, and which do so only since, or not any more."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from scoring.core.entries import Annulment
from scoring.models import RunEntry, ScoreRun
from scoring.queries.annulments import annulments_among, entries_in_doubt, is_otherwise

State = RunEntry.State
Late = Mapping[RunEntry, "Since"]
"""Of a run: the entries that stand otherwise by now, in the order of its board."""
FILES: Final = re.compile(r"\d+ / \d+")
"""What is said of a solution that the rule of 5 % annulled: its annulled files of all."""


class Since(StrEnum):
    """What became of a solution after a run was ordered, which the run does not know."""

    EXCLUDED = "excluded"
    ANNULLED = "annulled"
    STANDS = "stands"

    @property
    def words(self) -> str:
        """The same beside a name."""
        return str(BESIDE[self])


BESIDE: Final = {
    Since.EXCLUDED: pgettext_lazy("since a score run", "excluded since"),
    Since.ANNULLED: pgettext_lazy("since a score run", "annulled since"),
    Since.STANDS: pgettext_lazy("since a score run", "stands again since"),
}


APART_SINCE: Final = (Since.EXCLUDED, Since.ANNULLED)


def late_of_runs(runs: Sequence[ScoreRun]) -> dict[int, Late]:
    """Of each of these runs, by its number, what became of its entries since it was ordered; asked
    once for all of them. Whoever is not named stands as the run says.
    """
    sets = {run.pk: run.essay_set_id for run in runs}
    doubts = entries_in_doubt(runs)
    asked: dict[int, set[tuple[int, str]]] = defaultdict(set)
    for each in doubts:
        asked[sets[each.run]].add((each.participant, each.origin))
    now = annulments_among(asked)
    since = {}
    for each in doubts:
        annulment = now[sets[each.run]].get((each.participant, each.origin))
        if (became := since_of(each.state, annulment)) is not None:
            since[each.entry] = became
    entries = RunEntry.objects.select_related("participant").in_bulk(list(since))
    late: dict[int, dict[RunEntry, Since]] = {run.pk: {} for run in runs}
    for number, became in since.items():
        late[entries[number].run_id][entries[number]] = became
    return late


def since_of(state: str, annulment: Annulment | None) -> Since | None:
    """The same of an entry of this state that does or does not stand now."""
    if not is_otherwise(state, annulment):
        return None
    if annulment is None:
        return Since.STANDS
    return Since.EXCLUDED if annulment.is_excluded else Since.ANNULLED


def told_since(found: Iterable[tuple[str, Since]], *, is_fallback: bool) -> list[str]:
    """Sentences on those of a board who stand otherwise since; names and what became of them.

    On a board everybody was brought back to, whoever was set apart since has no rank any more.
    """
    names: dict[Since, list[str]] = {each: [] for each in Since}
    for name, since in found:
        names[since].append(name)
    told = {
        Since.EXCLUDED: _("Excluded since this score run was ordered: %s."),
        Since.ANNULLED: _("Annulled since this score run was ordered: %s."),
        Since.STANDS: _("Neither annulled nor excluded any more since this score run: %s."),
    }
    here = _("Here they stand as it counted them.")
    without = _("Here they have no rank any more; all others keep those it gave them.")
    return [
        f"{told[each] % ', '.join(some)} {without if is_fallback and each in APART_SINCE else here}"
        for each, some in names.items()
        if some
    ]


def why_apart(entry: RunEntry) -> str:
    """Why an entry has no rank, in words."""
    return _why(State(entry.state), entry.reason)


def why_annulled(annulment: Annulment) -> str:
    """Why a solution does not stand, in the words of boards."""
    return _why(State.EXCLUDED if annulment.is_excluded else State.ANNULLED, annulment.told)


def _why(state: RunEntry.State, reason: str) -> str:
    by_rule = bool(FILES.fullmatch(reason))
    words = {
        State.ANNULLED: _told_by_rule(reason)
        if by_rule
        else _("The solution is annulled because too many of its files were.")
        if not reason
        else _("The organisers annulled the solution:"),
        State.EXCLUDED: _("Excluded:") if reason else _("Excluded."),
        State.FEW: _("Too few of the essays count."),
        State.PART: _("Over a part of the essays."),
        State.NO_ANSWERS: _("No essay counts."),
    }
    said = words[state]
    return f"{said} {reason}" if reason and not by_rule else said


def _told_by_rule(files: str) -> str:
    annulled, all_files = files.split(" / ")
    told = _(
        "The solution is annulled: %(n)s of its %(all)s files were, more than the rules allow."
    )
    return told % {"n": annulled, "all": all_files}
