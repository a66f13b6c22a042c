from __future__ import annotations

import pytest

from annotator.models import MarkupRecord
from tests.annotator.drafts import draft_of
from tests.factories import PersonFactory

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
