"""Boards of the demo: files brought in, a score run that counts, and who vouches for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from accounts.models import User
from annotator.models import EssaySet
from annotator.services.archives import NamedBytes
from annotator.services.imports.importing import Options, Outcome, import_files
from scoring.models import RunVerdict, ScoreRun
from scoring.services.assessing import assess
from scoring.services.run_acts import decide_run, give_verdict, propose_run, publish_board
from scoring.services.run_boards import close_run, finish_run, resample_run
from scoring.services.run_ordering import order_run, prepare_run
from scoring.services.run_parts import score_part

People = Mapping[str, User]
"""People of the demo by their logins."""
FIRST: Final = "Первая таблица / The first board"
"""Why a board counts, for readers of both languages."""


def bring(files: Iterable[NamedBytes], essay_set: EssaySet) -> None:
    """Import files. Raises ``RuntimeError`` naming the one that is refused."""
    for item in import_files(list(files), Options(essay_set)):
        if item.outcome is Outcome.REFUSED:
            raise RuntimeError(f"{item.name}: {item.reason}")


def bring_checked(files: Iterable[NamedBytes], essay_set: EssaySet) -> None:
    """The same of experts' markups, with their points, and what follows from them at once: results
    of finals wait until it is decided about third checks.
    """
    bring(files, essay_set)
    for essay in essay_set.essays.order_by("number"):
        assess(essay_id=essay.pk)


def make_board(essay_set: EssaySet, people: People, reason: str = FIRST) -> ScoreRun:
    """The board of a set as it comes about (R 8.2): scored, and applied by two."""
    run = order_run(essay_set=essay_set, actor=people["organiser"])
    prepare_run(run_id=run.pk)
    for part in run.parts.order_by("number"):
        score_part(part_id=part.pk)
    finish_run(run_id=run.pk)
    resample_run(run_id=run.pk)
    close_run(run_id=run.pk)
    apply = ScoreRun.Proposal.APPLY
    propose_run(run=run, proposal=apply, reason=reason, actor=people["organiser"])
    return decide_run(run=run, proposal=apply, against=None, actor=people["judge"])


def show_board(run: ScoreRun, people: People) -> None:
    """Two bodies vouch for a board, and everybody sees it."""
    kind = RunVerdict.Kind
    give_verdict(run=run, kind=kind.CHECKED, reason="", actor=people["judge"])
    give_verdict(run=run, kind=kind.VERIFIED, reason="", actor=people["commission"])
    publish_board(essay_set=run.essay_set, run=run, actor=people["organiser"])
