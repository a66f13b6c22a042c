from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models import F

from accounts.models import KnownPlace, RateBucket
from tests import services
from tests.factories import PersonFactory


class Clock:
    """The database's clock is what counts: instead of moving it, all that was counted is aged."""

    def move(self, seconds):
        passed = timedelta(seconds=seconds)
        for bucket in RateBucket.objects.all():
            bucket.moments = [moment - seconds for moment in bucket.moments]
            bucket.at -= passed
            bucket.save()
        KnownPlace.objects.update(seen_at=F("seen_at") - passed)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def coordinator(db):  # noqa: ARG001 - the row needs the database
    return PersonFactory(username="coordinator", role="coordinator")


@pytest.fixture
def administrator(db):  # noqa: ARG001
    return PersonFactory(username="administrator", role="administrator")


@pytest.fixture
def free_port():
    """A port of this machine where nobody listens."""
    return services.free_port()
