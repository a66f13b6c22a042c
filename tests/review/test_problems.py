"""The page of problems: what stands still, what failed, what contradicts itself."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from annotator.models import Assignment, MarkupRecord
from jobs.models import Job, Worker
from review.models import Note
from tests.factories import AssignmentFactory, DraftFactory, EssayFactory, PersonFactory, submitted
from tests.pages import texts_of
from tests.scoring.work import score

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(log_in):
    return log_in(PersonFactory(role="coordinator"))


def told(desk, kind, query=""):
    return texts_of(desk.get(f"/desk/problems/{query}"), f"#{kind} li")


def test_a_quiet_desk_has_no_problems(desk):
    expert = PersonFactory(last_login=timezone.now())
    DraftFactory(assignment__expert=expert)

    assert texts_of(desk.get("/desk/problems/?days=1"), ".told li") == []


def test_a_failed_job_is_tried_again_once(desk):
    job = Job.objects.create(
        key="grade:7", kind="scoring.none", state=Job.State.FAILED, error="no", attempts=3
    )
    before = texts_of(desk.get("/desk/problems/"), ".told b")

    for _ in range(2):
        desk.post(f"/desk/jobs/{job.pk}/retry/")

    job.refresh_from_db()
    assert (before, told(desk, "failed")) == (["grade:7"], [])
    assert (job.state, job.attempts, job.error) == ("queued", 0, "")


@pytest.fixture
def job_since(db):  # noqa: ARG001 - its rows
    """Makes a job that is due since so many seconds."""

    def made(seconds):
        then = timezone.now() - timedelta(seconds=seconds)
        return Job.objects.create(key=f"grade:{seconds}", kind="none", next_try_at=then)

    return made


@pytest.mark.parametrize(
    ("waits", "beat", "told"),
    [
        (90, None, ["2 jobs wait, and no worker"]),
        (90, 90, ["2 jobs wait, and no worker"]),
        (90, 3, ["2 jobs have waited for a minute although a worker lives"]),
        (20, 90, []),
        (None, 90, []),
    ],
    ids=["no worker ever", "a dead worker", "a worker nobody wakes", "just come", "nothing waits"],
)
def test_work_that_stands_still_is_named_in_one_line(desk, job_since, waits, beat, told):
    if waits:
        for seconds in (waits, waits + 1):
            job_since(seconds)
    if beat:
        Worker.objects.create(name="a", beat_at=timezone.now() - timedelta(seconds=beat))

    lines = texts_of(desk.get("/desk/problems/"), "#standstill")

    assert [line[: len(words)] for line, words in zip(lines, told, strict=True)] == told


@pytest.mark.parametrize("sign", ["running", "done"])
def test_a_long_line_a_worker_is_at_is_no_standstill(desk, job_since, sign):
    now = timezone.now()
    job_since(90)
    busy = job_since(300)
    held = {"lease_until": now + timedelta(minutes=1), "token": uuid4()}
    ends = {"finished_at": now} if sign == "done" else held
    Job.objects.filter(pk=busy.pk).update(state=sign, **ends)
    Worker.objects.create(name="a", beat_at=now)

    assert texts_of(desk.get("/desk/problems/"), "#standstill") == []


def test_the_desk_counts_what_is_to_be_solved_on_the_button(desk, job_since):
    before = texts_of(desk.get("/desk/"), "#to-problems")
    for key in ("k", "l"):
        Job.objects.create(key=key, kind="none", state=Job.State.FAILED, finished_at=timezone.now())
    never_here = AssignmentFactory(expert__last_login=None)
    for words in ("Is it a copy?", "And this one?"):
        Note.objects.create(assignment=never_here, words=words)
    record = DraftFactory(assignment__expert__last_login=timezone.now())
    then = timezone.now() - timedelta(days=3, hours=1)
    MarkupRecord.objects.filter(pk=record.pk).update(active_at=then)
    Assignment.objects.filter(pk__in=[record.assignment_id, never_here.pk]).update(created_at=then)
    job_since(90)

    assert [before, texts_of(desk.get("/desk/"), "#to-problems")] == [["Problems"], ["Problems 7"]]


@pytest.mark.parametrize(("days", "shown"), [(2, True), (4, False)])
def test_a_check_nobody_touched_for_days(desk, days, shown):
    record = DraftFactory(assignment__essay__number="0007", assignment__expert__full_name="Ann")
    then = timezone.now() - timedelta(days=3)
    MarkupRecord.objects.filter(pk=record.pk).update(active_at=then)
    Assignment.objects.update(created_at=then)

    lines = told(desk, "silent", f"?days={days}")
    assert [line.startswith("0007, Ann") for line in lines] == [True] * shown


def test_an_account_nobody_ever_used_that_holds_checks(desk):
    for last_login, name in ((None, "Ann"), (timezone.now(), "Bob")):
        AssignmentFactory(expert=PersonFactory(full_name=name, last_login=last_login))
    PersonFactory(full_name="Cid", last_login=None)
    Assignment.objects.update(created_at=timezone.now() - timedelta(days=3, hours=1))
    AssignmentFactory(expert=PersonFactory(full_name="Dan", last_login=None))  # given just now

    assert told(desk, "unused") == ["Ann 1 check, no e-mail address"]


def test_points_stated_otherwise_than_computed(desk):
    essay, author = (
        EssayFactory(number="0007"),
        PersonFactory(full_name="Ann", last_login=timezone.now()),
    )
    check = AssignmentFactory(essay=essay, expert=author, state="submitted")
    record = submitted(essay, assignment=check)
    right = submitted(essay, author=PersonFactory(last_login=timezone.now()))
    score(record, right)
    right.refresh_from_db()
    points = right.criteria.points
    MarkupRecord.objects.filter(pk=right.pk).update(stated={"K1": points["K1"]})
    MarkupRecord.objects.filter(pk=record.pk).update(stated={"K1": points["K1"] + 1})

    (line,) = told(desk, "stated")

    assert line.startswith("0007, Ann")
    assert "K1" in line


def test_the_lists_take_the_same_queries_for_one_line_and_for_five(desk, django_assert_num_queries):
    then = timezone.now() - timedelta(days=9)
    for count in (1, 4):
        for at in range(count):
            DraftFactory()
            key = f"{count}{at}"
            Job.objects.create(key=key, kind="none", state=Job.State.FAILED, finished_at=then)
        MarkupRecord.objects.update(active_at=then)
        Assignment.objects.update(created_at=then)
        desk.get("/desk/problems/")
        with django_assert_num_queries(8):
            desk.get("/desk/problems/")


@pytest.mark.parametrize("query", ["?days=x", "?days=-1", "?days=99999999999", "?failed=9"])
def test_an_address_nobody_understands_is_answered(desk, query):
    assert desk.get(f"/desk/problems/{query}").status_code == 200


def test_a_stranger_sees_no_problems_and_tries_nothing_again(log_in):
    job = Job.objects.create(key="k", kind="none", state=Job.State.FAILED)
    for role in ("expert", "participant"):
        client = log_in(PersonFactory(role=role))
        answers = client.get("/desk/problems/"), client.post(f"/desk/jobs/{job.pk}/retry/")
        assert [each.status_code for each in answers] == [403, 403]
    assert (
        log_in(PersonFactory(role="judge")).post(f"/desk/jobs/{job.pk}/retry/").status_code == 403
    )
