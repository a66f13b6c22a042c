"""Experts who submitted before there were aliases get theirs."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps

from annotator.models.aliases import ExpertAlias
from tests.factories import DraftFactory, EssayFactory, PersonFactory, submitted

pytestmark = pytest.mark.django_db


def test_every_expert_with_a_submission_gets_a_number_in_each_set():
    one, other = EssayFactory(), EssayFactory()
    ann, bob = PersonFactory(), PersonFactory()
    for essay, author in ((one, ann), (one, bob), (other, ann)):
        submitted(essay, author=author)
    submitted(EssayFactory(essay_set=one.essay_set), author=ann)
    submitted(one, source="algorithm")
    DraftFactory()

    import_module("annotator.migrations.0022_aliases_of_submitted").allot(apps, None)

    aliases = ExpertAlias.objects.order_by("essay_set", "expert")
    assert [*aliases.values_list("essay_set", "expert")] == [
        (one.essay_set_id, ann.pk),
        (one.essay_set_id, bob.pk),
        (other.essay_set_id, ann.pk),
    ]
    assert {number for (number,) in aliases.values_list("number")} <= set(range(1, 13))
