"""Files that are sent twice, as by a second press, wait once."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models.functions import Now

from annotator.models.imports import EssayImport
from tests.annotator.files import PLAIN, upload
from tests.factories import EssaySetFactory, PersonFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def essay_set():
    return EssaySetFactory()


@pytest.fixture
def coordinator():
    return PersonFactory(role="coordinator")


@pytest.fixture
def sent(log_in, coordinator, essay_set):
    """Where the press of a button leads to."""

    def press(name="1.txt", text=PLAIN, user=coordinator, to=essay_set, **more):
        fields = {"essay_set": to.pk, "subject": "eng", "files": [upload(name, text)], **more}
        return log_in(user).post("/import/", fields)["Location"]

    return press


def test_the_second_press_finds_the_preview_of_the_first(sent):
    first, second = sent(), sent()

    assert first == second
    assert EssayImport.objects.count() == 1


def test_another_file_name_set_choice_or_person_makes_another_preview(sent):
    others = [
        sent(text=f"{PLAIN} More."),
        sent(name="2.txt"),
        sent(from_markups="on"),
        sent(to=EssaySetFactory()),
        sent(user=PersonFactory(role="organiser")),
    ]

    assert len({sent(), *others}) == 6


@pytest.mark.parametrize(
    "change", [{"state": "dropped"}, {"state": "done"}, {"made_at": Now() - timedelta(hours=25)}]
)
def test_what_is_decided_or_expired_is_looked_at_anew(sent, change):
    first = sent()
    EssayImport.objects.update(**change)

    assert sent() != first


def test_what_would_become_another_thing_by_now_is_looked_at_anew(sent, log_in, coordinator):
    client, carried_out = log_in(coordinator), sent()
    client.post(f"{carried_out}confirm/")
    stale = sent()
    client.post(f"{carried_out}undo/")

    found = sent()

    assert len({carried_out, stale, found}) == 3
    assert [*EssayImport.objects.order_by("pk").values_list("state", "known", "essays")] == [
        ("undone", 0, 1),
        ("dropped", 1, 0),
        ("preview", 0, 1),
    ]
