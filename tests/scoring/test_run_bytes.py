"""R17 in one process: the same markups give the same bytes in any order, repeated or too late."""

from __future__ import annotations

import random

import pytest

from jobs.models import Job
from scoring.models import RunPart, ScoreRun
from scoring.services.run_files import run_as_lines
from scoring.services.run_ordering import order_run
from scoring.services.run_parts import score_part
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory, submitted
from tests.scoring.runs import TASKS, waiting
from tests.strategies import fragment

pytestmark = [pytest.mark.full, pytest.mark.django_db]

RUNS, ESSAYS = 10, 7
MARKS = [[fragment(0, 4)], [fragment(43, 48), fragment(0, 4)], [fragment(0, 4, "А.лекс")]]


@pytest.fixture
def essay_set(monkeypatch):
    monkeypatch.setattr("scoring.services.run_ordering.FEWEST_OF_A_PART", 1)
    found = EssaySetFactory(rules__hardness=0.25)
    people = [PersonFactory(role="participant") for _ in range(2)]
    for number in range(ESSAYS):
        essay = EssayFactory(essay_set=found, number=f"{number * 5 % ESSAYS:04}")
        for turn in range(2):
            submitted(essay, *MARKS[(number + turn) % 3])
        for turn, person in enumerate(people):
            answer = MARKS[number * (turn + 1) % 3]
            submitted(essay, *answer, author=person, source="algorithm")
    return found


def done_in_disorder(run, dice):
    """Jobs in drawn order; some parts are scored twice, some once more after the end."""
    late = []
    while jobs := list(waiting()):
        job = dice.choice(jobs)
        TASKS[job.kind](job.pk)
        job.refresh_from_db()
        assert (job.state, job.error) == (Job.State.DONE, "")
        part = RunPart.objects.filter(pk=job.args.get("part_id")).first()
        if part is not None and dice.random() < 0.4:
            RunPart.objects.filter(pk=part.pk).update(done_at=None)
            score_part(part_id=part.pk)
            late.append(part.pk)
    for part_id in late:
        score_part(part_id=part_id)
    return ScoreRun.objects.get(pk=run.pk)


def test_ten_runs_in_any_order_with_repeated_and_late_parts_give_the_same_bytes(essay_set):
    found = set()
    for number in range(RUNS):
        run = order_run(essay_set=essay_set, actor=None, seed=5)
        done = done_in_disorder(run, random.Random(number))
        assert (done.state, done.parts.count(), done.pairs) == ("ready", ESSAYS, 6 * ESSAYS)
        found.add((done.digest, "".join(run_as_lines(done))))

    assert len(found) == 1
