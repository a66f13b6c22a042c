"""Quotas of uploads are exact however many come at one moment, on both databases."""

from __future__ import annotations

import shutil
from functools import partial

import pytest

from contest.models import Parcel, Upload, UploadCounter, UploadTerms
from contest.services.uploads.uploading import OverQuota, Sent, cancel_upload_of_job, send_upload
from jobs.models import Job
from schemes.models import SchemeRun
from tests.contest import test_markup_uploads as markups
from tests.contest.data_world import contest_of, data_set_of, phase_of, qac, terms_of
from tests.contest.test_uploads import GOOD, team_of
from tests.e2e.database import connected, together
from tests.migrated import kept
from tests.services import copy_of

PER_DAY = 5
THREADS = 12


def race():
    """Many uploads of one team at one instant; then the platform gives two of them up."""
    contest = qac()
    terms_of(phase_of(contest, "qualification", -1, 5), per_day=PER_DAY, in_all=50)
    lynx = team_of(contest)
    send = partial(send_upload, contest=contest, user=lynx.account)
    files = [Sent("a.txt", GOOD + b"\n" * number) for number in range(THREADS)]

    answers = together(*[partial(send, sent=each) for each in files])

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


def race_of_one_file():
    """The same predictions of one team many times at one instant are one upload."""
    contest = qac()
    terms_of(phase_of(contest, "qualification", -1, 5), per_day=PER_DAY, in_all=50)
    lynx = team_of(contest)
    sent = Sent("a.txt", GOOD)
    send = partial(send_upload, contest=contest, user=lynx.account, sent=sent)

    answers = together(*[send] * THREADS)

    assert sorted(is_new for _upload, is_new in answers) == [False] * (THREADS - 1) + [True]
    assert len({upload.pk for upload, _is_new in answers}) == 1
    assert (SchemeRun.objects.count(), markups.counted(lynx)) == (1, [(1, 1)])


def race_of_archives():
    """Many archives of markups of one team at one instant; then the platform gives both up."""
    contest = contest_of(live=False)
    held = data_set_of(contest, "test", essays=1, state="open").essay_set
    markups.terms_of(phase_of(contest, "qualification", -1, 5), held, per_day=2, in_all=50)
    lynx = team_of(contest)
    codes = ("А.грамм", "А.лекс", "А.орф", "А.стиль")
    archives = [markups.zipped(contest, code, extra=f"{n}") for code in codes for n in range(3)]

    answers = together(*[partial(markups.sent_by, lynx, each) for each in archives])

    refused = [each for each in answers if isinstance(each, Exception)]
    assert ({type(each) for each in refused}, len(refused)) == ({OverQuota}, len(archives) - 2)
    assert (Upload.objects.count(), Parcel.objects.count(), Job.objects.count()) == (2, 2, 2)
    jobs = Upload.objects.values_list("parcel__job", flat=True)
    together(*[partial(cancel_upload_of_job, job_id=job) for job in list(jobs) * 3])
    assert markups.counted(lynx) == [(0, 0)]


RACES = pytest.mark.parametrize("race", [race, race_of_one_file, race_of_archives])


@RACES
def test_the_quota_is_exact_under_parallel_threads_on_sqlite(tmp_path, django_db_blocker, race):
    path = tmp_path / "race.sqlite3"
    shutil.copyfile(kept(), path)
    with django_db_blocker.unblock(), connected(f"sqlite:///{path}"):
        race()


@RACES
@pytest.mark.full
def test_the_quota_is_exact_under_parallel_threads_on_postgresql(
    postgres_tables, django_db_blocker, race
):
    with copy_of(postgres_tables) as address, django_db_blocker.unblock(), connected(address):
        race()
