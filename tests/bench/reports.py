"""The report of a session, from its last answer to the page, by the workers of `manage.py run`.

`bench reports`, or `bench reports 200` for fewer files; `bench reports 1000 postgres` on
PostgreSQL. Every essay has two experts' markups, whose scores against each other are there; every
file is answered by about thirty fragments.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from functools import cache

from annotator.core.codec import file_to_json
from annotator.core.values import MarkedFile, Meta
from annotator.models import EssaySet, MarkupRecord
from contest.models import ExchangeSession
from contest.services.sessions.asking import next_file
from contest.services.sessions.clock import moment_now
from contest.services.sessions.sending import send
from scoring.models import PairScore
from scoring.queries.reports import files_scored, former_solution, is_kept, revision_of
from scoring.services.pairs import score_pairs_of
from tests.bench.corpora import EXPERTS, drawn_essay
from tests.bench.crowd import processor_of
from tests.bench.runs import DRAWN, Reader, copied, counted_by_the_database, filled, stacks
from tests.contest.world import Client as Program
from tests.e2e.stack import Stack, WorkerProcess

FILES = 1000


def figures(files: str = str(FILES), only: str = "") -> Iterator[str]:
    """Lines for each backend that is to be had here, or for the one that is named."""
    for name, stack in stacks(only):
        yield f"\n{name}, a session of {int(files)} files"
        yield from on(stack, int(files))


def on(stack: Stack, files: int) -> Iterator[str]:
    essay_set = filled(files, ("expert", "expert"))
    scored_by_each_other(files)
    worker = WorkerProcess(stack, stack.children["worker"]).ready().main
    program = Program(count=files, seconds=60)
    report = Report(essay_set, program.session)
    for _ in range(files):
        began, before = time.monotonic(), processor_of(worker)
        answer_next(program)
    for what, is_so in (
        ("all answers are markups", report.is_read),
        ("all of them are scored", report.is_scored),
        ("the report is there", report.is_ready),
    ):
        stack.until(is_so, what, patience=1800)
        yield (
            f"  {what} {time.monotonic() - began:.1f} s after the last answer,"
            f" {processor_of(worker) - before:.1f} s of the worker's processor"
        )
    judge = Reader(stack)
    for name, place in (("its page", ""), ("its table", "csv/"), ("its JSON", "json/")):
        yield judge.asked([f"{report.address}{place}"] * 20, name)


class Report:
    """How far the report of a session's answers is."""

    def __init__(self, essay_set: EssaySet, session: ExchangeSession) -> None:
        self.essay_set, self.session = essay_set, session
        self.solution = (essay_set, session.participant_id, session.origin)
        self.address = f"/scores/{essay_set.pk}/reports/{session.participant_id}/{session.origin}/"

    def is_read(self) -> bool:
        return not self.session.files.filter(markup=None).exists()

    def is_scored(self) -> bool:
        return files_scored(*self.solution) == (self.session.size, self.session.size)

    def is_ready(self) -> bool:
        former = former_solution(*self.solution)
        return is_kept(*self.solution, revision_of(*self.solution, former, None))


def scored_by_each_other(files: int) -> None:
    """The scores of the experts: of the drawn essays by the product, of the others copied."""
    drawn = MarkupRecord.objects.order_by("pk").values_list("pk", flat=True)[: 2 * DRAWN]
    for number in list(drawn)[::2]:  # one of the two scores both directions
        score_pairs_of(markup_id=number)
    named = {"assessed_id": MarkupRecord, "reference_id": MarkupRecord}
    copied(PairScore, (files - 1) // DRAWN, **named)
    counted_by_the_database()


def answer_next(program: Program) -> None:
    """Ask for a file and answer it, now."""
    slot = next_file(session_id=program.session.pk, moment=moment_now()).slot
    receipt = send(
        session=program.session,
        file=slot.name,
        data=answers()[slot.essay.text],
        key=None,
        moment=moment_now(),
    )
    assert receipt.accepted, receipt.reason


@cache
def answers() -> dict[str, bytes]:
    """The answers to all drawn essays, by their texts."""
    markups = (drawn_essay(seed)[EXPERTS] for seed in range(DRAWN))
    return {
        each.text: json.dumps(file_to_json(MarkedFile(Meta(), each))).encode() for each in markups
    }
