"""Who goes back to before practice is told which sets are in the way; without any it works."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from tests.moments import go

pytestmark = pytest.mark.full

BEFORE = ("annotator", "0022_aliases_of_submitted")
PRACTICE = ("annotator", "0023_practice")


def has_practice():
    return PRACTICE in MigrationRecorder(connection).applied_migrations()


def test_going_back_names_the_practice_sets_and_does_without_them(empty_database):
    with empty_database("postgres"):
        model_of = go(PRACTICE)
        rules = model_of("annotator", "RuleSet").objects.create(name="rules")
        sets = model_of("annotator", "EssaySet").objects
        essay_set = sets.create(name="Practice of May", rules=rules, access="practice")
        essays = model_of("annotator", "Essay").objects
        essay = essays.create(essay_set=essay_set, number="1", subject="eng", text="A people.")
        expert = model_of("accounts", "User").objects.create(username="ann", role="expert")
        markups = model_of("annotator", "MarkupRecord").objects
        for source in ("key", "practice"):  # one author's twice: the older constraint keeps none
            markups.create(essay=essay, author=expert, source=source)

        with pytest.raises(ValueError, match=r"sets are for practice: Practice of May\. Before"):
            go(BEFORE)

        assert has_practice()
        kept = markups.order_by("source").values_list("source", "author")
        assert list(kept) == [("key", expert.pk), ("practice", expert.pk)]

        markups.all().delete()
        essay.delete()
        sets.update(access="open")
        go(BEFORE)
        assert not has_practice()
        go(PRACTICE)
        assert has_practice()
