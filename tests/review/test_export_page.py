from __future__ import annotations

import re
from urllib.parse import unquote

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.services.people import set_active
from annotator.models import EssaySet
from annotator.services.versions import replace_essay
from review.models import Export
from review.services.export_files import write_csv, write_markups, write_training, write_workbook
from review.services.export_tables import results_of
from review.services.exporting import order_export, path_of
from review.tasks import make_export as make_export_task
from tests.factories import EssayFactory, PersonFactory
from tests.pages import page_of
from tests.review.exporting import made, rows_of, status_of
from web.core.sheets import COMMAS
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


def test_a_button_pressed_twice_orders_people_once_until_something_changes(coordinator, log_in):
    desk, asked = log_in(coordinator), {"kind": "people", "form": "csv"}

    first, again = (desk.post("/exports/", asked)["Location"] for _ in range(2))
    set_active(person=PersonFactory(), active=False, actor=coordinator)
    later = desk.post("/exports/", asked)["Location"]

    assert (again == first, later == first) == (True, False)


def test_of_a_training_set_nobody_is_asked_for_the_form_of_tables(essay_set, coordinator, log_in):
    EssaySet.objects.filter(pk=essay_set.pk).update(access="open")
    asked = {"kind": "training", "essay_set": essay_set.pk}
    participant = log_in(PersonFactory(role="participant"))

    offered = page_of(participant.get("/exports/")).find("select")
    answer = participant.post("/exports/", asked)

    assert [each["name"] for each in offered] == ["kind", "essay_set"]
    assert (answer.status_code, Export.objects.get().form) == (302, "jsonl")
    words = "Markups and the training set have one form each."
    assert words in page_of(log_in(coordinator).get("/exports/")).one("main").text


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "60 of 120 are written."), ("ru", "Записано 60 из 120.")],
)
def test_the_page_tells_how_far_a_file_is_until_it_is_whole(
    coordinator, essay_set, log_in, language, words
):
    client = log_in(coordinator)
    export = order_export(owner=coordinator, kind=Kind.RESULTS, form=Form.CSV, essay_set=essay_set)
    address, asked = f"/exports/{export.uuid}/", {"Accept-Language": language}
    waiting = page_of(client.get(address, headers=asked))
    Export.objects.update(state="running", done=60, total=120)
    running = page_of(client.get(address, headers=asked))
    make_export_task(export.job_id)
    ready = page_of(client.get(address, headers=asked))

    assert running.one("label[for=progress]").text == words
    bar = running.one("progress")
    assert (bar["value"], bar["max"]) == ("60", "120")
    assert [each.find("progress") for each in (waiting, ready)] == [[], []]


@pytest.mark.parametrize(
    ("kind", "form", "total"),
    [
        (Kind.RESULTS, Form.CSV, 2),
        (Kind.RESULTS, Form.RUSSIAN_CSV, 2),
        (Kind.RESULTS, Form.XLSX, 2),
        (Kind.AGREEMENT, Form.CSV, None),
        (Kind.MARKUPS, Form.ZIP, 2),
        (Kind.TRAINING, Form.JSONL, 2),
        (Kind.PEOPLE, Form.CSV, None),
    ],
)
def test_of_a_whole_file_all_is_written_that_was_to_be(coordinator, essay_set, kind, form, total):
    of_set = None if kind == Kind.PEOPLE else essay_set

    export = made(coordinator, kind, form, essay_set=of_set)

    total = total or len(rows_of(export)) - 1
    assert total > 1
    assert (export.done, export.total) == (total, total)


@pytest.mark.parametrize("write", [write_csv, write_workbook])
def test_a_table_tells_how_far_it_is_batch_by_batch(essay_set, tmp_path, write):
    EssayFactory.create_batch(118, essay_set=essay_set)
    table, told = results_of(essay_set), []

    dialect = [COMMAS] if write is write_csv else []
    write(table, tmp_path / "file", *dialect, told.append)

    assert (table.total, told) == (120, [50, 100, 120])


@pytest.mark.parametrize("write", [write_markups, write_training])
def test_markups_tell_how_far_they_are_essay_by_essay(coordinator, essay_set, tmp_path, write):
    EssayFactory.create_batch(118, essay_set=essay_set)
    told = []

    write(essay_set, coordinator, tmp_path / "file", told.append)

    assert told == [50, 100, 120]
