"""The runs that everybody saw outlive the new name of their table, there and back."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.contrib.contenttypes.models import ContentType
from django.db import IntegrityError, transaction

from tests.moments import BACKENDS, go

BEFORE = ("scoring", "0012_publications")
AFTER = ("scoring", "0013_published_runs")

pytestmark = pytest.mark.full


@pytest.fixture(scope="module", params=BACKENDS)
def walk(request, empty_database):
    """What stands in the database before, there, back and there again."""
    with empty_database(request.param):
        model_of = go(BEFORE)
        runs = fill(model_of)
        before = seen(model_of, "Publication")
        model_of = go(AFTER)
        there = seen(model_of, "PublishedRun")
        by_run = model_of("scoring", "ScoreRun").objects.filter(published__isnull=False)
        found = sorted(by_run.values_list("seed", "published__at"))
        back = seen(go(BEFORE), "Publication")
        model_of = go(AFTER)
        again = seen(model_of, "PublishedRun")
        yield SimpleNamespace(
            before=before,
            there=there,
            found=found,
            back=back,
            again=again,
            refused=refuses(model_of, runs[0]),
            added=add(model_of, runs[-1]),
        )


def fill(model_of):
    """Three runs of a set; everybody saw the first two."""
    rules = model_of("annotator", "RuleSet").objects.create(name="rules")
    essay_set = model_of("annotator", "EssaySet").objects.create(name="set", rules=rules)
    runs = [
        model_of("scoring", "ScoreRun").objects.create(
            essay_set=essay_set, rules=rules, set_rules=rules, seed=seed, state="ready"
        )
        for seed in range(3)
    ]
    for run in runs[:2]:
        model_of("scoring", "Publication").objects.create(run=run)
    return [run.pk for run in runs]


def seen(model_of, name):
    """All columns of the rows that move, and the number and the name of their kind."""
    kinds = ContentType.objects.filter(
        app_label="scoring", model__in=["publication", "publishedrun"]
    )
    rows = list(model_of("scoring", name).objects.order_by("pk").values())
    return rows, list(kinds.values_list("pk", "model"))


def refuses(model_of, run):
    """Is a run that everybody saw still refused a second row?"""
    with pytest.raises(IntegrityError), transaction.atomic():
        model_of("scoring", "PublishedRun").objects.create(run_id=run)
    return True


def add(model_of, run):
    return model_of("scoring", "PublishedRun").objects.create(run_id=run).pk


def test_rows_are_the_same_there_and_back_and_there_again(walk):
    rows = walk.before[0]

    assert [row.keys() for row in rows] == [{"id", "run_id", "at"}] * 2
    assert [walk.there[0], walk.back[0], walk.again[0]] == [rows] * 3


def test_a_run_finds_when_everybody_saw_it(walk):
    assert walk.found == [(seed, row["at"]) for seed, row in enumerate(walk.before[0])]


def test_the_kind_keeps_its_number_and_bears_the_name_of_the_moment(walk):
    ((number, name),) = walk.before[1]

    assert name == "publication"
    assert walk.there[1] == walk.again[1] == [(number, "publishedrun")]
    assert walk.back[1] == walk.before[1]


def test_afterwards_a_run_has_one_row_and_new_rows_get_new_numbers(walk):
    assert walk.refused
    assert walk.added > max(row["id"] for row in walk.before[0])
