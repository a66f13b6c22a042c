"""The reports of finals are made once a run is applied, before anybody looks."""

from __future__ import annotations

import pytest

from jobs.models import Job
from scoring.models import ScoreRun, SolutionReport
from scoring.services.run_acts import decide_run, propose_run
from scoring.tasks import compute_report, order_reports_of_run
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory, submitted
from tests.scoring.runs import done_run
from tests.strategies import fragment

pytestmark = pytest.mark.django_db

HIT, MISS = fragment(0, 4), fragment(43, 48)
APPLY = ScoreRun.Proposal.APPLY


def ready(access):
    """A run over the answers of two programs."""
    essay_set = EssaySetFactory(access=access)
    people = [PersonFactory(role="participant") for _ in range(2)]
    essay = EssayFactory(essay_set=essay_set)
    for marks in ([HIT], [HIT, MISS]):
        submitted(essay, *marks)
    for person in people:
        submitted(essay, HIT, author=person, source="algorithm")
    return done_run(essay_set), people


def apply(run, against=None):
    propose_run(run=run, proposal=APPLY, reason="New", actor=PersonFactory(role="coordinator"))
    judge = PersonFactory(role="judge")
    return decide_run(run=run, proposal=APPLY, against=against, actor=judge)


def jobs(kind):
    return Job.objects.filter(kind=f"scoring.{kind}", state=Job.State.QUEUED).order_by("pk")


def test_applying_a_run_of_finals_makes_the_report_of_everybody_behind_peoples_work():
    run, people = ready("final")
    assert not jobs("order_reports_of_run").exists()

    apply(run)
    ordering = jobs("order_reports_of_run").get()
    order_reports_of_run(ordering.pk)
    reports = list(jobs("compute_report"))
    for job in reports:
        compute_report(job.pk)

    assert {job.priority for job in [ordering, *reports]} == {Job.Priority.RUNS}
    kept = SolutionReport.objects.values_list("author", "origin", "revision")
    assert set(kept) == {(person.pk, "", f"run-{run.pk}") for person in people}


def test_of_other_sets_applying_orders_no_report():
    run, _people = ready("closed")

    apply(run)

    assert not jobs("order_reports_of_run").exists()


def test_a_run_that_was_overtaken_orders_no_report():
    former, _people = ready("final")
    apply(former)
    apply(done_run(former.essay_set), against=former.pk)

    order_reports_of_run(jobs("order_reports_of_run").first().pk)

    assert not jobs("compute_report").exists()
