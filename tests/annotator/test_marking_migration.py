from __future__ import annotations

import pytest
from django.db import DatabaseError, connection
from django.db.models.functions import Now

from tests.moments import go

pytestmark = pytest.mark.full

BEFORE, AFTER = (("annotator", name) for name in ("0003_verbose_names", "0004_marking_screen"))


@pytest.fixture
def model_of(empty_database):
    """The models after the migration, in a database with an essay that an expert is marking."""
    with empty_database("sqlite"):
        model_of = go(AFTER)
        rules = model_of("annotator", "RuleSet").objects.create(name="rules")
        essay_set = model_of("annotator", "EssaySet").objects.create(
            name="set", rules=rules, guidelines="Read all."
        )
        essay = model_of("annotator", "Essay").objects.create(
            essay_set=essay_set, number="1", subject="eng", text="Some people think."
        )
        record = model_of("annotator", "MarkupRecord").objects.create(
            essay=essay,
            author=model_of("accounts", "User").objects.create(username="ann", role="expert"),
            source="expert",
            active_seconds=90,
        )
        record.fragments.create(start=0, end=4, kind="mistake", code="А.грамм", comment="слово")
        yield model_of


def test_markups_outlive_the_migration_back_and_forward_and_begin_to_count(model_of):
    fragments = list(model_of("annotator", "FragmentRecord").objects.values())

    then = go(BEFORE)("annotator", "MarkupRecord")
    columns = {field.name for field in then._meta.get_fields()}
    began = then.objects.annotate(now=Now()).get().now
    model_of = go(AFTER)

    assert columns & {"active_seconds", "active_at"} == set()
    assert "annotator_phrase" in connection.introspection.table_names()
    record = model_of("annotator", "MarkupRecord").objects.select_related("essay__essay_set").get()
    assert list(model_of("annotator", "FragmentRecord").objects.values()) == fragments
    assert (record.active_seconds, record.essay.essay_set.guidelines) == (0, "")
    assert record.active_at >= began


@pytest.mark.usefixtures("model_of")
def test_what_is_frozen_stays_frozen_on_the_way_back_and_forward():
    for moment in (AFTER, BEFORE, AFTER):
        model_of = go(moment)

        with pytest.raises(DatabaseError, match="this cannot be changed"):
            model_of("annotator", "Essay").objects.update(text="other")
        with pytest.raises(DatabaseError, match="this cannot be changed"):
            model_of("annotator", "RuleSet").objects.update(hardness=0.5)
        assert model_of("annotator", "Essay").objects.get().text == "Some people think."
