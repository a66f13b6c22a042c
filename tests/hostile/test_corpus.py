from __future__ import annotations

import pytest

from tests.hostile.doors import GROUPS
from tests.hostile.storm import storm
from tests.hostile.world import seed

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("group", GROUPS)
def test_every_input_at_every_door_gets_an_answer_of_ours(group):
    assert [str(each) for each in storm(seed(), group) if each.complaints] == []
