from __future__ import annotations

import pytest

from accounts.models import User
from annotator.core.values import MarkedFile, Markup, Meta
from annotator.models import EssaySet
from annotator.services.markup import send_markup
from jobs.models import Job
from jobs.services.work import begin, take_next
from tests.factories import EssayFactory, PersonFactory

pytestmark = pytest.mark.django_db


def send(essay, author):
    file = MarkedFile(Meta(), Markup(essay.text))
    record, _new = send_markup(essay=essay, author=author, file=file, client_key=None)
    return record


@pytest.fixture
def robot():
    return PersonFactory(role=User.Role.PARTICIPANT)


def test_however_often_an_algorithm_sends_an_essay_anew_two_jobs_wait(robot):
    essay = EssayFactory(essay_set__access=EssaySet.Access.OPEN)
    for _ in range(20):
        last = send(essay, robot)

    assert list(Job.objects.values_list("key", "priority")) == [
        (f"grade:{last.pk}", Job.Priority.RUNS),
        (f"score:{last.pk}", Job.Priority.RUNS),
    ]


def test_what_was_begun_for_the_former_markup_is_brought_to_its_end(robot):
    essay = EssayFactory()
    first = send(essay, robot)
    begin(take_next()[0])

    send(essay, robot)

    states = Job.objects.values_list("key", "state")
    assert (f"grade:{first.pk}", "running") in states
    assert states.filter(key=f"score:{first.pk}").count() == 0


def test_another_participants_markup_voids_nothing(robot):
    essay = EssayFactory()
    send(essay, robot)
    send(essay, PersonFactory(role=User.Role.PARTICIPANT))

    assert Job.objects.count() == 4
