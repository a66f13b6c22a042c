from __future__ import annotations

import pytest

from tests.factories import (
    AssignmentFactory,
    DraftFactory,
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
    submitted,
)
from tests.scoring.test_star_table import superseded
from tests.strategies import fragment

pytestmark = pytest.mark.django_db


@pytest.fixture
def robot():
    return PersonFactory(role="participant", username="lynx")


@pytest.fixture
def essay():
    return EssayFactory(essay_set=EssaySetFactory(access="open", names_experts=True))


def line(record, **figures):
    return {
        "markup": record.pk,
        "author": record.author.username,
        "source": record.source,
        "state": record.state,
        **figures,
    }


CLEAN = {"points": {"K1": 0, "K2": 1, "K3": 3, "K4": 3, "K5": 2}, "total": 9, "K": 6}


def test_the_points_of_every_markup_one_may_see_are_computed(log_in, essay, robot):
    expert = submitted(essay)
    former = submitted(essay, author=robot, source="algorithm")
    superseded(former)
    present = submitted(
        essay,
        *(fragment(at, at + 1, "А.лекс") for at in range(5)),
        author=robot,
        source="algorithm",
    )
    submitted(essay, source="algorithm")
    DraftFactory(assignment=AssignmentFactory(essay=essay))
    former.refresh_from_db()
    client = log_in(robot)

    answer = client.get(f"/api/essays/{essay.pk}/points/").json()

    marked = {**CLEAN, "points": {**CLEAN["points"], "K3": 0}, "total": 6, "K": 3}
    assert answer == [line(expert, **CLEAN), line(former, **CLEAN), line(present, **marked)]
    assert client.get(f"/api/markups/{present.pk}/points/").json() == answer[2]


def test_only_english_has_the_sum_of_two(log_in):
    essay = EssayFactory(subject="hist", essay_set=EssaySetFactory(access="open"))
    record = submitted(essay)

    answer = log_in(PersonFactory(role="judge")).get(f"/api/markups/{record.pk}/points/").json()

    assert (answer["K"], answer["total"]) == (None, sum(answer["points"].values()))


def test_a_draft_has_points_for_its_author_only(log_in):
    draft = DraftFactory()
    path = f"/api/markups/{draft.pk}/points/"

    assert log_in(draft.author).get(path).json() == line(draft, **CLEAN)
    assert log_in(PersonFactory(role="judge")).get(path).status_code == 404


def test_strangers_get_no_points(client, log_in, robot):
    record = submitted(EssayFactory())  # of a closed set

    for path in (f"/api/markups/{record.pk}/points/", f"/api/essays/{record.essay_id}/points/"):
        assert client.get(path).status_code == 401
        assert log_in(robot).get(path).status_code == 404


def test_five_markups_take_the_same_queries_as_one(log_in, robot, essay, django_assert_num_queries):
    client = log_in(robot)
    for count in (1, 4):
        for _ in range(count):
            submitted(essay, fragment(0, 4))
        client.get(f"/api/essays/{essay.pk}/points/")
        with django_assert_num_queries(6):
            client.get(f"/api/essays/{essay.pk}/points/")
