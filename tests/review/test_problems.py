"""The page of problems: what stands still, what failed, what contradicts itself."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from annotator.models import Assignment, MarkupRecord
from jobs.models import Job
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
        desk.get("/desk/problems/")
        with django_assert_num_queries(9):
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
