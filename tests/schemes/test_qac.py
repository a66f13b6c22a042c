"""QAC in the web: its figures, its questions, the texts a run offers."""

from __future__ import annotations

import pytest

from schemes.adapters.scheme import Unfit
from schemes.adapters.words import in_language
from schemes.models import SchemeRun
from tests.factories import PersonFactory
from tests.schemes.inputs import QAC_KEY, SECRET, do_all, form_of, scored, stored

pytestmark = pytest.mark.django_db
TEXTS = ["res.dat", "extract-1.txt", "extract-2.txt", "extract-3.txt"]


@pytest.fixture
def person(client):
    person = PersonFactory()
    client.force_login(person)
    return person


def page_of(client, run):
    return client.get(f"/schemes/runs/{run.uuid}/").content.decode()


def test_the_figures_of_task_1_under_both_readings(person):
    figures = scored(person, "qac").figures
    numbers = {name: each for name, each in figures.items() if name != "texts"}

    assert numbers == {
        "task": 1,
        "match": "article",
        "marks": 2.5,
        "questions": 5,
        "answers": 5,
        "responses": 4,
        "correct": 2,
        "average": 0.5,
        "recall": 0.4,
        "precision": 0.5,
        "f_measure": 4 / 9,
        "averages": {"article": 0.5, "string": 0.7},
    }


def test_every_question_shows_its_ranks_and_why_it_has_its_mark(person):
    items = scored(person, "qac").items.all()

    assert [(each.name, each.verdict, each.points, each.reason["en"]) for each in items] == [
        ("QAC1-1-01", "partly", 0.5, "right: 2"),
        ("QAC1-2-01", "wrong", 0, "right string, another article: 1"),
        ("QAC1-3-01", "right", 1, "no answer in the key, no response"),
        ("QAC1-4-01", "unanswered", 0, "no response"),
        ("QAC1-5-01", "right", 1, "right: 1"),
    ]
    assert [each.cells["responses"] for each in items] == [
        "1. 津市 ×\n2. 津 ○",
        "1. 東京 × -",
        "",
        "",
        "1. 京都 ○",
    ]
    assert (items[0].cells["answers"], items[0].cells["question"]) == (
        f"津\n{SECRET}",
        f"{SECRET}は？",
    )


def test_scores_are_written_as_each_language_writes_numbers(person):
    item = scored(person, "qac").items.first()

    assert item.cells["mark"] == {"ru": "0,500", "en": "0.500"}


def test_the_options_are_those_of_the_command(person):
    run = scored(person, "qac", task="2", match="string", nfkc=True)

    assert (run.figures["task"], run.figures["match"]) == (2, "string")
    assert [in_language(each, "en") for each in run.readings[:2]] == [
        ("reading: a response is right when its string stands in the key, whatever its article: 1"),
        "reading: letters of another width or form are alike: 0",
    ]


@pytest.mark.parametrize(
    ("task", "names"),
    [("1", [*TEXTS, "extract-5.txt"]), ("2", [*TEXTS, "extract-4.txt"]), ("3", TEXTS)],
)
def test_a_run_offers_res_dat_and_the_extractions_of_its_task(client, person, task, names):
    run = scored(person, "qac", task=task)

    assert [each["name"] for each in run.figures["texts"]] == names
    for each in run.figures["texts"]:
        response = client.get(f"/schemes/runs/{run.uuid}/texts/{each['name']}/")
        assert (response.status_code, response.content.decode()) == (200, each["text"])
        assert response["Content-Disposition"] == f'attachment; filename="{each["name"]}"'


def test_res_dat_is_that_of_the_command(client, person):
    run = scored(person, "qac")

    assert client.get(f"/schemes/runs/{run.uuid}/texts/res.dat/").content.decode() == (
        "QAC1-1-01: 津市 ×, 津 ○\n"
        "QAC1-2-01: 東京 ×\n"
        "QAC1-3-01: φ ○\n"
        "QAC1-4-01: φ ×\n"
        "QAC1-5-01: 京都 ○\n"
    )


def test_a_stranger_and_a_wrong_name_get_no_text(client, person):
    own, strange = scored(person, "qac"), scored(PersonFactory(), "qac")

    assert client.get(f"/schemes/runs/{own.uuid}/texts/nothing/").status_code == 404
    assert client.get(f"/schemes/runs/{strange.uuid}/texts/res.dat/").status_code == 404


def test_the_key_of_somebody_else_offers_no_text_that_tells_it(person):
    run = scored(person, "qac", stored(PersonFactory(), "qac", offered=True))

    names = [each["name"] for each in run.figures["texts"]]
    assert names == ["res.dat", "extract-2.txt", "extract-3.txt"]


def test_the_page_shows_the_tables_both_averages_and_japanese_as_japanese(client, person):
    html = page_of(client, scored(person, "qac"))

    assert "0.500 by string and article" in html
    assert "0.700 by the string alone" in html
    assert '<td lang="ja">1. 津市 ×\n2. 津 ○</td>' in html
    assert "reading: a response is right when its string and its article stand in the key" in html


def test_a_broken_line_of_responses_is_told_and_the_others_are_scored(client, person):
    responses = 'QAC1-1-01: 津, 1\nQAC1-5-01: "京都", 5\n'
    client.post("/schemes/qac/", form_of("qac", responses=responses))
    do_all()
    run = SchemeRun.objects.get(owner=person)

    assert run.figures["marks"] == 2
    assert run.items.get(name="QAC1-1-01").reason["en"] == "the line of responses cannot be read"
    assert "responses, line 1, column 12, id QAC1-1-01: “津” is not in its place." in page_of(
        client, run
    )


def test_a_broken_line_of_the_key_is_told_and_the_others_are_scored(person):
    run = scored(person, "qac", stored(person, "qac", data=f"{QAC_KEY}QAC1-7-01: 津, 1\n".encode()))

    assert run.state == "done"
    assert run.figures["questions"] == 5
    assert run.problems[0]["en"].startswith(
        "key, line 7, column 12, id QAC1-7-01: “津” is not in its place."
    )


def test_a_key_is_read_in_every_japanese_code(person):
    data = QAC_KEY.replace(SECRET, "秘密").encode("euc_jp")
    run = scored(person, "qac", stored(person, "qac", data=data))

    assert run.figures["questions"] == 5
    assert in_language(run.readings[0], "en") == "key: read as EUC-JP."


@pytest.mark.parametrize("data", [b"", b"# nothing\n", "津\n".encode(), "津".encode("utf-16")])
def test_a_key_without_questions_is_not_stored(person, data):
    with pytest.raises(Unfit):
        stored(person, "qac", data=data)
