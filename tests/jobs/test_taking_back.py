from __future__ import annotations

import pytest

from jobs.models import Job
from jobs.services.work import LeaseLost, claim, fenced, holding, order, take_back

pytestmark = pytest.mark.django_db

KEY = "grade:7"


def ordered():
    return order(kind="tests.noop", key=KEY, args={})


@pytest.mark.parametrize("state", ["queued", "done", "failed"])
def test_a_promise_that_was_taken_back_can_be_made_anew(state):
    first = ordered()
    Job.objects.filter(pk=first.pk).update(state=state)

    take_back(key=KEY)
    again = ordered()

    assert (again.state, again.attempts, again.pk == first.pk) == ("queued", 0, False)


def test_the_result_of_a_worker_that_is_at_it_is_kept_out():
    held = claim(job_id=ordered().pk)

    take_back(key=KEY)
    ordered()

    with holding(held), pytest.raises(LeaseLost), fenced():
        pytest.fail("nothing may be written here")
    assert claim(job_id=held.job_id) is None


def test_what_was_never_promised_is_taken_back_without_a_word():
    take_back(key=KEY)

    assert list(Job.objects.all()) == []
