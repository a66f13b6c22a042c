"""R2, R10: a worker killed amid a chunk of forty answers loses none and doubles none."""

from __future__ import annotations

import pytest

from annotator.models import MarkupRecord
from contest.models import SessionFile
from contest.services.sessions.answers import CHUNK
from jobs.models import Job
from scoring.models import CriteriaRecord, PairScore
from scoring.services.pairs import COUNTS
from tests.contest.world import Client, marked_set
from tests.e2e.brakes import brake_before

pytestmark = pytest.mark.full

CLOSED = ("UPDATE ON jobs_job", "NEW.kind = '{kind}' AND NEW.state = 'done'")
KILLS = [
    ("contest.keep_answers", "INSERT ON annotator_markuprecord", "NEW.source = 'algorithm'"),
    ("contest.keep_answers", *CLOSED),
    ("scoring.assess_answers", "INSERT ON scoring_pairscore", "NEW.n >= 0"),
    ("scoring.assess_answers", *CLOSED),
    ("scoring.compute_report", *CLOSED),
]
"""In which job the worker dies, and the statement it does not outlive: nothing of forty is
written; points are and scores are not, in the middle of the transaction; all of it is there and
the job is not closed."""


@pytest.fixture
def essay_set(stack):  # noqa: ARG001 - the rows stand in its database
    found = marked_set(CHUNK)
    yield found
    MarkupRecord.objects.filter(essay__essay_set=found).update(state="superseded")


def answered(essay_set):
    """A session over the whole set, whose last answer ends it; each essay is marked otherwise."""
    client = Client(count=CHUNK, essay_set=essay_set)
    for number in range(CHUNK):
        slot = client.next(number).slot
        end = 4 + slot.essay_id % 3
        client.send(slot, number + 0.5, spans=[(0, end), (5, 11)][: 1 + slot.essay_id % 2])
    assert client.row.state == "finished"
    return client.session


def jobs_of(session):
    about = Job.objects.filter(args__session_id=session.pk) | Job.objects.filter(
        args__origin=session.origin
    )
    return {job.kind: job for job in about}


def is_at(kind, session):
    """On SQLite the brake is known by a lock that stays, which others may hold for long, too."""
    job = jobs_of(session).get(kind)
    return job is not None and job.state == Job.State.RUNNING


def is_through(session):
    jobs = jobs_of(session)
    assert not [job.error for job in jobs.values() if job.state == Job.State.FAILED]
    kinds = {kind for kind, *_ in KILLS}
    return jobs.keys() == kinds and all(job.state == Job.State.DONE for job in jobs.values())


def figures_of(session):
    """By essay the points of its answer, and its scores by expert."""
    ours = MarkupRecord.objects.filter(origin=session.origin, state="submitted")
    points = CriteriaRecord.objects.filter(markup__in=ours).order_by("markup__essay")
    scores = PairScore.objects.filter(assessed__in=ours).order_by("assessed__essay", "reference")
    return (
        [*points.values_list("markup__essay", "points", "total", "nomination")],
        [*scores.values_list("assessed__essay", "reference", *COUNTS, "m1", "accuracy")],
    )


def test_killed_amid_forty_answers_a_worker_leaves_what_an_undisturbed_one_does(
    stack, worker, essay_set
):
    calm = answered(essay_set)
    stack.until(lambda: is_through(calm), "the answers of a session nobody disturbs are assessed")
    for kind, event, condition in KILLS:
        with brake_before(stack, event, condition.format(kind=kind)) as stands:
            session = answered(essay_set)
            stack.until(
                lambda session=session, kind=kind, stands=stands: is_at(kind, session) and stands(),
                f"the worker stands in {kind} before {event}",
            )
            worker.kill("group")
        worker.ready()
        stack.until(lambda session=session: is_through(session), f"killed in {kind}, all is done")

        assert jobs_of(session)[kind].attempts == 2
        assert figures_of(session) == figures_of(calm)
        read = SessionFile.objects.filter(session=session).values_list("markup", flat=True)
        assert len(set(read) - {None}) == CHUNK
        assert MarkupRecord.objects.filter(origin=session.origin).count() == CHUNK
    points, scores = figures_of(calm)
    assert (len(points), len(scores)) == (CHUNK, 2 * CHUNK)
