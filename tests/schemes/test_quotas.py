"""What a person may have at a time: asked by the page and by the API, not by the services."""

from __future__ import annotations

import pytest
from django.test import Client
from rest_framework.test import APIClient

from jobs.models import Job
from schemes.models import SchemeRun, StoredKey
from schemes.services import quotas
from schemes.services.runs import drop_run, order_run
from tests.factories import PersonFactory
from tests.schemes.inputs import INPUTS, asked_of, do_all, form_of, ordered, scored
from web.client_keys import ClientKey

pytestmark = pytest.mark.django_db


@pytest.fixture
def person():
    return PersonFactory(role="participant")


def by_page(person):
    browser = Client()
    browser.force_login(person)
    return browser.post("/schemes/use/", form_of("use"))


def by_program(person, **headers):
    api = APIClient()
    api.force_authenticate(person)
    body = {"inputs": INPUTS["use"]()}
    return api.post("/api/schemes/use/runs/", body, format="json", headers=headers)


def key_by_page(person):
    browser = Client()
    browser.force_login(person)
    form = {"name": "key", "content": INPUTS["use"]()["key"]}
    return browser.post("/schemes/use/keys/", form)


def key_by_program(person):
    api = APIClient()
    api.force_authenticate(person)
    body = {"scheme": "use", "name": "key", "content": INPUTS["use"]()["key"]}
    return api.post("/api/schemes/keys/", body, format="json")


RUN_DOORS = pytest.mark.parametrize(
    ("door", "welcome", "refused"), [(by_page, 302, 422), (by_program, 201, 429)]
)
ALL_DOORS = pytest.mark.parametrize(
    ("door", "welcome"),
    [(by_page, 302), (by_program, 201), (key_by_page, 302), (key_by_program, 201)],
)


@RUN_DOORS
def test_too_many_unfinished_runs_are_refused(person, monkeypatch, door, welcome, refused):
    monkeypatch.setattr(quotas, "WAITING", 2)
    before = [door(person).status_code for _time in range(3)]
    do_all()

    after = door(person).status_code

    assert (before, after) == ([welcome, welcome, refused], welcome)
    assert SchemeRun.objects.count() == 3


@pytest.mark.parametrize(("door", "refused"), [(by_page, 422), (by_program, 429)])
def test_one_run_too_many_is_refused_before_its_inputs_are_read(person, monkeypatch, door, refused):
    monkeypatch.setattr(quotas, "WAITING", 1)
    monkeypatch.setitem(INPUTS, "use", lambda: {"key": "no key", "predictions": "nothing"})
    order_run(owner=person, asked=asked_of("coscore"))

    answer = door(person)

    told = "You have 1 runs that are not finished." in answer.content.decode()
    assert (answer.status_code, told) == (refused, True)


@pytest.mark.parametrize(("door", "welcome"), [(by_page, 302), (by_program, 201)])
def test_a_lost_run_does_not_count_as_unfinished(person, monkeypatch, door, welcome):
    monkeypatch.setattr(quotas, "WAITING", 1)
    run = ordered(person, "use")
    Job.objects.filter(pk=run.job_id).update(state="failed")

    answer = door(person)

    run = SchemeRun.objects.get(pk=run.pk)
    assert (run.is_lost, run.is_finished, answer.status_code) == (True, True, welcome)


@RUN_DOORS
def test_too_many_runs_an_hour_are_refused(person, monkeypatch, door, welcome, refused):
    monkeypatch.setattr(quotas, "RUNS", quotas.Limit(tries=1, seconds=3600))

    codes = [door(person).status_code for _time in range(2)]

    assert codes == [welcome, refused]


@ALL_DOORS
def test_bytes_over_the_room_of_a_person_are_refused(person, monkeypatch, door, welcome):
    size = sum(len(each.data) for each in asked_of("use").inputs.values())
    monkeypatch.setattr(quotas, "ROOM", size)
    run = scored(person, "use")

    answer = door(person)
    drop_run(run=run)

    assert (answer.status_code, "all the room" in answer.content.decode()) == (422, True)
    assert (SchemeRun.objects.count(), StoredKey.objects.count()) == (0, 0)
    assert door(person).status_code == welcome


def test_a_program_learns_when_to_try_again(person, monkeypatch):
    monkeypatch.setattr(quotas, "WAITING", 1)
    by_program(person)

    response = by_program(person)

    assert (response.status_code, response["Retry-After"]) == (429, "30")


def test_what_is_sent_twice_by_one_key_is_asked_about_once(person, monkeypatch):
    monkeypatch.setattr(quotas, "WAITING", 1)
    monkeypatch.setattr(quotas, "RUNS", quotas.Limit(tries=1, seconds=3600))

    first = by_program(person, idempotency_key="mine")
    again = by_program(person, idempotency_key="mine")

    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json()["id"] == again.json()["id"]


def test_a_run_ordered_meanwhile_by_the_same_key_is_none_more(person, monkeypatch):
    monkeypatch.setattr(quotas, "WAITING", 1)
    key, other = ClientKey("mine", "0"), ClientKey("another", "0")
    order_run(owner=person, asked=asked_of("use"), client_key=key)

    quotas.refuse_too_many(owner=person, asked=asked_of("use"), client_key=key)

    with pytest.raises(quotas.TooOften):
        quotas.refuse_too_many(owner=person, asked=asked_of("use"), client_key=other)


def test_a_service_that_orders_runs_by_itself_has_no_quota(person, monkeypatch):
    monkeypatch.setattr(quotas, "WAITING", 1)
    monkeypatch.setattr(quotas, "ROOM", 1)
    monkeypatch.setattr(quotas, "RUNS", quotas.Limit(tries=1, seconds=3600))

    states = [ordered(person, "use").state for _time in range(3)]

    assert states == ["queued"] * 3
