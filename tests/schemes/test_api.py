from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from jobs.models import Job
from schemes.adapters import SCHEMES
from schemes.models import SchemeItem, SchemeRun, StoredKey
from tests.factories import PersonFactory
from tests.schemes.inputs import (
    INPUTS,
    SECRET,
    do_all,
    form_of,
    ordered,
    scored,
    stored,
)

pytestmark = pytest.mark.django_db
EVERY = sorted(INPUTS)


@pytest.fixture
def person():
    return PersonFactory(role="participant")


def api_of(person):
    client = APIClient()
    client.force_authenticate(person)
    return client


@pytest.fixture
def api(person):
    return api_of(person)


def order(api, slug="use", **more):
    body = {"inputs": INPUTS[slug](), **more}
    return api.post(f"/api/schemes/{slug}/runs/", body, format="json")


def test_the_schemes_tell_their_inputs_and_options(api):
    found = {each["slug"]: each for each in api.get("/api/schemes/").json()}

    assert list(found) == list(SCHEMES)
    assert [each["name"] for each in found["use"]["sources"]] == ["key", "predictions"]
    assert [each["is_key"] for each in found["use"]["sources"]] == [True, False]
    assert [each["name"] for each in found["use"]["options"]] == ["split", "lenient", "yo"]


@pytest.mark.parametrize("slug", EVERY)
def test_a_run_is_ordered_watched_and_read(api, slug):
    options = {name: value for name, value in form_of(slug).items() if name not in INPUTS[slug]()}
    ordered_ = order(api, slug, options=options).json()
    do_all()
    report = api.get(f"/api/schemes/runs/{ordered_['id']}/").json()
    items = api.get(f"/api/schemes/runs/{ordered_['id']}/items/").json()

    assert (ordered_["state"], report["state"]) == ("queued", "done")
    assert items["count"] == report["total"] == len(items["results"])
    assert set(items["results"][0]) == {
        *("number", "name", "group", "verdict", "points", "max", "reason", "cells"),
    }


def test_an_option_that_is_left_out_has_the_value_of_the_page(api):
    order(api, "coscore")

    assert SchemeRun.objects.get().options == {"separator": "-"}


def test_the_items_are_filtered_as_on_the_page(api, person):
    run = scored(person, "use")

    items = api.get(f"/api/schemes/runs/{run.uuid}/items/?verdict=partly").json()

    assert [(each["points"], each["reason"]) for each in items["results"]] == [
        (1, "missing 5"),
        (2, "wrong positions: 3, 4 (of 4)"),
    ]


def test_a_run_that_was_given_up_says_so_and_shows_no_items(api, person):
    run = ordered(person, "use")
    Job.objects.filter(pk=run.job_id).update(state="failed")
    SchemeItem.objects.create(run=run, number=1, name="0", verdict="right")

    report = api.get(f"/api/schemes/runs/{run.uuid}/").json()
    items = api.get(f"/api/schemes/runs/{run.uuid}/items/").json()

    assert (report["state"], report["problems"]) == (
        "failed",
        ["The run was given up after three tries. Try smaller inputs, or tell an administrator."],
    )
    assert (items["count"], items["results"]) == (0, [])


def test_files_may_be_sent_as_a_form(api):
    files = {
        f"{name}_file": SimpleUploadedFile(f"{name}.json", text.encode())
        for name, text in INPUTS["use"]().items()
    }

    response = api.post("/api/schemes/use/runs/", {**files, "yo": "true"}, format="multipart")

    run = SchemeRun.objects.get()
    assert response.status_code == 201
    assert (run.options["yo"], run.inputs.get(source="key").name) == (True, "key.json")


def test_sent_twice_by_one_name_it_is_one_run(api):
    first, again = [
        api.post(
            "/api/schemes/use/runs/",
            {"inputs": INPUTS["use"]()},
            format="json",
            headers={"idempotency-key": "mine"},
        )
        for _time in range(2)
    ]

    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json()["id"] == again.json()["id"]


def test_the_list_has_ones_own_runs_of_the_scheme(api, person):
    mine = ordered(person, "use")
    ordered(person, "coscore")
    ordered(PersonFactory(), "use")

    found = api.get("/api/schemes/use/runs/").json()

    assert [each["id"] for each in found["results"]] == [str(mine.uuid)]


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"inputs": {"key": "{", "predictions": "[]"}}, "key"),
        ({"inputs": {}}, "key"),
        ({"inputs": {"key": 1, "nobody": "x"}}, "inputs"),
        ({"options": {"nobody": 1}}, "options"),
        ({"inputs": []}, "inputs"),
        ({"stored_key": "nobody"}, "stored_key"),
        ({"stored_key": "5f1d7a84-db00-4ec2-9c8e-7f3a4e0f6b11"}, "stored_key"),
        ({"name": "a\u202e"}, "name"),
    ],
)
def test_what_cannot_be_used_is_told_by_its_field(api, more, field):
    response = order(api, **more)

    body = response.json()
    assert (response.status_code, body["code"]) == (400, "invalid")
    assert field in body["fields"]
    assert SchemeRun.objects.count() == 0


def test_a_form_that_breaks_off_is_refused(api):
    response = api.post(
        "/api/schemes/use/runs/", b"--x\r\n", content_type="multipart/form-data; boundary="
    )

    assert (response.status_code, response.json()["code"]) == (400, "unsound-form")


def test_a_run_is_deleted(api, person):
    run = scored(person, "use")

    response = api.delete(f"/api/schemes/runs/{run.uuid}/")

    assert (response.status_code, SchemeRun.objects.count()) == (204, 0)


def test_a_key_is_stored_offered_used_and_deleted(api):
    text = INPUTS["use"]()["key"]
    body = {"scheme": "use", "name": "Trial", "content": text}
    key = api.post("/api/schemes/keys/", body, format="json").json()
    path = f"/api/schemes/keys/{key['id']}/"
    offered = api.patch(path, {"offered": True}, format="json").json()
    stranger = api_of(PersonFactory())
    listed = stranger.get("/api/schemes/keys/").json()["results"]
    inputs = {"predictions": INPUTS["use"]()["predictions"]}
    run = order(stranger, inputs=inputs, stored_key=key["id"]).json()
    do_all()
    items = stranger.get(f"/api/schemes/runs/{run['id']}/items/").content.decode()
    refused = [stranger.delete(path), stranger.patch(path, {"offered": False}, format="json")]

    assert (key["offered"], offered["offered"]) == (False, True)
    assert [each["id"] for each in listed] == [key["id"]]
    assert (run["stored_key"], SECRET in items) == (key["id"], False)
    assert [response.status_code for response in refused] == [404, 404]
    assert api.delete(path).status_code == 204
    assert StoredKey.objects.count() == 0


@pytest.mark.parametrize(
    ("more", "field"),
    [({"scheme": "nobody"}, "scheme"), ({"content": "{"}, "content"), ({"name": ""}, "name")],
)
def test_a_key_that_cannot_be_used_is_not_stored(api, more, field):
    body = {"scheme": "use", "name": "Trial", "content": INPUTS["use"]()["key"], **more}

    response = api.post("/api/schemes/keys/", body, format="json")

    assert response.status_code == 400
    assert field in response.json()["fields"]
    assert StoredKey.objects.count() == 0


def test_strangers_find_no_run_and_no_key(person):
    run, key = scored(person, "use"), stored(person, "use")
    stranger = api_of(PersonFactory())

    found = [
        stranger.get(f"/api/schemes/runs/{run.uuid}/").status_code,
        stranger.get(f"/api/schemes/runs/{run.uuid}/items/").status_code,
        stranger.delete(f"/api/schemes/runs/{run.uuid}/").status_code,
        stranger.delete(f"/api/schemes/keys/{key.uuid}/").status_code,
    ]

    assert found == [404, 404, 404, 404]
    assert stranger.get("/api/schemes/keys/").json()["results"] == []


def test_the_description_of_the_api_names_the_schemes(api):
    paths = api.get("/api/schema/?format=json").json()["paths"]

    assert {path for path in paths if "scheme" in path and path != "/api/schema/"} == {
        "/api/schemes/",
        "/api/schemes/keys/",
        "/api/schemes/keys/{uuid}/",
        "/api/schemes/runs/{uuid}/",
        "/api/schemes/runs/{uuid}/items/",
        "/api/schemes/{slug}/runs/",
    }


def test_an_option_tells_its_type_its_values_and_its_default(api):
    schemes = {each["slug"]: each for each in api.get("/api/schemes/").json()}

    told = {
        (slug, each["name"]): (each["type"], each["values"], each["default"])
        for slug, scheme in schemes.items()
        for each in scheme["options"]
    }
    codes = ["", "UTF-8", "ISO-2022-JP", "EUC-JP", "Shift_JIS"]
    assert told == {
        ("use", "split"): ("string", None, ""),
        ("use", "lenient"): ("boolean", None, False),
        ("use", "yo"): ("boolean", None, False),
        ("coscore", "separator"): ("string", None, "-"),
        ("qac", "task"): ("string", ["1", "2", "3"], "1"),
        ("qac", "match"): ("string", ["article", "string"], "article"),
        ("qac", "nfkc"): ("boolean", None, False),
        ("qac", "encoding"): ("string", codes, ""),
    }
    assert all(each["help"] for each in schemes["qac"]["options"])


def test_a_file_that_is_given_twice_is_refused_by_its_field(api):
    files = {
        f"{name}_file": [SimpleUploadedFile("a.json", text.encode())] * (1 + (name == "key"))
        for name, text in INPUTS["use"]().items()
    }

    response = api.post("/api/schemes/use/runs/", files, format="multipart")

    assert (response.status_code, response.json()["fields"]) == (
        400,
        {"key_file": ["This is given twice. Send it once."]},
    )
    assert SchemeRun.objects.count() == 0


@pytest.mark.parametrize("value", [5, None, True, ["test"]])
def test_a_text_option_takes_a_text_only(api, value):
    response = order(api, options={"split": value})

    assert (response.status_code, response.json()["fields"]) == (
        400,
        {"split": ["Give a text in quotes."]},
    )


@pytest.mark.parametrize(
    ("slug", "source", "answer"),
    [
        ("use", "predictions", {"predictions": ["The file is empty. Choose another one."]}),
        ("space2022", "predictions", None),
        ("qac", "responses", None),
    ],
)
def test_empty_predictions_are_the_same_as_a_file_and_as_a_text(api, slug, source, answer):
    inputs = {**INPUTS[slug](), source: ""}
    files = {
        f"{name}_file": SimpleUploadedFile("a.txt", text.encode()) for name, text in inputs.items()
    }

    as_text = order(api, slug, inputs=inputs)
    as_file = api.post(f"/api/schemes/{slug}/runs/", files, format="multipart")

    assert as_text.status_code == as_file.status_code == (400 if answer else 201)
    assert as_text.json().get("fields") == as_file.json().get("fields") == answer


@pytest.mark.parametrize("source", ["answers", "predictions"])
def test_a_table_where_json_lines_belong_is_answered_with_the_form_that_is_read(api, source):
    inputs = {**INPUTS["space2022"](), source: "qid,reasons\n1,C\n"}

    response = order(api, "space2022", inputs=inputs)

    told = (
        "No line of the file is a JSON object. JSON Lines are read here, no table and no CSV: "
        'write a record a line, as {"qid": "1", "reasons": []}, or one list of them.'
    )
    assert (response.status_code, response.json()["fields"]) == (400, {source: [told]})


def test_an_input_that_is_left_out_is_asked_for_in_words_for_programs(api):
    inputs = INPUTS["use"]()
    del inputs["predictions"]

    response = order(api, inputs=inputs)

    told = "This input is missing. Send it."
    assert response.json()["fields"] == {"predictions": [told]}
