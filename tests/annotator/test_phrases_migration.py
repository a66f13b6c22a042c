"""Phrases from before only the last wording of a mark counted: what no mark has goes."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps

from annotator.models import Phrase
from tests.annotator.drafts import draft_of
from tests.strategies import fragment

pytestmark = pytest.mark.django_db


def test_own_phrases_that_no_mark_of_their_expert_has_go_and_the_others_stay():
    mine = draft_of("Some people.", fragment(0, 4, "А.орф", comment="so", explanation="why"))
    other = draft_of("Some people.", fragment(0, 4, "А.орф", comment="his"))
    given = [
        (mine, "А.орф", "comment", "so"),
        (mine, "А.орф", "explanation", "why"),
        (mine, "А.орф", "comment", "s"),
        (mine, "А.орф", "comment", "why"),
        (mine, "А.лекс", "comment", "so"),
        (mine, "А.орф", "comment", "his"),
        (other, "А.орф", "comment", "his"),
    ]
    for record, code, field, text in given:
        Phrase.objects.create(user=record.author, code=code, field=field, text=text, uses=2)

    import_module("annotator.migrations.0037_phrases_of_marks").forget(apps, None)

    left = Phrase.objects.order_by("pk").values_list("user", "code", "field", "text", "uses")
    assert list(left) == [
        (record.author_id, *rest, 2) for record, *rest in (given[0], given[1], given[6])
    ]
