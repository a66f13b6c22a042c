"""On the last day of a phase nobody is promised uploads of the next one."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from contest.services.uploads.quotas import today_in
from tests.contest.data_world import taking_uploads
from tests.contest.test_uploads import GOOD, OTHER, POOR, refusal_of, sent_by, team_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def contest():
    return taking_uploads()


def test_over_the_quota_of_the_last_day_no_more_are_promised(contest):
    lynx = team_of(contest)
    zone = ZoneInfo(contest.zone)
    midnight = datetime.combine(today_in(contest) + timedelta(days=1), time(), zone)
    contest.phases.update(ends_at=midnight)

    for data in (GOOD, POOR):
        sent_by(lynx, data)

    assert refusal_of(lynx, data=OTHER) == (
        "Clause 2.17 of the regulation: your team has used its 2 uploads of today, and the phase "
        "ends before the next day begins."
    )
