"""Which of several score runs counts now, which everybody sees, which was returned or replaced."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import pgettext

from scoring.models import RunVerdict, ScoreRun, StandingBoard


def states_told(runs: Iterable[ScoreRun]) -> dict[int, str]:
    """The state of each run in words, by its number; of applied ones what became of them since.

    Asked at once for all of them.
    """
    listed = list(runs)
    boards = StandingBoard.objects.filter(essay_set__in={run.essay_set_id for run in listed})
    pairs = list(boards.values_list("applied", "public"))
    counting = {applied for applied, _public in pairs}
    public = {number for _applied, number in pairs}
    verdicts = RunVerdict.objects.filter(kind=RunVerdict.Kind.RETURNED)
    returned = set(verdicts.filter(run__in=listed).values_list("run", flat=True))
    return {
        run.pk: ", ".join(_told(run, counting, public, returned))
        if run.state == ScoreRun.State.APPLIED
        else run.get_state_display()
        for run in listed
    }


def _told(
    run: ScoreRun, counting: set[int | None], public: set[int | None], returned: set[int]
) -> list[str]:
    counts = run.pk in counting
    told = [pgettext("score run", "counts now") if counts else pgettext("score run", "replaced")]
    if run.pk in public:
        told.append(pgettext("score run", "public"))
    if run.pk in returned:
        told.append(pgettext("score run", "returned"))
    return told
