from __future__ import annotations

import json

import pytest

from schemes.models import SchemeRun, StoredKey
from tests.factories import PersonFactory
from tests.pages import texts_of
from tests.schemes.inputs import INPUTS, RULE, SECRET, do_all, form_of, scored, stored
from tests.schemes.pages import errors_of

pytestmark = pytest.mark.django_db


def test_a_stored_key_is_chosen_in_place_of_a_file(browser):
    key = stored(PersonFactory(), "use", offered=True, name="Trial")
    form = {**form_of("use"), "key": "", "stored_key": str(key.uuid)}

    offered = texts_of(browser.get("/schemes/use/"), "select[name=stored_key] option")
    browser.post("/schemes/use/", form)
    do_all()

    run = SchemeRun.objects.get()
    page = browser.get(f"/schemes/runs/{run.uuid}/").content.decode()
    files = [
        browser.get(f"/schemes/runs/{run.uuid}/{kind}/").content.decode()
        for kind in ("csv", "json")
    ]
    assert offered[1:] == [f"Trial – {key.owner}"]
    assert (run.state, run.veiled) == ("done", True)
    assert not any(SECRET in text for text in (page, *files))
    assert browser.get(f"/schemes/runs/{run.uuid}/items/1/").status_code == 404
    assert "/items/1/" not in page


def test_a_run_by_somebody_elses_rule_tells_no_word_of_it(browser, person):
    rule = {**RULE, "combos": {SECRET: {**RULE["combos"]["A"], "combo": "M(0,T(0))/F(1)"}}}
    data = json.dumps(rule, ensure_ascii=False).encode()
    run = scored(person, "coscore", stored(PersonFactory(), "coscore", data=data, offered=True))
    address = f"/schemes/runs/{run.uuid}/"

    kept = [browser.get(address + part).content.decode() for part in ("", "csv/", "json/")]
    assert not any(SECRET in text for text in kept)
    assert run.figures["combos"] == ["1"]
    assert run.items.get(number=1).reason["en"] == (
        "line 2, combo 1: There is no blank 1: this answer has 1, counted from 0."
    )


def test_a_key_and_a_file_at_once_are_refused(browser, person):
    key = stored(person, "use")

    response = browser.post("/schemes/use/", form_of("use", stored_key=str(key.uuid)))

    (error,) = errors_of(response).values()
    assert error == "Choose a stored key or give one of your own, not both."


def test_of_somebody_elses_key_no_fault_is_told(browser):
    key = stored(PersonFactory(), "use", offered=True)
    form = {**form_of("use"), "key": "", "stored_key": str(key.uuid), "split": "train"}

    response = browser.post("/schemes/use/", form)

    assert set(errors_of(response).values()) == {"This key cannot be used with these options."}


def test_a_key_that_is_not_offered_cannot_be_chosen_by_others(browser):
    key = stored(PersonFactory(), "use")
    form = {**form_of("use"), "key": "", "stored_key": str(key.uuid)}

    response = browser.post("/schemes/use/", form)

    assert (response.status_code, SchemeRun.objects.count()) == (422, 0)


def test_a_key_is_stored_offered_read_and_deleted(browser, person):
    rule = INPUTS["coscore"]()["rule"]
    browser.post("/schemes/coscore/keys/", {"name": "Rule 1", "content": rule})
    key = StoredKey.objects.get()
    read = browser.get(f"/schemes/keys/{key.uuid}/")
    browser.post(f"/schemes/keys/{key.uuid}/offer/", {"offered": "on"})
    key.refresh_from_db()
    listed = texts_of(browser.get("/schemes/coscore/"), ".keys a")
    browser.post(f"/schemes/keys/{key.uuid}/drop/")

    assert (key.owner, key.offered, listed) == (person, True, ["Rule 1"])
    assert read.content.decode() == rule
    assert read["Content-Type"] == "application/octet-stream"
    assert StoredKey.objects.count() == 0


def test_a_key_that_cannot_be_used_is_refused_at_its_field(browser):
    response = browser.post("/schemes/coscore/keys/", {"name": "Rule", "content": "{}"})

    assert response.status_code == 422
    assert "The key “atoms” is missing." in " ".join(errors_of(response).values())
    assert StoredKey.objects.count() == 0


@pytest.mark.parametrize("role", ["expert", "participant", "judge", "commission"])
def test_strangers_find_no_run(log_in, person, role):
    run = scored(person, "use")
    stranger = log_in(PersonFactory(role=role))
    path = f"/schemes/runs/{run.uuid}/"

    found = [stranger.get(path + part).status_code for part in ("", "csv/", "json/")]
    found.append(stranger.post(f"{path}drop/").status_code)

    assert found == [404, 404, 404, 404]
    assert SchemeRun.objects.count() == 1


def test_coordinators_see_a_run_and_read_a_key(log_in, person):
    run, key = scored(person, "use"), stored(person, "use")
    coordinator = log_in(PersonFactory(role="coordinator"))

    found = [
        coordinator.get(path).status_code
        for path in (f"/schemes/runs/{run.uuid}/", f"/schemes/keys/{key.uuid}/")
    ]

    assert found == [200, 200]


@pytest.mark.parametrize("role", ["expert", "participant", "judge", "commission"])
def test_an_offered_key_is_read_by_nobody_else(log_in, role):
    key = stored(PersonFactory(), "use", offered=True)
    stranger = log_in(PersonFactory(role=role))

    found = [stranger.get(f"/schemes/keys/{key.uuid}/").status_code]
    found += [
        stranger.post(f"/schemes/keys/{key.uuid}/{deed}/").status_code for deed in ("offer", "drop")
    ]

    assert found == [404, 404, 404]
    assert texts_of(stranger.get("/schemes/use/"), ".keys a") == []
