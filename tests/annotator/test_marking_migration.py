from __future__ import annotations

import pytest
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models.functions import Now

from annotator.core.values import Markup
from tests.annotator.drafts import draft_of
from tests.strategies import fragment

pytestmark = [pytest.mark.full, pytest.mark.django_db(transaction=True)]

MARK = fragment(0, 4, comment="слово")


@pytest.fixture
def migrate():
    """Migrates to before or after the marking screen, or to now; returns the models of then.

    In the end everything is as it was.
    """

    def to(moment):
        executor = MigrationExecutor(connection)
        nodes = executor.loader.graph.nodes
        (after,) = [node for node in nodes if node[1].endswith("_marking_screen")]
        (before,) = [node for node in nodes[after].dependencies if node[0] == "annotator"]
        (now,) = executor.loader.graph.leaf_nodes("annotator")
        target = {"before": before, "after": after, "now": now}[moment]
        executor.migrate([target])
        return executor.loader.project_state([target]).apps.get_model

    yield to
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


def test_markups_outlive_the_migration_back_and_forward_and_begin_to_count(migrate):
    record = draft_of("Some people think.", MARK)
    record.active_seconds = 90
    record.save()
    record.essay.essay_set.guidelines = "Read all."
    record.essay.essay_set.save()

    model = migrate("before")("annotator", "MarkupRecord")
    columns = {field.name for field in model._meta.get_fields()}
    began = model.objects.annotate(now=Now()).get().now
    migrate("now")

    assert columns & {"active_seconds", "active_at"} == set()
    assert "annotator_phrase" in connection.introspection.table_names()
    record.refresh_from_db()
    record.essay.essay_set.refresh_from_db()
    assert record.to_core() == Markup("Some people think.", (MARK,))
    assert (record.active_seconds, record.essay.essay_set.guidelines) == (0, "")
    assert record.active_at >= began


def test_what_is_frozen_stays_frozen_on_the_way_back_and_forward(migrate):
    draft_of()
    for moment in ("after", "before", "after"):
        get_model = migrate(moment)

        with pytest.raises(DatabaseError, match="this cannot be changed"):
            get_model("annotator", "Essay").objects.update(text="other")
        with pytest.raises(DatabaseError, match="this cannot be changed"):
            get_model("annotator", "RuleSet").objects.update(hardness=0.5)
        assert get_model("annotator", "Essay").objects.get().text == "Some people think."
