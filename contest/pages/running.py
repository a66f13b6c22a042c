"""What organisers see of a contest they run: what is missing, its dates, sets and phases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from contest.core.outline import date_faults, missing_parts
from contest.models import Contest, DataSet, ParameterSet, Phase
from contest.queries.contests import now_of
from contest.queries.parameters import parameters_in_force, proposal_of
from contest.queries.running import data_sets_of, outline_of
from contest.services.contest_words import DATES, PARTS


@dataclass(frozen=True, slots=True)
class RunningPage:
    """A contest as it stands. ``missing`` and ``faults``: in words, why it cannot be announced."""

    missing: tuple[str, ...]
    faults: tuple[str, ...]
    phases: Sequence[Phase]
    data_sets: Sequence[DataSet]
    in_force: ParameterSet | None
    proposal: ParameterSet | None

    @classmethod
    def of(cls, contest: Contest) -> RunningPage:
        outline = outline_of(contest)
        now = now_of(contest)
        is_open = not contest.is_announced
        return cls(
            tuple(str(PARTS[each]) for each in missing_parts(outline)) if is_open else (),
            tuple(str(DATES[each]) for each in date_faults(outline, now)) if is_open else (),
            list(contest.phases.all()),
            list(data_sets_of(contest)),
            parameters_in_force(contest),
            proposal_of(contest),
        )

    @property
    def is_ready(self) -> bool:
        """True where nothing keeps the contest from being announced."""
        return not (self.missing or self.faults)
