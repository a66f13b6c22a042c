from __future__ import annotations

import uuid

import pytest
from django.db import IntegrityError, connection, models, transaction
from django.db.migrations.loader import MigrationLoader

from accounts.triggers import Frozen
from annotator.models import Essay, RuleSet
from tests.factories import EssayFactory, RuleSetFactory

pytestmark = pytest.mark.django_db

ESSAY = {"text": "Another text.", "number": "0000000", "subject": "rus", "uuid": uuid.UUID(int=7)}
RULES = sorted({field.name for field in RuleSet._meta.concrete_fields} - {"id", "created_at"})


def another(field, value):
    """A value the column could hold as well, but does not."""
    if isinstance(field, models.BooleanField):
        return not value
    if field.choices:
        return next(key for key, _ in field.choices if key != value)
    if isinstance(field, models.JSONField):
        return {"eng": "median/total"}
    if isinstance(field, models.CharField):
        return f"{value} changed"
    return 0.5 if isinstance(field, models.FloatField) else value + 1


@pytest.mark.parametrize("column", ESSAY)
def test_what_an_essay_is_never_changes(column):
    essay = EssayFactory()
    before = Essay.objects.values().get()

    with (
        pytest.raises(IntegrityError, match="annotator_essay: this cannot be changed"),
        transaction.atomic(),
    ):
        Essay.objects.filter(pk=essay.pk).update(**{column: ESSAY[column]})

    assert Essay.objects.values().get() == before


@pytest.mark.parametrize("column", RULES)
def test_no_parameter_of_a_rule_set_ever_changes(column):
    rules = RuleSetFactory()
    before = RuleSet.objects.values().get()
    setattr(rules, column, another(RuleSet._meta.get_field(column), before[column]))

    with (
        pytest.raises(IntegrityError, match="annotator_ruleset: this cannot be changed"),
        transaction.atomic(),
    ):
        rules.save(update_fields=[column])

    assert RuleSet.objects.values().get() == before


def test_raw_statements_do_not_change_an_essay_either():
    EssayFactory(text="The text of the pupil.")

    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE annotator_essay SET text = 'A better text.'")

    assert Essay.objects.get().text == "The text of the pupil."


def test_saving_the_same_values_again_passes():
    essay = EssayFactory()
    before = Essay.objects.values().get(), RuleSet.objects.values().get()

    Essay.objects.get().save()
    essay.essay_set.rules.save()
    Essay.objects.bulk_update([Essay.objects.get()], list(ESSAY))

    assert (Essay.objects.values().get(), RuleSet.objects.values().get()) == before


def test_what_is_said_about_an_essay_may_be_corrected():
    essay = EssayFactory(theme="Sprot", round=1)

    Essay.objects.filter(pk=essay.pk).update(theme="Sport", round=2)

    essay.refresh_from_db()
    assert (essay.theme, essay.round) == ("Sport", 2)


def test_new_parameters_are_a_new_version():
    old = RuleSetFactory(name="rules")

    new = RuleSetFactory(name="rules", version=2, hardness=0.5)

    assert [str(rules) for rules in RuleSet.objects.all()] == [str(new), str(old)]


TRIGGERS = {
    "sqlite": "SELECT tbl_name FROM sqlite_master WHERE type = 'trigger'",
    "postgresql": "SELECT tgrelid::regclass::text FROM pg_trigger WHERE NOT tgisinternal",
}


def test_every_promise_of_a_migration_stands_also_where_a_later_one_rebuilt_its_table():
    operations = [
        operation
        for migration in MigrationLoader(connection).disk_migrations.values()
        for operation in migration.operations
    ]
    promised = {each.table for each in operations if isinstance(each, Frozen)}
    with connection.cursor() as cursor:
        cursor.execute(TRIGGERS[connection.vendor])
        kept = {table for (table,) in cursor.fetchall()}

    assert promised - kept == set()
