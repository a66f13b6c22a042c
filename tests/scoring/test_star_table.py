from __future__ import annotations

import pytest

from annotator.models import MarkupRecord
from scoring.queries import Standing, StarTable, star_table, star_tables
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory, RuleSetFactory, submitted
from tests.scoring.work import score
from tests.strategies import fragment

pytestmark = pytest.mark.django_db

HIT, OTHER_CODE, MISS = fragment(0, 4), fragment(0, 4, "А.лекс"), fragment(43, 48)
FOUND, HALF = 80.0, 60.0
"""Accuracies of one mark against HIT: no correction makes M6 0, another code M3 as well."""


@pytest.fixture
def essay_set():
    return EssaySetFactory()


@pytest.fixture
def robot():
    return PersonFactory(role="participant")


def algorithm(essay, robot, *fragments):
    return submitted(essay, *fragments, author=robot, source="algorithm")


def test_an_algorithm_is_measured_against_every_expert(essay_set, robot):
    essay = EssayFactory(essay_set=essay_set)
    score(submitted(essay, HIT), submitted(essay, OTHER_CODE), algorithm(essay, robot, HIT))

    assert star_table(essay_set) == StarTable(
        (Standing(robot, 1, (FOUND + HALF) / 2, pytest.approx(100 * 70 / HALF)),), HALF, 1
    )


def test_hardness_weighs_the_mean_against_the_best(robot):
    essay_set = EssaySetFactory(rules__hardness=0.25)
    essay = EssayFactory(essay_set=essay_set)
    score(submitted(essay, HIT), submitted(essay, OTHER_CODE), algorithm(essay, robot, HIT))

    (line,) = star_table(essay_set).standings

    assert (line.star, line.otar) == (0.25 * 70 + 0.75 * 80, pytest.approx(100 * 70 / HALF))


def test_one_expert_gives_no_measure_of_experts(essay_set, robot):
    essay = EssayFactory(essay_set=essay_set)
    score(submitted(essay, HIT), algorithm(essay, robot, HIT))

    assert star_table(essay_set) == StarTable((Standing(robot, 1, FOUND, None),), None, 0)


def test_without_experts_nothing_is_said_of_an_algorithm(essay_set, robot):
    score(algorithm(EssayFactory(essay_set=essay_set), robot, HIT))

    assert star_table(essay_set) == StarTable((), None, 0)


def test_an_essay_without_experts_is_left_out_of_the_mean(essay_set, robot):
    one, other = (EssayFactory(essay_set=essay_set) for _ in range(2))
    score(submitted(one, HIT), algorithm(one, robot, HIT), algorithm(other, robot, MISS))

    (line,) = star_table(essay_set).standings

    assert (line.essays, line.star) == (1, FOUND)


def test_the_mean_over_essays_weighs_each_alike(essay_set, robot):
    one, other = (EssayFactory(essay_set=essay_set) for _ in range(2))
    score(
        *(submitted(one, HIT) for _ in range(3)),
        algorithm(one, robot, HIT),
        submitted(other, HIT),
        algorithm(other, robot, MISS),
    )

    (line,) = star_table(essay_set).standings

    assert (line.essays, line.star) == (2, (FOUND + 0) / 2)


def test_the_best_stands_first_and_equal_ones_by_age(essay_set):
    essay = EssayFactory(essay_set=essay_set)
    old, young, best = (PersonFactory(role="participant") for _ in range(3))
    score(
        submitted(essay, HIT),
        algorithm(essay, young, OTHER_CODE),
        algorithm(essay, old, OTHER_CODE),
        algorithm(essay, best, HIT),
    )

    standings = star_table(essay_set).standings

    assert [(line.participant, line.star) for line in standings] == [
        (best, FOUND),
        (old, HALF),
        (young, HALF),
    ]


def test_superseded_markups_leave_the_table(essay_set, robot):
    essay = EssayFactory(essay_set=essay_set)
    expert, first = submitted(essay, HIT), algorithm(essay, robot, MISS)
    score(expert, first)
    MarkupRecord.objects.filter(pk=first.pk).update(state="superseded")

    score(algorithm(essay, robot, HIT))

    assert [line.star for line in star_table(essay_set).standings] == [FOUND]
    MarkupRecord.objects.filter(pk=expert.pk).update(state="superseded")
    assert star_table(essay_set) == StarTable((), None, 0)


def test_every_set_has_its_own_table_under_its_own_rules(robot):
    only_m2 = {f"w{number}": 0 for number in (3, 4, 5, 6)}
    sets = [
        EssaySetFactory(rules=RuleSetFactory()),
        EssaySetFactory(rules=RuleSetFactory(**only_m2)),
        EssaySetFactory(),
    ]
    for essay_set in sets[:2]:
        essay = EssayFactory(essay_set=essay_set)
        score(submitted(essay, HIT), algorithm(essay, robot, HIT))

    assert [[line.star for line in table.standings] for table in star_tables(sets)] == [
        [FOUND],
        [100.0],
        [],
    ]


def test_scores_under_other_rules_do_not_count(essay_set, robot):
    essay = EssayFactory(essay_set=essay_set)
    records = submitted(essay, HIT), algorithm(essay, robot, HIT)
    score(*records)

    essay_set.rules = RuleSetFactory(w2=0, w3=0, w4=0, w6=0, name="only M5")
    essay_set.save()

    assert star_table(essay_set) == StarTable((), None, 0)


def test_weights_of_m1_bring_the_points_in(robot):
    essay_set = EssaySetFactory(rules__w1=5)
    essay = EssayFactory(essay_set=essay_set)
    score(submitted(essay, HIT), algorithm(essay, robot, HIT))

    (line,) = star_table(essay_set).standings

    assert line.star == pytest.approx((5 * 100 + 4 * 100) / 10)


def test_tables_of_five_sets_take_the_same_queries_as_one(robot, django_assert_num_queries):
    for _ in range(5):
        essay = EssayFactory()
        score(submitted(essay, HIT), algorithm(essay, robot, HIT))
    sets = [essay.essay_set for essay in type(essay).objects.select_related("essay_set__rules")]

    for count in (1, 5):
        with django_assert_num_queries(2):
            assert len(star_tables(sets[:count])) == count
