from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.db.models.functions import Now

from jobs.models import Job, Worker
from jobs.services.work import order
from jobs.templatetags.line import place
from schemes.models import SchemeRun
from tests.factories import EssayFactory, PersonFactory, submitted
from tests.pages import texts_of
from tests.schemes.inputs import form_of

pytestmark = pytest.mark.django_db

SILENT = "The worker does not answer; your work is kept."


@pytest.fixture
def worker():
    return Worker.objects.create(name="one")


@pytest.fixture
def person():
    return PersonFactory(role="participant")


@pytest.fixture
def run(person, log_in):
    """A run behind two submissions."""
    for number in range(2):
        order(kind="tests.noop", key=f"grade:{number}", args={})
    log_in(person).post("/schemes/coscore/", form_of("coscore"))
    return f"/schemes/runs/{SchemeRun.objects.get().uuid}/"


@pytest.mark.usefixtures("worker")
def test_a_page_that_waits_for_a_job_shows_its_place(run, person, log_in):
    assert "Place 3 in line." in log_in(person).get(run).text


@pytest.mark.usefixtures("worker")
def test_a_page_that_waits_says_when_no_worker_answers_and_that_nothing_is_lost(
    run, person, log_in
):
    Worker.objects.update(beat_at=Now() - timedelta(seconds=16))

    assert texts_of(log_in(person).get(run), ".notice") == [SILENT]


@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize("path", ["/desk/", "/scores/"])
def test_figures_that_are_still_to_come_are_told_of(path, log_in):
    coordinator = log_in(PersonFactory(role="coordinator"))
    before = coordinator.get(path).text
    order(kind="tests.noop", key="grade:1", args={})
    during = coordinator.get(path).text
    Worker.objects.all().delete()
    without = coordinator.get(path).text

    said = "1 job waits: its figures come in a moment."
    assert [(said in page, SILENT in page) for page in (before, during, without)] == [
        (False, False),
        (True, False),
        (False, True),
    ]


def test_a_stranger_learns_nothing_of_the_line(run, client):
    assert client.get(run).status_code == 302


def test_what_is_running_or_done_has_no_place():
    Job.objects.create(key="done", kind="tests.noop", state="done")

    assert place(Job.objects.get()) == {"place": 0, "is_silent": False}
    assert place(None) == {"place": 0, "is_silent": False}


@pytest.mark.usefixtures("worker")
def test_the_page_of_an_essay_shows_its_own_place_not_the_whole_line(log_in):
    coordinator = log_in(PersonFactory(role="coordinator"))
    first, second, third = (submitted(EssayFactory()) for _ in range(3))
    for record in (first, second):
        order(kind="tests.noop", key=f"grade:{record.pk}", args={})
    order(kind="tests.noop", key=f"essay:{third.essay_id}:{third.pk}", args={})
    done = EssayFactory()

    pages = [
        coordinator.get(f"/desk/essays/{essay.pk}/").text
        for essay in (first.essay, second.essay, third.essay, done)
    ]

    assert [re.findall(r"Place \d in line|jobs? waits?", page) for page in pages] == [
        ["Place 1 in line"],
        ["Place 2 in line"],
        ["Place 3 in line"],
        [],
    ]
