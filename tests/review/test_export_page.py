from __future__ import annotations

import re
from urllib.parse import unquote

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotator.models import EssaySet
from annotator.services.versions import replace_essay
from review.models import Export
from review.services.exporting import path_of
from review.tasks import make_export as make_export_task
from tests.factories import (
    PersonFactory,
)
from tests.pages import page_of
from tests.review.exporting import made, rows_of, status_of
from web.refusals import Refused

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("exports_folder")]

Kind, Form = Export.Kind, Export.Form


def test_the_page_orders_shows_and_hands_out(coordinator, essay_set, log_in):
    client = log_in(coordinator)
    asked = {"kind": "results", "form": "xlsx", "essay_set": essay_set.pk}
    ordered = client.post("/exports/", asked)
    waiting = client.get(ordered["Location"])
    export = Export.objects.get()
    early = client.get(f"/exports/{export.uuid}/file/")
    make_export_task(export.job_id)
    ready = client.get(ordered["Location"], headers={"HX-Request": "true"})
    file = client.get(f"/exports/{export.uuid}/file/")

    assert ordered["Location"] == f"/exports/{export.uuid}/"
    assert (waiting.status_code, early.status_code) == (200, 422)
    assert 'hx-trigger="every 1s"' in waiting.content.decode()
    assert 'hx-trigger="every 1s"' not in ready.content.decode()
    assert file["Content-Disposition"] == 'attachment; filename="March, results.xlsx"'
    assert b"".join(file.streaming_content) == path_of(export).read_bytes()


def test_a_file_is_named_after_its_set_and_contents_in_the_language_of_who_takes_it(
    coordinator, essay_set, log_in
):
    EssaySet.objects.filter(pk=essay_set.pk).update(name='Осень: "A/B"')
    export = made(coordinator, Kind.RESULTS, essay_set=essay_set)

    file = log_in(coordinator).get(
        f"/exports/{export.uuid}/file/", headers={"Accept-Language": "ru"}
    )

    assert b"".join(file.streaming_content) == path_of(export).read_bytes()
    head, _, name = file["Content-Disposition"].partition("''")
    assert head == "attachment; filename*=utf-8"
    assert unquote(name) == "Осень_ _A_B_, результаты.csv"


@pytest.mark.parametrize(
    "asked", [{}, {"kind": "results"}, {"kind": "people", "form": "zip"}, {"kind": "everything"}]
)
def test_what_cannot_be_ordered_is_said_on_the_page(coordinator, asked, log_in):
    assert log_in(coordinator).post("/exports/", asked).status_code == 422
    assert not Export.objects.exists()


def test_a_stranger_does_not_learn_of_an_export(coordinator, essay_set, log_in):
    participant = PersonFactory(role="participant")
    results = made(coordinator, Kind.RESULTS, essay_set=essay_set)
    people = made(coordinator, Kind.PEOPLE)
    training = made(participant, Kind.TRAINING, essay_set=essay_set)
    visitors = {
        "owner": coordinator,
        "colleague": PersonFactory(role="organiser"),
        "participant": participant,
        "rival": PersonFactory(role="participant"),
        "expert": PersonFactory(),
        "judge": PersonFactory(role="judge"),
    }

    found = {
        name: [
            status_of(log_in(person).get(f"/exports/{each.uuid}/file/"))
            for each in (results, people, training)
        ]
        for name, person in visitors.items()
    }

    assert found == {
        "owner": [200, 200, 404],
        "colleague": [200, 404, 404],
        "participant": [404, 404, 200],
        "rival": [404, 404, 404],
        "expert": [403, 403, 403],
        "judge": [403, 403, 403],
    }
    assert Client().get(f"/exports/{results.uuid}/file/").status_code == 302


def test_the_list_costs_the_same_however_long(coordinator, essay_set, log_in):
    client, counts = log_in(coordinator), []
    for form in (Form.CSV, Form.XLSX, Form.RUSSIAN_CSV):
        made(coordinator, Kind.RESULTS, form, essay_set)
        with CaptureQueriesContext(connection) as queries:
            client.get("/exports/")
        counts.append(len(queries))

    assert len(set(counts)) == 1


@pytest.mark.parametrize(
    ("language", "chosen", "word"),
    [("ru", ["csv-ru"], "выберите выборку"), ("en", [], "choose a set")],
)
def test_the_form_of_the_language_is_offered_and_no_set_is_a_word(log_in, language, chosen, word):
    client = log_in(PersonFactory(role="coordinator"))
    client.cookies["django_language"] = language

    page = page_of(client.get("/exports/"))

    assert [each["value"] for each in page.find("#id_form option[selected]")] == chosen
    assert page.find("#id_essay_set option")[0].text == word


@pytest.mark.parametrize(
    ("state", "are_offered"), [("preparing", False), ("open", True), ("closed", True)]
)
def test_participants_are_offered_no_set_in_preparation(essay_set, log_in, state, are_offered):
    EssaySet.objects.filter(pk=essay_set.pk).update(state=state)
    robot = PersonFactory(role="participant")

    names = [each.text for each in page_of(log_in(robot).get("/exports/")).find("option")]

    assert ("March" in names) is are_offered
    if not are_offered:
        with pytest.raises(Refused):
            made(robot, Kind.TRAINING, essay_set=essay_set)


def test_a_training_set_has_each_essay_in_its_latest_version(coordinator, essay_set):
    essay = essay_set.essays.get(number="1")
    replace_essay(essay=essay, text="Another text.", reason="a page was missing", actor=coordinator)

    export = made(PersonFactory(role="participant"), Kind.TRAINING, essay_set=essay_set)

    assert path_of(export).read_text() == ""


def test_a_russian_export_of_people_has_russian_columns(coordinator):
    PersonFactory(username="ann", role="expert")

    head = rows_of(made(coordinator, "people", language="ru"))[0]

    words = [name.removesuffix(" (Europe/Moscow)").removeprefix("F1 ") for name in head]
    assert [name for name in words if re.search("[A-Za-z]", name)] == []
