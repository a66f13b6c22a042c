"""Two sets whose names differ in capital letters alone: the database refuses the second one."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps
from django.db import IntegrityError, transaction

from annotator.models import EssaySet
from annotator.services.set_acts import describe_set
from annotator.services.sets import make_essay_set
from tests.factories import EssaySetFactory, PersonFactory, RuleSetFactory
from web.refusals import Refused

pytestmark = pytest.mark.django_db

ALIKE = [("Finals", "FINALS"), ("Финал", "ФИНАЛ"), ("Ёлка", "ёлка"), ("Straße", "STRASSE")]


@pytest.mark.parametrize(("name", "other"), ALIKE)
def test_of_two_names_alike_the_database_takes_one(name, other):
    rules = EssaySetFactory(name=name).rules
    ways = [
        lambda: EssaySet.objects.create(name=other, rules=rules),
        lambda: EssaySet.objects.bulk_create([EssaySet(name=other, rules=rules)]),
    ]

    for way in ways:
        with pytest.raises(IntegrityError), transaction.atomic():
            way()
    with pytest.raises(Refused, match=f"There is a set “{other}” already"):
        make_essay_set(essay_set=EssaySet(name=other, rules=rules), actor=None)

    assert [each.name for each in EssaySet.objects.all()] == [name]


def test_a_set_that_is_renamed_takes_its_new_name_and_leaves_the_former_one():
    essay_set, actor = EssaySetFactory(name="Май"), PersonFactory(role="coordinator")
    describe_set(essay_set=essay_set, seen=0, actor=actor, values={"name": "Июнь"})

    EssaySetFactory(name="МАЙ")

    with pytest.raises(IntegrityError), transaction.atomic():
        EssaySetFactory(name="июнь")


@pytest.fixture
def doubles():
    """Sets of a time when nobody compared names, as the migration leaves them."""
    rules = RuleSetFactory()
    made = EssaySet.objects.bulk_create(
        EssaySet(name=name, rules=rules) for name in ("Финал", "Май", "Июнь")
    )
    for row, name in zip(made, ("Финал", "ФИНАЛ", "финал"), strict=True):
        EssaySet.objects.filter(pk=row.pk).update(name=name, name_folded=f"{row.pk}")
    import_module("annotator.migrations.0033_folded_set_names").fold(apps, None)
    return list(EssaySet.objects.order_by("pk"))


def test_sets_that_were_alike_before_keep_their_names_and_stay_apart(doubles):
    _first, second, third = doubles

    assert [(each.name, each.name_folded) for each in doubles] == [
        ("Финал", "финал"),
        ("ФИНАЛ", f"финал\n{second.pk}"),
        ("финал", f"финал\n{third.pk}"),
    ]
    for each in doubles:
        each.save()
    assert list(EssaySet.objects.order_by("pk").values_list("name_folded", flat=True)) == [
        each.name_folded for each in doubles
    ]


def test_another_one_alike_is_refused_whoever_of_them_is_left(doubles):
    first, *others = doubles
    actor = PersonFactory(role="coordinator")
    describe_set(essay_set=first, seen=0, actor=actor, values={"name": "Весна"})

    with pytest.raises(Refused, match="There is a set “ФИНАЛ” already, whose name differs"):
        describe_set(essay_set=first, seen=1, actor=actor, values={"name": "фИНАЛ"})
    for each in others:
        describe_set(essay_set=each, seen=0, actor=actor, values={"name": f"Осень {each.pk}"})
    assert describe_set(essay_set=first, seen=1, actor=actor, values={"name": "фИНАЛ"})
