from __future__ import annotations

import pytest

from annotator.models import Essay, MarkupRecord
from scoring.queries.tables import Standing, StarTable, star_table, star_tables
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory, RuleSetFactory, submitted
from tests.pages import page_of
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
        (Standing(robot, 1, (FOUND + HALF) / 2, pytest.approx(100 * 70 / HALF), 1),), HALF, 1, 1
    )


def test_each_session_and_what_was_sent_freely_are_measured_on_their_own(essay_set, robot):
    essay = EssayFactory(essay_set=essay_set)
    answers = {"": HIT, "session-1": OTHER_CODE, "session-2": MISS}
    solutions = [
        submitted(essay, mark, author=robot, source="algorithm", origin=origin)
        for origin, mark in answers.items()
    ]
    score(submitted(essay, HIT), *solutions)

    assert star_table(essay_set).standings == (
        Standing(robot, 1, FOUND, None, 1),
        Standing(robot, 1, HALF, None, 2, "session-1"),
        Standing(robot, 1, 0, None, 3, "session-2"),
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

    assert star_table(essay_set) == StarTable((Standing(robot, 1, FOUND, None, 1),), None, 0, 1)


def test_without_experts_nothing_is_said_of_an_algorithm(essay_set, robot):
    score(algorithm(EssayFactory(essay_set=essay_set), robot, HIT))

    assert star_table(essay_set) == StarTable((), None, 0, 0)


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


def test_equal_algorithms_share_a_place_and_the_next_one_is_skipped(essay_set):
    essay = EssayFactory(essay_set=essay_set)
    names = ("bee", "ant", "owl", "elk")
    bee, ant, owl, elk = (PersonFactory(role="participant", username=name) for name in names)
    score(
        submitted(essay, HIT),
        algorithm(essay, bee, OTHER_CODE),
        algorithm(essay, ant, OTHER_CODE),
        algorithm(essay, owl, MISS),
        algorithm(essay, elk, HIT),
    )

    assert [
        (line.place, line.participant, line.star) for line in star_table(essay_set).standings
    ] == [
        (1, elk, FOUND),
        (2, ant, HALF),
        (2, bee, HALF),
        (4, owl, 0),
    ]


def test_only_who_has_marked_every_measured_essay_has_a_place(essay_set):
    one, other, unmeasured = (EssayFactory(essay_set=essay_set) for _ in range(3))
    partly, fully, hasty = (PersonFactory(role="participant") for _ in range(3))
    score(
        *(submitted(each, HIT) for each in (one, other)),
        algorithm(one, partly, HIT),
        algorithm(unmeasured, partly, HIT),
        *(algorithm(each, fully, OTHER_CODE) for each in (one, other)),
        algorithm(other, hasty, MISS),
    )

    table = star_table(essay_set)

    assert table.measured == 2
    assert [(line.place, line.participant, line.essays, line.star) for line in table.standings] == [
        (1, fully, 2, HALF),
        (None, partly, 1, FOUND),
        (None, hasty, 1, 0),
    ]


def superseded(record):
    MarkupRecord.objects.filter(pk=record.pk).update(state="superseded")


def test_superseded_markups_leave_the_table(essay_set, robot):
    essay = EssayFactory(essay_set=essay_set)
    expert, first = submitted(essay, HIT), algorithm(essay, robot, MISS)
    score(expert, first)
    superseded(first)

    score(algorithm(essay, robot, HIT))

    assert [line.star for line in star_table(essay_set).standings] == [FOUND]
    superseded(expert)
    assert star_table(essay_set) == StarTable((), None, 0, 0)


def test_while_a_newer_markup_waits_for_its_score_the_former_one_counts(essay_set, robot):
    one, other = (EssayFactory(essay_set=essay_set) for _ in range(2))
    first = algorithm(one, robot, HIT)
    score(submitted(one, HIT), submitted(other, HIT), first, algorithm(other, robot, OTHER_CODE))
    before = star_table(essay_set)

    superseded(first)
    newer = algorithm(one, robot, MISS)

    assert star_table(essay_set) == before
    assert before.standings == (Standing(robot, 2, (FOUND + HALF) / 2, None, 1),)
    score(newer)
    assert star_table(essay_set).standings == (Standing(robot, 2, (0 + HALF) / 2, None, 1),)


def test_while_an_experts_newer_markup_waits_the_former_one_counts(essay_set, robot):
    essay = EssayFactory(essay_set=essay_set)
    first, second = submitted(essay, HIT), submitted(essay, OTHER_CODE)
    score(first, second, algorithm(essay, robot, HIT))
    before = star_table(essay_set)

    superseded(first)
    newer = submitted(essay, OTHER_CODE, author=first.author)

    assert (star_table(essay_set), before.ster, before.essays) == (before, HALF, 1)
    score(newer)
    (line,) = star_table(essay_set).standings
    assert (line.star, star_table(essay_set).ster) == (HALF, FOUND)


def test_figures_of_two_moments_are_not_mixed(essay_set, robot):
    """The experts' new markups are scored before the algorithm's one."""
    essay = EssayFactory(essay_set=essay_set)
    experts, former = [submitted(essay, HIT) for _ in range(2)], algorithm(essay, robot, HIT)
    score(*experts, former)
    superseded(former)
    newer = algorithm(essay, robot, MISS)
    superseded(experts[0])

    score(submitted(essay, OTHER_CODE, author=experts[0].author))

    assert [line.star for line in star_table(essay_set).standings] == [FOUND]
    score(newer)
    assert [line.star for line in star_table(essay_set).standings] == [0]


def test_a_reopened_check_brings_no_former_one_back(essay_set, robot):
    essay = EssayFactory(essay_set=essay_set)
    former = submitted(essay, HIT)
    score(former, algorithm(essay, robot, HIT))
    superseded(former)
    submitted(essay, HIT, author=former.author)

    MarkupRecord.objects.filter(state="submitted", source="expert").update(state="draft")

    assert star_table(essay_set) == StarTable((), None, 0, 0)


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

    assert star_table(essay_set) == StarTable((), None, 0, 1)


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
    sets = [essay.essay_set for essay in Essay.objects.select_related("essay_set__rules")]

    for count in (1, 5):
        with django_assert_num_queries(5):
            assert len(star_tables(sets[:count])) == count
    for record in MarkupRecord.objects.filter(source="algorithm"):
        superseded(record)
        submitted(record.essay, author=robot, source="algorithm")
    for count in (1, 5):
        with django_assert_num_queries(6):
            tables = star_tables(sets[:count])
        assert [each.standings[0].star for each in tables] == [FOUND] * count


def test_the_page_shows_places_and_how_many_of_the_essays_are_marked(log_in, essay_set):
    essays = [EssayFactory(essay_set=essay_set) for _ in range(2)]
    names = ("ant", "bee", "owl")
    ant, bee, owl = (PersonFactory(role="participant", username=name) for name in names)
    score(
        *(submitted(each, HIT) for each in essays),
        *(algorithm(each, who, HIT) for each in essays for who in (ant, bee)),
        algorithm(essays[0], owl, HIT),
    )

    page = page_of(log_in(PersonFactory(role="judge")).get("/scores/"))

    assert [[each.text for each in row.children] for row in page.find(".lead tbody tr")] == [
        ["1", "ant", "2 of 2", "80.00", "–"],
        ["1", "bee", "2 of 2", "80.00", "–"],
        ["–", "owl", "1 of 2", "80.00", "–"],
    ]


def test_programs_read_places_and_how_many_of_the_essays_are_marked(log_in, essay_set):
    essays = [EssayFactory(essay_set=essay_set) for _ in range(2)]
    ant, owl = (PersonFactory(role="participant", username=name) for name in ("ant", "owl"))
    score(
        *(submitted(each, HIT) for each in essays),
        *(algorithm(each, ant, HIT) for each in essays),
        algorithm(essays[0], owl, HIT),
    )

    answer = log_in(PersonFactory(role="judge")).get("/api/scores/").json()

    assert answer == [
        {
            "essay_set": essay_set.name,
            "rules": str(essay_set.rules),
            "STER": None,
            "measured": 2,
            "standings": [
                {
                    "place": 1,
                    "participant": "ant",
                    "origin": "free",
                    "essays": 2,
                    "STAR": FOUND,
                    "OTAR": None,
                },
                {
                    "place": None,
                    "participant": "owl",
                    "origin": "free",
                    "essays": 1,
                    "STAR": FOUND,
                    "OTAR": None,
                },
            ],
        }
    ]


def test_strangers_read_no_table(client):
    page, api = client.get("/scores/"), client.get("/api/scores/")

    assert (page.status_code, page["Location"]) == (302, "/login/?next=/scores/")
    assert api.status_code == 401
