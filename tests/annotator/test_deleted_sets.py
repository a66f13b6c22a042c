"""An essay set that is deleted: only an empty one, once, and its pages say so afterwards."""

from __future__ import annotations

import pytest

from annotator.models import EssaySet
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory
from tests.pages import page_of, texts_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def coordinator(log_in):
    return log_in(PersonFactory(role="coordinator"))


def test_an_empty_set_is_deleted_and_one_with_essays_is_not(coordinator):
    full, empty = EssayFactory().essay_set, EssaySetFactory()

    coordinator.post(f"/sets/{empty.pk}/delete/")
    refused = coordinator.post(f"/sets/{full.pk}/delete/")

    assert (list(EssaySet.objects.all()), refused.status_code) == ([full], 422)


def test_a_set_that_is_deleted_already_is_said_to_be(coordinator):
    address = f"/sets/{EssaySetFactory(name='Empty').pk}/delete/"

    answers = [coordinator.post(address, follow=True) for _ in range(2)]

    assert [(each.redirect_chain, *texts_of(each, ".messages li")) for each in answers] == [
        ([("/sets/", 302)], "The set “Empty” was deleted."),
        ([("/sets/", 302)], "This set was deleted already."),
    ]


@pytest.mark.parametrize("act", ["", "describe/", "publish/", "state/?state=open"])
def test_the_pages_of_a_set_that_was_deleted_say_so_and_lead_to_the_others(coordinator, act):
    address = f"/sets/{EssaySetFactory().pk}/"
    coordinator.post(f"{address}delete/")

    page = coordinator.get(f"{address}{act}")

    assert (page.status_code, coordinator.get("/sets/999999/").status_code) == (422, 404)
    assert texts_of(page, "[role=alert]") == ["This set was deleted meanwhile."]
    assert page_of(page).find("main a")[0]["href"] == "/sets/"
