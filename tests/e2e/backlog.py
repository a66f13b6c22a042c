"""What waits in a backlog: rows in bulk without end, and the files of a big import."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from accounts.models import User
from annotator.models import Essay
from config.bootstrap import ROOT
from jobs.models import Job
from tests.e2e.essays import GAP, people
from tests.factories import (
    AssignmentFactory,
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
    submitted,
)

DEMO = ROOT / "review" / "demo"
MODEL = "0001006"
"""An essay of the demo whose two checks are so far apart that a third is called."""
MARKUPS = ("exp2", "exp3", "lynx")
POOL = 20


def fill(count):
    """So many jobs in bulk, as a big import leaves them; they assess a few essays ever again."""
    essays = [_checked_essay() for _ in range(POOL)]
    began = Job.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    Job.objects.bulk_create(
        (
            Job(
                key=f"essay:{essays[number % POOL].pk}:again-{began + number}",
                kind="scoring.assess_essay",
                args={"essay_id": essays[number % POOL].pk},
                priority=Job.Priority.BULK,
            )
            for number in range(count)
        ),
        batch_size=1000,
    )
    return Job.objects.filter(pk__gt=began, priority=Job.Priority.BULK)


def _checked_essay():
    """An essay with two equal checks: it calls nobody."""
    essay = EssayFactory(essay_set=EssaySetFactory())
    for role, expert in zip(("first", "second"), people(2), strict=True):
        assignment = AssignmentFactory(essay=essay, role=role, expert=expert, state="submitted")
        submitted(essay, *GAP, assignment=assignment)
    return essay


def authors():
    """Whose markups the files of an import are: two experts and a program's."""
    for name, role in zip(MARKUPS, ("expert", "expert", "participant"), strict=True):
        if not User.objects.filter(username=name).exists():
            PersonFactory(username=name, role=role)


def write_import(folder: Path, essays: int):
    """Files of so many essays with three markups each; every essay calls a third expert."""
    folder.mkdir()
    for number in range(essays):
        for name in ("", *MARKUPS):
            ending = f"_{name}" if name else ""
            text = (DEMO / f"{MODEL}{ending}.txt").read_bytes()
            (folder / f"{3_000_000 + number}{ending}.txt").write_bytes(text)


def imported(essay_set):
    return Essay.objects.filter(essay_set=essay_set)


@dataclass
class Peak:
    """The most messages that were ever seen waiting, and a condition watched meanwhile."""

    stack: object
    most: int = 0
    seen: list[int] = field(default_factory=list)

    def while_not(self, condition):
        def look():
            self.seen.append(self.stack.messages())
            self.most = max(self.seen)
            return condition()

        return look
