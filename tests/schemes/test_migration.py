"""Rows of before the app ``schemes`` outlive the way there and back, on both databases."""

from __future__ import annotations

import uuid
from types import SimpleNamespace

import pytest
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType

from tests.moments import BACKENDS, go

BEFORE = ("scoring", "0006_client_digest")
AFTER = (("scoring", "0007_schemes_leave"), ("schemes", "0002_kind_of_runs"))
NAMES = ("StoredKey", "SchemeRun", "SchemeInput", "SchemeItem")
LABELS_BEFORE = {f"scoring.{name.lower()}" for name in NAMES}
LABELS_THERE = {f"schemes.{name.lower()}" for name in NAMES}


pytestmark = pytest.mark.full


@pytest.fixture(scope="module", params=BACKENDS)
def walk(request, empty_database):
    """What stands in the database before, there and back."""
    with empty_database(request.param):
        model_of = go(BEFORE)
        fill(model_of)
        before = seen("scoring", model_of)
        model_of = go(*AFTER)
        there = seen("schemes", model_of)
        run = model_of("schemes", "SchemeRun").objects.get()
        shown = (run.key.name, [each.name for each in run.inputs.all()], run.items.get().points)
        model_of = go(BEFORE, ("schemes", "zero"))  # BEFORE stops half way, with models of both
        back = seen("scoring", model_of)
        yield SimpleNamespace(before=before, there=there, shown=shown, back=back)


def fill(model_of):
    """A stored key, a run by it that waits, its input and its first item; a group's permission."""
    owner = model_of("accounts", "User").objects.create(username="ann", role="participant")
    jobs = model_of("jobs", "Job").objects
    jobs.create(key="grade:1", kind="scoring.grade_markup")
    jobs.create(key="scheme:2", kind="scoring.score_scheme", state="failed")
    job = jobs.create(key="scheme:1", kind="scoring.score_scheme", args={"run_id": 1})
    key = model_of("scoring", "StoredKey").objects.create(
        owner=owner, scheme="use", name="key", offered=True, content=b"\0key", size=4
    )
    run = model_of("scoring", "SchemeRun").objects.create(
        owner=owner,
        key=key,
        job=job,
        uuid=uuid.UUID(int=7),
        scheme="use",
        version="1",
        options={"strict": True},
        client_key="run-1",
    )
    model_of("scoring", "SchemeInput").objects.create(
        run=run, source="predictions", name="answers.csv", content=b"a,b", size=3
    )
    model_of("scoring", "SchemeItem").objects.create(
        run=run, number=1, name="1", verdict="right", points=2.5, maximum=3
    )
    readers = Group.objects.create(name="readers")
    readers.permissions.add(Permission.objects.get(codename="view_schemerun"))


def seen(app, model_of):
    """All columns of the rows that move; labels by their numbers; who may read runs; jobs."""
    rows = {n: [whole(row) for row in model_of(app, n).objects.values()] for n in NAMES}
    types = ContentType.objects.filter(model__in=[name.lower() for name in NAMES])
    granted = Permission.objects.filter(group__name="readers")
    jobs = model_of("jobs", "Job").objects.order_by("key")
    return SimpleNamespace(
        kinds=list(jobs.values_list("key", "state", "kind")),
        rows=rows,
        labels={f"{each.app_label}.{each.model}": each.pk for each in types},
        granted=list(granted.values_list("pk", "content_type__app_label", "codename")),
    )


def whole(row):
    return {key: bytes(each) if isinstance(each, memoryview) else each for key, each in row.items()}


def test_rows_are_the_same_there_and_back(walk):
    assert [len(rows) for rows in walk.before.rows.values()] == [1, 1, 1, 1]
    assert (walk.there.rows, walk.back.rows) == (walk.before.rows, walk.before.rows)


def test_a_run_of_before_has_its_key_its_input_and_its_items(walk):
    assert walk.shown == ("key", ["answers.csv"], 2.5)


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
