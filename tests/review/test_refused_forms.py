"""A form of a coordinator's page that is refused: answered 422 and shown again, its fault first."""

from __future__ import annotations

import pytest

from annotator.models import EssaySet
from tests.factories import EssayFactory, PersonFactory
from tests.pages import page_of

pytestmark = pytest.mark.django_db

SENT = {
    "/sets/new/": ({"name": "", "access": "closed", "seen": 0}, "name"),
    "/sets/{set}/describe/": ({"name": "", "access": "closed", "seen": 0}, "name"),
    "/sets/{set}/publish/": ({"at": "soon", "seen": 0}, "at"),
    "/sets/{set}/rules/": ({"newest": 1, "seen": 0, "name": "R"}, None),
    "/essays/{essay}/correct/": ({"number": "1", "year": 99999, "seen": 0}, "year"),
    "/essays/{essay}/replace/": ({"text": "Other words.", "reason": ""}, "reason"),
    "/deadlines/sets/{set}/": ({"zone": "Europe/Nowhere", "due_by": "rules"}, "zone"),
    "/deadlines/calendar/": ({"day": "0001-01-01"}, "day"),
    "/import/": ({"essay_set": ""}, "essay_set"),
    "/people/new/": ({"username": "", "role": "expert"}, "username"),
    "/account/": ({"name": "", "days": 30}, "name"),
}


@pytest.mark.parametrize("htmx", [{}, {"hx-request": "true"}], ids=["page", "htmx"])
@pytest.mark.parametrize("address", SENT)
def test_a_form_that_is_refused_is_shown_again_with_its_first_fault_in_focus(log_in, address, htmx):
    essay = EssayFactory()
    sent, name = SENT[address]
    desk = log_in(PersonFactory(role="coordinator"))

    page = desk.post(address.format(set=essay.essay_set_id, essay=essay.pk), sent, headers=htmx)

    assert page.status_code == 422
    focused = [each.attributes.get("name") for each in page_of(page).find("[autofocus]")]
    assert focused == [name] or name is None
    assert EssaySet.objects.count() == 1


@pytest.mark.parametrize("address", SENT)
def test_a_form_that_is_sent_without_a_field_is_refused_too(log_in, address):
    essay = EssayFactory()
    desk = log_in(PersonFactory(role="coordinator"))

    page = desk.post(address.format(set=essay.essay_set_id, essay=essay.pk))

    assert page.status_code == 422
    assert EssaySet.objects.count() == 1
