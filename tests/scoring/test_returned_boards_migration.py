"""Boards that everybody saw though their run was returned are taken off by the migration."""

from __future__ import annotations

import pytest
from django.utils import timezone

from tests.moments import BACKENDS, go

BEFORE = ("scoring", "0014_run_differences")
AFTER = ("scoring", "0015_returned_boards")

pytestmark = pytest.mark.full


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_run_published_before_a_returned_one_stands_there_or_none(request, backend):
    with request.getfixturevalue("empty_database")(backend):
        model_of = go(BEFORE)
        sets = [board_of(model_of, returned) for returned in ([], [1], [0, 1])]
        model_of = go(AFTER)
        boards = model_of("scoring", "StandingBoard").objects
        found = [
            boards.values_list("public__seed", "published_at").get(essay_set=each) for each in sets
        ]

    assert [seed for seed, _at in found] == [1, 0, None]
    assert [at is None for _seed, at in found] == [False, False, True]


def board_of(model_of, returned):
    """A set with two runs that everybody saw, the second of which is the board; some returned."""
    rules = model_of("annotator", "RuleSet").objects.create(name=f"rules {returned}")
    essay_set = model_of("annotator", "EssaySet").objects.create(name=str(returned), rules=rules)
    judge = model_of("accounts", "User").objects.create(username=f"judge {returned}", role="judge")
    runs = [
        model_of("scoring", "ScoreRun").objects.create(
            essay_set=essay_set, rules=rules, set_rules=rules, seed=seed, state="ready"
        )
        for seed in range(2)
    ]
    for run in runs:
        model_of("scoring", "PublishedRun").objects.create(run=run)
    for seed in returned:
        model_of("scoring", "RunVerdict").objects.create(
            run=runs[seed], kind="returned", who=judge, reason="Wrong"
        )
    model_of("scoring", "StandingBoard").objects.create(
        essay_set=essay_set, applied=runs[1], public=runs[1], published_at=timezone.now()
    )
    return essay_set.pk
