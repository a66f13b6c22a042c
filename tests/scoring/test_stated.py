from __future__ import annotations

import pytest

from annotator.models import MarkupRecord
from tests.annotator.drafts import draft_of
from tests.factories import PersonFactory, marking_form
from tests.pages import page_of, texts_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def state(log_in):
    def send(record, user=None, **points):
        client = log_in(user or record.author)
        return client.post(f"/markups/{record.pk}/points/", {"version": record.version, **points})

    return send


@pytest.mark.parametrize(
    ("points", "stated"),
    [
        ({"K4": 1}, {"K3": 2, "K4": 1, "K5": 2}),
        ({"K3": ""}, {"K5": 2}),
        ({"K3": 0, "K5": 1}, {"K3": 0, "K5": 1}),
        ({}, {"K3": 2, "K5": 2}),
    ],
)
def test_a_change_of_stated_points_keeps_those_it_does_not_name(state, points, stated):
    record = draft_of()
    MarkupRecord.objects.update(stated={"K3": 2, "K5": 2})

    assert state(record, **points).status_code == 200
    assert MarkupRecord.objects.get().stated == stated


def test_a_page_that_shows_less_than_there_is_gets_the_marks_of_another_one_with_its_points(log_in):
    record = draft_of("Some people")
    client, base = log_in(record.author), f"/markups/{record.pk}/"
    mark = marking_form(record, start=0, end=4, code="А.орф", version=0, page="there:1")
    assert client.post(f"{base}fragments/", mark).status_code == 200

    late, next_one = (
        client.post(f"{base}points/", {"version": version, "shown": version, "K3": points})
        for version, points in ((0, 1), (2, 2))
    )

    assert texts_of(late, "#marks q") == ["Some"]
    assert [len(page_of(each).find("#saved[data-version]")) for each in (late, next_one)] == [1, 1]
    assert page_of(next_one).find("#marks") == []


def test_points_beyond_the_maximum_change_nothing(state):
    record = draft_of()

    assert state(record, K3=4).status_code == 422
    assert MarkupRecord.objects.get().stated == {}


@pytest.mark.parametrize(
    ("role", "status"), [("expert", 404), ("judge", 403), ("participant", 403)]
)
def test_a_stranger_states_nothing(state, role, status):
    record = draft_of()

    assert state(record, user=PersonFactory(role=role), K3=1).status_code == status
    assert MarkupRecord.objects.get().stated == {}
