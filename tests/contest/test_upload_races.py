"""Quotas of uploads are exact however many come at one moment, on both databases."""

from __future__ import annotations

import shutil
from functools import partial

import pytest

from contest.models import Upload, UploadCounter, UploadTerms
from contest.services.uploading import OverQuota, Sent, cancel_upload_of_job, send_upload
from schemes.models import SchemeRun
from tests.contest.data_world import contest_of, phase_of, terms_of
from tests.contest.test_uploads import GOOD, team_of
from tests.e2e.database import connected, together
from tests.migrated import kept
from tests.services import copy_of

PER_DAY = 5
THREADS = 12


def race():
    """Many uploads of one team at one instant; then the platform gives two of them up."""
    contest = contest_of(scheme="qac", subject="", live=False)
    terms_of(phase_of(contest, "qualification", -1, 5), per_day=PER_DAY, in_all=50)
    lynx = team_of(contest)
    sent = Sent("a.txt", GOOD)
    send = partial(send_upload, contest=contest, user=lynx.account, sent=sent)

    answers = together(*[send] * THREADS)

    passed = [each for each in answers if not isinstance(each, Exception)]
    refused = [each for each in answers if isinstance(each, Exception)]
    assert {type(each) for each in refused} == {OverQuota}
    assert (len(passed), len(refused)) == (PER_DAY, THREADS - PER_DAY)
    assert (Upload.objects.count(), SchemeRun.objects.count()) == (PER_DAY, PER_DAY)
    jobs = list(Upload.objects.values_list("run__job", flat=True))[:2]
    together(*[partial(cancel_upload_of_job, job_id=job) for job in jobs * 3])
    (counter,) = UploadCounter.objects.all()
    assert (counter.of_day, counter.total) == (PER_DAY - 2, PER_DAY - 2)
    assert UploadTerms.objects.count() == 1


def test_the_quota_is_exact_under_parallel_threads_on_sqlite(tmp_path, django_db_blocker):
    path = tmp_path / "race.sqlite3"
    shutil.copyfile(kept(), path)
    with django_db_blocker.unblock(), connected(f"sqlite:///{path}"):
        race()


@pytest.mark.full
def test_the_quota_is_exact_under_parallel_threads_on_postgresql(
    postgres_tables, django_db_blocker
):
    with copy_of(postgres_tables) as address, django_db_blocker.unblock(), connected(address):
        race()
