from __future__ import annotations

import pytest

from tests.factories import PersonFactory


@pytest.fixture
def person():
    return PersonFactory(role="participant")


@pytest.fixture
def browser(log_in, person):
    return log_in(person)
