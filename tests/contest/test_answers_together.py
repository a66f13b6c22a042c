"""Answers of a session become markups with figures by as many jobs and statements as chunks."""

from __future__ import annotations

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from annotator.models import MarkupRecord
from contest.services.sessions.answers import keep_answers
from contest.services.sessions.clock import moment_now
from contest.services.sessions.holding import Told, hold
from contest.tasks import keep_answers as keep
from jobs.models import Job
from jobs.services.work import MAX_ATTEMPTS, fail
from jobs.services.work import claim as take
from scoring import tasks
from scoring.models import CriteriaRecord, PairScore
from scoring.queries.waiting import waiting_job_of
from scoring.services.assessing import assess_answers
from tests.contest.test_answers import do_answers, whole_session
from tests.contest.world import Client, marked_set, team
from tests.factories import EssayFactory, submitted
from tests.scoring.work import run_all, score

pytestmark = pytest.mark.django_db

SCORED = ("assessed", "reference", "n", "m", "found", "equal_codes", "equal_subcodes")
SCORED += ("localization", "equal_corrections", "m1", "accuracy")


def ended(files):
    marked_set(files)
    return whole_session(Client(count=files), spans=[(0, 4), (5, 11)])


def read(client):
    """The answers are markups; what is due to them is ordered and not begun."""
    keep_answers(session_id=client.session.pk, first=1, last=client.session.size)
    return Job.objects.get(kind="scoring.assess_answers")


def answers():
    return MarkupRecord.objects.filter(source="algorithm").order_by("pk")


def figures():
    """All points and scores of answers."""
    points = CriteriaRecord.objects.filter(markup__in=answers()).order_by("markup")
    scores = PairScore.objects.filter(assessed__in=answers()).order_by("assessed", "reference")
    return (
        list(points.values_list("markup", "points", "total", "nomination")),
        list(scores.values_list(*SCORED)),
    )


def test_a_session_takes_two_jobs_a_chunk_and_one_for_its_report():
    client = ended(45)
    do_answers()

    kinds = ("contest.keep_answers", "scoring.assess_answers", "scoring.compute_report")
    counts = [Job.objects.filter(kind=kind).count() for kind in kinds]
    assert counts == [2, 2, 1]
    assert not Job.objects.filter(key__regex=r"^(grade|score):").exists()
    assert answers().filter(origin=client.session.origin).count() == 45


def test_reading_more_answers_takes_no_more_statements():
    asked = []
    for files in (2, 12):
        client = ended(files)
        with CaptureQueriesContext(connection) as reading:
            keep_answers(session_id=client.session.pk, first=1, last=files)
        asked.append(len(reading))
        MarkupRecord.objects.update(state="superseded")

    assert asked[0] == asked[1]


def test_together_and_twice_answers_get_what_they_get_one_by_one():
    job = read(ended(3))
    assess_answers(**job.args)
    together = figures()
    assess_answers(**job.args)
    twice = figures()
    CriteriaRecord.objects.all().delete()
    PairScore.objects.all().delete()
    score(*answers())

    assert together == twice == figures()
    assert [len(each) for each in together] == [3, 6]


@pytest.mark.parametrize("files", [2, 12])
def test_the_job_of_answers_is_told_of_each_of_their_essays_by_two_queries(
    django_assert_num_queries, files
):
    job = read(ended(files))
    job.args["last"] += 2
    job.save()
    origin, lynx = job.args["origin"], answers().first().author
    strangers = [
        submitted(EssayFactory(), source="algorithm", author=author, origin=of)
        for author, of in ((team(), origin), (lynx, "session-0"), (lynx, origin))
    ]
    assert [each.pk for each in strangers[:2]] == [job.args["last"] - 1, job.args["last"]]

    ours = answers().exclude(pk__in=[each.pk for each in strangers])
    for record in ours.select_related("essay"):
        with django_assert_num_queries(2):
            assert waiting_job_of(record.essay) == job
    assert [waiting_job_of(each.essay) for each in strangers] == [None] * 3
    Job.objects.filter(pk=job.pk).update(state=Job.State.DONE)
    assert waiting_job_of(answers().first().essay) is None


def test_a_check_that_is_open_again_and_an_answer_that_is_replaced_get_no_scores():
    job = read(ended(3))
    first, second, third = answers()
    checks = MarkupRecord.objects.filter(source="expert")
    reopened = checks.filter(essay=first.essay).first()
    MarkupRecord.objects.filter(pk=reopened.pk).update(state="draft", submitted_at=None)
    MarkupRecord.objects.filter(pk=second.pk).update(state="superseded")

    assess_answers(**job.args)

    points, scores = figures()
    assert [row[0] for row in points] == [first.pk, third.pk]
    others = checks.filter(essay__in=[first.essay, third.essay]).exclude(pk=reopened.pk)
    assert sorted(row[1] for row in scores) == sorted(each.pk for each in others)


def give_up(job):
    Job.objects.filter(pk=job.pk).update(attempts=MAX_ATTEMPTS - 1)
    fail(take(job_id=job.pk), reason="spoilt")
    job.refresh_from_db()
    assert (job.state, job.error) == ("failed", "spoilt")


def reports():
    return Job.objects.filter(kind="scoring.compute_report").count()


def test_answers_whose_job_was_given_up_are_promised_one_by_one_and_then_their_report():
    job = read(ended(2))
    give_up(job)

    promised = Job.objects.filter(key__regex=r"^(grade|score):")
    keys = {f"{word}:{each.pk}" for each in answers() for word in ("grade", "score")}
    assert {each.key for each in promised} == keys
    assert reports() == 0
    Job.objects.filter(pk=job.pk).delete()
    run_all()
    assert [len(each) for each in figures()] == [2, 4]
    assert reports() == 1


@pytest.mark.parametrize("is_last", [False, True])
def test_a_report_waits_for_no_answer_that_was_given_up_by_itself(is_last):
    job = read(ended(2))
    give_up(job)
    spoilt = answers().first()
    given_up = list(Job.objects.filter(key__in=[f"grade:{spoilt.pk}", f"score:{spoilt.pk}"]))

    for one in [] if is_last else given_up:
        give_up(one)
    assert reports() == 0
    Job.objects.filter(pk=job.pk).delete()
    waiting = Job.objects.filter(state="queued", key__regex=r"^(grade|score):")
    for other in waiting.exclude(pk__in=[each.pk for each in given_up]):
        tasks.grade_markup(other.pk) if "grade" in other.kind else tasks.score_pairs(other.pk)
    assert reports() == (not is_last)
    for one in given_up if is_last else []:
        give_up(one)

    assert [len(each) for each in figures()] == [1, 2]
    assert reports() == 1


def test_answers_that_were_not_read_together_are_read_one_by_one_and_one_is_missed_by_none():
    client = ended(3)
    give_up(Job.objects.get(kind="contest.keep_answers"))

    session = client.session.pk
    one_by_one = Job.objects.filter(kind="contest.keep_answers", state="queued").order_by("pk")
    assert [each.key for each in one_by_one] == [f"answers:{session}:{n}:{n}" for n in (1, 2, 3)]
    spoilt, *others = one_by_one
    for each in others:
        keep(each.pk)
    run_all()
    assert (answers().count(), reports()) == (2, 0)
    give_up(spoilt)
    assert ([len(each) for each in figures()], reports()) == ([2, 4], 1)


def test_verdicts_of_more_answers_take_no_more_statements():
    asked = []
    for files in (2, 12):
        session = ended(files).row
        session.files.update(verdict="", answer=None)
        with CaptureQueriesContext(connection) as judging, transaction.atomic():
            Told.of(hold(session.pk)).keep(moment_now())
        assert not session.files.filter(answer=None).exists()
        asked.append(len(judging))

    assert asked[0] == asked[1]
