"""Decisions and rulings of before the app ``review`` outlive the way there and back."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType

from tests.moments import BACKENDS, go

BEFORE = ("scoring", "0008_neither_and_reason")
AFTER = ("scoring", "0009_decisions_leave")
NAMES = ("ThirdCheck", "Ruling")


pytestmark = pytest.mark.full


@pytest.fixture(scope="module", params=BACKENDS)
def walk(request, empty_database):
    """What stands in the database before, there and back."""
    with empty_database(request.param):
        model_of = go(BEFORE)
        fill(model_of)
        before = seen("scoring", model_of)
        model_of = go(AFTER)
        there = seen("review", model_of)
        rulings = model_of("review", "Ruling").objects.select_related("markup__essay", "fragment")
        ruling = rulings.get()
        decision = ruling.markup.essay.third_checks.get()
        is_first = decision.first_id == ruling.fragment.markup_id
        read = (ruling.fragment.code, is_first, decision.needed)
        model_of = go(BEFORE, ("review", "zero"))
        back = seen("scoring", model_of)
        yield SimpleNamespace(before=before, there=there, read=read, back=back)


def fill(model_of):
    """An essay, its checks, the decision and a ruling on a fragment; a group's permission."""
    rules = model_of("annotator", "RuleSet").objects.create(name="rules")
    essay_set = model_of("annotator", "EssaySet").objects.create(name="set", rules=rules)
    essay = model_of("annotator", "Essay").objects.create(
        essay_set=essay_set, number="1", subject="eng", text="A people."
    )
    users = model_of("accounts", "User").objects
    people = [users.create(username=name, role="expert") for name in ("ann", "bo", "cy")]
    first, second, third = (
        model_of("annotator", "MarkupRecord").objects.create(
            essay=essay, author=person, source="expert"
        )
        for person in people
    )
    fragment = model_of("annotator", "FragmentRecord").objects.create(
        markup=first, start=0, end=4, kind="mistake", code="А.грамм"
    )
    model_of("scoring", "ThirdCheck").objects.create(
        essay=essay,
        round=1,
        first=first,
        second=second,
        needed=True,
        reasons=[{"cause": "total-gap"}],
    )
    model_of("scoring", "Ruling").objects.create(
        markup=third, fragment=fragment, neither=True, reason="not a mistake"
    )
    readers = Group.objects.create(name="readers")
    readers.permissions.add(Permission.objects.get(codename="view_thirdcheck"))


def seen(app, model_of):
    """All columns of the rows that move; labels by their numbers; who may read decisions."""
    types = ContentType.objects.filter(model__in=[name.lower() for name in NAMES])
    granted = Permission.objects.filter(group__name="readers")
    return SimpleNamespace(
        rows={name: list(model_of(app, name).objects.values()) for name in NAMES},
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
