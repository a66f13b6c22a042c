from __future__ import annotations

import pytest

from tests.hostile.dealing import MORE_HANDS, Dealer
from tests.hostile.doors import GROUPS
from tests.hostile.storm import storm
from tests.hostile.world import seed

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("group", GROUPS)
def test_every_door_gives_an_answer_of_ours(group):
    world = seed(Dealer(MORE_HANDS, list(GROUPS).index(group)))

    assert [str(each)[:500] for each in storm(world, group) if each.complaints][:20] == []
