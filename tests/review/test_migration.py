"""Decisions and rulings of before the app ``review`` outlive the way there and back."""

from __future__ import annotations

import contextlib
from types import SimpleNamespace

import pytest
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from accounts.models import User
from annotator.models import Essay, EssaySet, MarkupRecord, RuleSet
from review import models
from tests.e2e.database import connected
from tests.services import database_beside

OTHERS = ("contenttypes", "auth", "admin", "sessions", "accounts", "jobs", "annotator")
BEFORE = ("scoring", "0008_neither_and_reason")
NAMES = ("ThirdCheck", "Ruling")


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
    ruling = models.Ruling.objects.select_related("markup__essay", "fragment").get()
    decision = ruling.markup.essay.third_checks.get()
    read = (ruling.fragment.code, decision.first_id == ruling.fragment.markup_id, decision.needed)
    call_command("migrate", *BEFORE, verbosity=0)
    call_command("migrate", "review", "zero", verbosity=0)
    return SimpleNamespace(before=before, there=there, read=read, back=seen(of_before))


def fill():
    """An essay, its checks, the decision and a ruling on a fragment; a group's permission."""
    essay_set = EssaySet.objects.create(name="set", rules=RuleSet.objects.create(name="rules"))
    essay = Essay.objects.create(essay_set=essay_set, number="1", subject="eng", text="A people.")
    people = [User.objects.create(username=name, role="expert") for name in ("ann", "bo", "cy")]
    first, second, third = (
        MarkupRecord.objects.create(essay=essay, author=person, source="expert")
        for person in people
    )
    fragment = first.fragments.create(start=0, end=4, kind="mistake", code="А.грамм")
    of_before("ThirdCheck").objects.create(
        essay_id=essay.pk,
        round=1,
        first_id=first.pk,
        second_id=second.pk,
        needed=True,
        reasons=[{"cause": "total-gap"}],
    )
    of_before("Ruling").objects.create(
        markup_id=third.pk, fragment_id=fragment.pk, neither=True, reason="not a mistake"
    )
    readers = Group.objects.create(name="readers")
    readers.permissions.add(Permission.objects.get(codename="view_thirdcheck"))


def of_before(name):
    state = MigrationExecutor(connection).loader.project_state([BEFORE])
    return state.apps.get_model("scoring", name)


def of_now(name):
    return getattr(models, name)


def seen(model_of):
    """All columns of the rows that move; labels by their numbers; who may read decisions."""
    types = ContentType.objects.filter(model__in=[name.lower() for name in NAMES])
    granted = Permission.objects.filter(group__name="readers")
    return SimpleNamespace(
        rows={name: list(model_of(name).objects.values()) for name in NAMES},
        labels={f"{each.app_label}.{each.model}": each.pk for each in types},
        granted=list(granted.values_list("pk", "content_type__app_label", "codename")),
    )


def test_rows_are_the_same_there_and_back(walk):
    assert [len(rows) for rows in walk.before.rows.values()] == [1, 1]
    assert (walk.there.rows, walk.back.rows) == (walk.before.rows, walk.before.rows)


def test_a_ruling_of_before_has_its_fragment_and_its_essay_the_decision(walk):
    assert walk.read == ("А.грамм", True, True)


def test_content_types_bear_the_label_of_the_moment_and_stay_the_same_rows(walk):
    before, there, back = (each.labels for each in (walk.before, walk.there, walk.back))

    assert before.keys() == {"scoring.thirdcheck", "scoring.ruling"}
    assert there.keys() == {"review.thirdcheck", "review.ruling"}
    assert (sorted(there.values()), back) == (sorted(before.values()), before)


def test_permissions_that_were_given_stay_given(walk):
    ((number, label, codename),) = walk.before.granted

    assert (label, codename) == ("scoring", "view_thirdcheck")
    assert walk.there.granted == [(number, "review", codename)]
    assert walk.back.granted == walk.before.granted
