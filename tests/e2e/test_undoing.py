"""An import is taken back while workers are at its jobs: nothing of it is left, nothing breaks."""

from __future__ import annotations

import pytest

from accounts.models import User
from annotator.models import Assignment, MarkupRecord
from annotator.models.imports import EssayImport
from jobs.models import Job
from review.models import ThirdCheck
from scoring.models import CriteriaRecord, PairScore
from tests.e2e.backlog import MARKUPS, authors, imported, write_import
from tests.e2e.essays import people
from tests.e2e.promises import all_ended, broken_promises
from tests.e2e.visitor import Visitor, went_well
from tests.factories import EssaySetFactory

pytestmark = pytest.mark.full

ESSAYS = 150
BEGUN = 5
"""So many essays are assessed when the import is taken back: the workers are amidst the others."""


def of_kinds(essays):
    """What rests on essays, kind by kind."""
    return {
        "markups": MarkupRecord.objects.filter(essay__in=essays).count(),
        "checks": Assignment.objects.filter(essay__in=essays).count(),
        "points": CriteriaRecord.objects.filter(markup__essay__in=essays).count(),
        "pairs": PairScore.objects.filter(assessed__essay__in=essays).count(),
        "thirds": ThirdCheck.objects.filter(essay__in=essays).count(),
        "jobs": Job.objects.filter(args__essay_id__in=essays).count(),
    }


def test_an_import_undone_while_workers_are_at_its_jobs_leaves_nothing(
    stack, worker, rival, tmp_path
):
    authors()
    people(3)
    (coordinator,) = people(1, User.Role.COORDINATOR)
    essay_set = EssaySetFactory()
    write_import(tmp_path / "essays", ESSAYS)
    with worker.paused(), rival.paused():  # else they keep up with the import
        stack.python("manage.py", "import_essays", tmp_path / "essays", "--set", essay_set.name)
    numbers = list(imported(essay_set).values_list("pk", flat=True))
    batch = EssayImport.objects.get(essay_set=essay_set)
    jobs = Job.objects.filter(args__essay_id__in=numbers)
    visitor = Visitor(stack, coordinator)
    stack.until(lambda: jobs.filter(state=Job.State.DONE).count() >= BEGUN, "some are assessed")

    before = of_kinds(numbers)
    answer = visitor.post(f"/imports/{batch.pk}/undo/")

    stack.until(all_ended, "every job ends")
    assert went_well(answer)
    assert all(before.values())
    assert before["points"] < len(MARKUPS) * ESSAYS, "the workers were amidst the jobs"
    assert EssayImport.objects.get(pk=batch.pk).state == EssayImport.State.UNDONE
    assert (imported(essay_set).count(), of_kinds(numbers)) == (0, dict.fromkeys(before, 0))
    assert broken_promises() == []
