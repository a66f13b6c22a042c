"""Rows of before the app ``schemes`` outlive the way there and back, on both databases."""

from __future__ import annotations

import contextlib
import uuid
from types import SimpleNamespace

import pytest
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from accounts.models import User
from jobs.models import Job
from schemes import models
from tests.e2e.database import connected
from tests.services import database_beside

OTHERS = ("contenttypes", "auth", "admin", "sessions", "accounts", "jobs", "annotator")
BEFORE = ("scoring", "0006_client_digest")
NAMES = ("StoredKey", "SchemeRun", "SchemeInput", "SchemeItem")
LABELS_BEFORE = {f"scoring.{name.lower()}" for name in NAMES}
LABELS_THERE = {f"schemes.{name.lower()}" for name in NAMES}


pytestmark = pytest.mark.full


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def database(request, tmp_path_factory, django_db_blocker):
    """A database as it was before, with nothing but its tables."""
    with contextlib.ExitStack() as opened:
        if request.param == "postgres":
            server = request.getfixturevalue("postgres_url")
            address = opened.enter_context(database_beside(server))
        else:
            address = f"sqlite:///{tmp_path_factory.mktemp('old') / 'old.sqlite3'}"
        opened.callback(ContentType.objects.clear_cache)
        opened.enter_context(django_db_blocker.unblock())
        opened.enter_context(connected(address))
        ContentType.objects.clear_cache()
        for app in OTHERS:
            call_command("migrate", app, verbosity=0)
        call_command("migrate", *BEFORE, verbosity=0)
        yield


@pytest.fixture(scope="module")
def walk(database):  # noqa: ARG001 - the rows need the database
    """What stands in the database before, there and back."""
    fill()
    before = seen(of_before)
    call_command("migrate", verbosity=0)
    there = seen(of_now)
    run = models.SchemeRun.objects.get()
    run.shown = (run.key.name, [each.name for each in run.inputs.all()], run.items.get().points)
    call_command("migrate", *BEFORE, verbosity=0)  # stops half way, with the models of both apps
    call_command("migrate", "schemes", "zero", verbosity=0)
    return SimpleNamespace(before=before, there=there, run=run, back=seen(of_before))


def fill():
    """A stored key, a run by it that waits, its input and its first item; a group's permission."""
    owner = User.objects.create(username="ann", role="participant")
    Job.objects.create(key="grade:1", kind="scoring.grade_markup")
    Job.objects.create(key="scheme:2", kind="scoring.score_scheme", state="failed")
    job = Job.objects.create(key="scheme:1", kind="scoring.score_scheme", args={"run_id": 1})
    key = of_before("StoredKey").objects.create(
        owner_id=owner.pk, scheme="use", name="key", offered=True, content=b"\0key", size=4
    )
    run = of_before("SchemeRun").objects.create(
        owner_id=owner.pk,
        key_id=key.pk,
        job_id=job.pk,
        uuid=uuid.UUID(int=7),
        scheme="use",
        version="1",
        options={"strict": True},
        client_key="run-1",
    )
    of_before("SchemeInput").objects.create(
        run_id=run.pk, source="predictions", name="answers.csv", content=b"a,b", size=3
    )
    of_before("SchemeItem").objects.create(
        run_id=run.pk, number=1, name="1", verdict="right", points=2.5, maximum=3
    )
    readers = Group.objects.create(name="readers")
    readers.permissions.add(Permission.objects.get(codename="view_schemerun"))


def of_before(name):
    state = MigrationExecutor(connection).loader.project_state([BEFORE])
    return state.apps.get_model("scoring", name)


def of_now(name):
    return getattr(models, name)


def seen(model_of):
    """All columns of the rows that move; labels by their numbers; who may read runs; jobs."""
    rows = {name: [whole(row) for row in model_of(name).objects.values()] for name in NAMES}
    types = ContentType.objects.filter(model__in=[name.lower() for name in NAMES])
    labels = {f"{each.app_label}.{each.model}": each.pk for each in types}
    granted = Permission.objects.filter(group__name="readers")
    return SimpleNamespace(
        kinds=list(Job.objects.order_by("key").values_list("key", "state", "kind")),
        rows=rows,
        labels=labels,
        granted=list(granted.values_list("pk", "content_type__app_label", "codename")),
    )


def whole(row):
    return {key: bytes(each) if isinstance(each, memoryview) else each for key, each in row.items()}


def test_rows_are_the_same_there_and_back(walk):
    assert [len(rows) for rows in walk.before.rows.values()] == [1, 1, 1, 1]
    assert (walk.there.rows, walk.back.rows) == (walk.before.rows, walk.before.rows)


def test_a_run_of_before_has_its_key_its_input_and_its_items(walk):
    assert walk.run.shown == ("key", ["answers.csv"], 2.5)


def test_content_types_bear_the_label_of_the_moment_and_stay_the_same_rows(walk):
    before, there, back = (each.labels for each in (walk.before, walk.there, walk.back))

    assert (before.keys(), there.keys()) == (LABELS_BEFORE, LABELS_THERE)
    assert (sorted(there.values()), back) == (sorted(before.values()), before)


def test_permissions_that_were_given_stay_given(walk):
    ((number, label, codename),) = walk.before.granted

    assert (label, codename) == ("scoring", "view_schemerun")
    assert walk.there.granted == [(number, "schemes", codename)]
    assert walk.back.granted == walk.before.granted


def test_jobs_that_wait_or_may_be_tried_again_bear_the_name_of_their_task(walk):
    other = ("grade:1", "queued", "scoring.grade_markup")
    runs = [("scheme:1", "queued"), ("scheme:2", "failed")]

    assert walk.before.kinds == [other, *((*run, "scoring.score_scheme") for run in runs)]
    assert walk.there.kinds == [other, *((*run, "schemes.score_run") for run in runs)]
    assert walk.back.kinds == walk.before.kinds
