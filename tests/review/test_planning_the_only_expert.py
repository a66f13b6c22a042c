from __future__ import annotations

import pytest

from review.models.plans import Plan
from tests.factories import EssayFactory, PersonFactory
from tests.pages import texts_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("essays", "said"),
    [(1, "1 эксперт получит 1 проверку"), (2, "1 эксперт получит 2 проверки")],
)
def test_what_the_only_expert_gets_is_said_in_the_singular(log_in, essays, said):
    desk = log_in(PersonFactory(role="coordinator"))
    PersonFactory(full_name="Ann")
    EssayFactory.create_batch(essays)

    desk.post("/planning/")

    address = f"/planning/{Plan.objects.get().pk}/"
    page = desk.get(address, headers={"accept-language": "ru"})
    assert texts_of(page, ".points-list li")[0] == said
