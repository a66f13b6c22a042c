from __future__ import annotations

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from jobs.models import Job
from schemes.adapters import SCHEMES
from schemes.adapters.scheme import MAX_BYTES
from schemes.core.use.exam import ORDER
from schemes.models import SchemeRun
from tests.factories import PersonFactory
from tests.pages import page_of, texts_of
from tests.schemes.core.use.exams import as_document, record
from tests.schemes.inputs import (
    INPUTS,
    SECRET,
    do_all,
    form_of,
    ordered,
    scored,
)
from tests.schemes.pages import errors_of

pytestmark = pytest.mark.django_db
EVERY = sorted(INPUTS)


def test_the_list_names_every_scheme_and_ones_runs(browser, person):
    scored(person, "use")
    ordered(PersonFactory(), "coscore")

    response = browser.get("/schemes/")

    links = [link["href"] for link in page_of(response).find("main .schemes a")]
    assert links == [f"/schemes/{slug}/" for slug in SCHEMES]
    assert texts_of(response, "tbody .badge") == ["scored"]


@pytest.mark.parametrize("slug", EVERY)
def test_what_is_pasted_is_scored_by_a_job(browser, slug):
    response = browser.post(f"/schemes/{slug}/", form_of(slug, name="Mine"))
    run = SchemeRun.objects.get()
    waiting = browser.get(response["Location"])
    do_all()
    shown = browser.get(response["Location"])

    assert response["Location"] == f"/schemes/runs/{run.uuid}/"
    assert texts_of(waiting, "[role=status] .badge") == ["waits"]
    assert texts_of(shown, "h1") == ["Mine"]
    assert len(page_of(shown).find("#items tbody tr")) == run.items.count()


@pytest.mark.parametrize("slug", EVERY)
def test_what_is_uploaded_gives_the_same(browser, slug):
    texts = INPUTS[slug]()
    files = {
        f"{name}_file": SimpleUploadedFile(f"{name}.txt", text.encode())
        for name, text in texts.items()
    }
    fields = {name: value for name, value in form_of(slug).items() if name not in texts}

    browser.post(f"/schemes/{slug}/", {**fields, **files})
    browser.post(f"/schemes/{slug}/", form_of(slug))
    do_all()

    pasted, uploaded = SchemeRun.objects.all()
    items = [list(run.items.values_list("number", "points")) for run in (pasted, uploaded)]
    assert items[0] == items[1]
    assert sorted(uploaded.inputs.values_list("name", flat=True)) == sorted(
        f"{name}.txt" for name in texts
    )


@pytest.mark.parametrize("slug", EVERY)
def test_missing_inputs_are_told_at_their_fields_and_nothing_is_run(browser, slug):
    nothing = dict.fromkeys(INPUTS[slug](), "")

    response = browser.post(f"/schemes/{slug}/", {**form_of(slug), **nothing})

    found = errors_of(response)
    labels = {str(source.label).lower() for source in SCHEMES[slug].sources}
    assert response.status_code == 422
    assert {label.lower() for label in found} == labels
    assert set(found.values()) == {"Choose a file or paste a text."}
    assert (SchemeRun.objects.count(), Job.objects.count()) == (0, 0)


@pytest.mark.parametrize(
    ("slug", "source", "text", "sentence"),
    [
        ("use", "key", "{", "line 1, column 2: This is not JSON."),
        ("use", "key", "[]", "key: No task can be scored."),
        ("use", "predictions", '{"no": 1}', "The file has no “data”; its keys are: no."),
        ("use", "predictions", "a,b\n1,2", "missing: id, outputs"),
        ("coscore", "rule", "[1]", "A JSON object is expected here"),
        ("coscore", "answers", "answer\n1", "line 1: The first line has no column “text”."),
    ],
)
def test_what_cannot_be_used_is_told_at_its_field(browser, slug, source, text, sentence):
    response = browser.post(f"/schemes/{slug}/", form_of(slug, **{source: text}))

    (error,) = errors_of(response).values()
    assert response.status_code == 422
    assert sentence in error
    assert page_of(response).one(f"textarea[name={source}]").raw.strip() == text
    assert SchemeRun.objects.count() == 0


def test_every_fault_of_a_rule_names_its_atom_or_combo(browser):
    rule = {
        "atoms": {"0": {"type": "OP", "desc": "2:爱"}},
        "combos": {"A": {"combo": "G(7,T(0))", "score": 1, "mode": "logic"}},
        "comboMode": "ADD",
    }

    response = browser.post("/schemes/coscore/", form_of("coscore", rule=json.dumps(rule)))

    (error,) = errors_of(response).values()
    assert "atom 0: The threshold 2 is not between 0 and 1." in error
    assert "combo A, column 1: Atom 7 is not defined." in error


def test_a_file_and_a_text_at_once_are_refused(browser):
    upload = SimpleUploadedFile("key.json", b"[]")

    response = browser.post("/schemes/use/", form_of("use", key_file=upload))

    assert set(errors_of(response).values()) == {"Choose a file or paste a text, not both."}


def test_a_file_over_the_limit_is_refused_by_its_name(browser):
    upload = SimpleUploadedFile("key.json", b" " * (MAX_BYTES + 1))

    response = browser.post("/schemes/use/", {**form_of("use", key_file=upload), "key": ""})

    assert set(errors_of(response).values()) == {
        "key.json: the file is larger than 20 MB. Split it."
    }


def test_an_unknown_scheme_and_an_unknown_tool_are_not_there(browser):
    found = [
        browser.get(path).status_code
        for path in ("/schemes/nobody/", "/schemes/use/tools/nobody/", "/schemes/nobody/tools/try/")
    ]
    assert found == [404, 404, 404]


def test_a_run_that_is_not_done_asks_again_and_one_that_is_does_not(browser, person):
    run = ordered(person, "use")
    path = f"/schemes/runs/{run.uuid}/"
    headers = {"HX-Request": "true", "HX-Target": "outcome"}
    before = page_of(browser.get(path, headers=headers)).one("#outcome")
    do_all()
    after = page_of(browser.get(path, headers=headers)).one("#outcome")

    assert (before["hx-get"], before["hx-trigger"]) == (path, "every 1s")
    assert "hx-get" not in after.attributes
    assert len(after.find("#items tbody tr")) == 30


def test_progress_is_shown(browser, person):
    run = ordered(person, "use")
    SchemeRun.objects.filter(pk=run.pk).update(state="running", done=12, total=30)

    page = page_of(browser.get(f"/schemes/runs/{run.uuid}/"))

    bar = page.one("progress")
    assert (bar["value"], bar["max"]) == ("12", "30")
    assert page.one("[role=status]").text.startswith("is being scored 12 of 30")


def test_a_failed_run_says_why(browser, person):
    run = ordered(person, "use")
    run.inputs.filter(source="key").update(content=b"{")
    do_all()

    page = page_of(browser.get(f"/schemes/runs/{run.uuid}/"))

    assert page.one("[role=alert]").text == "The run could not be scored."
    told = page.one("#outcome .remarks").text
    assert told.startswith("line 1, column 2: This is not JSON.")


def test_a_run_whose_job_was_given_up_says_so(browser, person):
    run = ordered(person, "use")
    Job.objects.filter(pk=run.job_id).update(state="failed")

    page = page_of(browser.get(f"/schemes/runs/{run.uuid}/"))

    assert page.one("[role=alert]").text.startswith("The run was given up after three tries.")
    assert "hx-get" not in page.one("#outcome").attributes


@pytest.mark.parametrize(
    ("query", "tasks"),
    [
        ("verdict=wrong", ["1", "2"]),
        ("verdict=partly", ["16", "26"]),
        ("verdict=unanswered", ["3"]),
        ("group=0&q=29", ["26"]),
        ("verdict=wrong&group=1", []),
        ("verdict=nobody", list(ORDER)),
    ],
)
def test_the_table_is_filtered(browser, person, query, tasks):
    run = scored(person, "use")

    response = browser.get(f"/schemes/runs/{run.uuid}/?{query}")

    cells = [row.find("td")[1].text for row in page_of(response).find("#items tbody tr")]
    assert cells == tasks


@pytest.mark.parametrize("words", ["ПЕРВОЕ", "первое"])
def test_items_are_found_whatever_the_case_of_letters(browser, person, words):
    run = scored(person, "use")
    run.items.filter(number=2).update(name="Первое задание")

    shown = browser.get(f"/schemes/runs/{run.uuid}/", {"q": words})

    assert [item.name for item in shown.context["page"]] == ["Первое задание"]


def test_an_item_of_use_is_explained_beside_its_key(browser, person):
    run = scored(person, "use")
    link = page_of(browser.get(f"/schemes/runs/{run.uuid}/")).find("#items td a")[1]

    page = page_of(browser.get(link["href"]))

    assert link["href"] == f"/schemes/runs/{run.uuid}/items/2/"
    assert page.one("input[name=key]")["value"] == SECRET
    assert [each.text for each in page.find("#answer p")] == [
        "0 of 1",
        f"read as “сова”; accepted: {SECRET}",
    ]


@pytest.mark.parametrize(
    ("separator", "blanks"), [("-", ["我", "爱祖国\n们"]), ("", ["我-爱祖国\n们"])]
)
def test_an_answer_of_coscore_is_traced_with_the_blanks_it_was_scored_by(
    browser, separator, blanks
):
    upload = SimpleUploadedFile("a.csv", 'text\n"我-爱祖国\n们"\n'.encode())
    form = form_of("coscore", answers="", answers_file=upload, separator=separator)
    browser.post("/schemes/coscore/", form)
    do_all()
    run = SchemeRun.objects.get()

    page = page_of(browser.get(f"/schemes/runs/{run.uuid}/items/1/"))

    assert [each.raw for each in page.find(".blanks q")] == blanks
    assert page.one(".trace .key").text == f"{run.items.get().cells['score']} / 10"


def test_htmx_gets_the_table_alone(browser, person):
    run = scored(person, "use")
    headers = {"HX-Request": "true", "HX-Target": "items"}

    response = browser.get(f"/schemes/runs/{run.uuid}/?verdict=wrong", headers=headers)

    page = page_of(response)
    assert (len(page.find("#items tbody tr")), page.find("h1")) == (2, [])


def test_the_pages_of_a_table_keep_its_filter(browser, person, monkeypatch):
    monkeypatch.setattr("web.paging.PER_PAGE", 10)
    run = scored(person, "use")

    response = browser.get(f"/schemes/runs/{run.uuid}/?verdict=right&page=2")

    links = [link["href"] for link in page_of(response).find(".pager a")]
    assert links == ["?verdict=right&page=1", "?verdict=right&page=3"]
    assert len(page_of(response).find("#items tbody tr")) == 10


def test_a_page_of_two_thousand_variants_shows_fifty_and_turns(browser):
    key = as_document([record("1", number=name, variant=name) for name in range(2000)])
    browser.post("/schemes/use/", {"key": key, "predictions": key})
    do_all()
    run = SchemeRun.objects.get()
    path, rows = f"/schemes/runs/{run.uuid}/", "[aria-label=Variants] tbody th"

    first = browser.get(path)
    second = browser.get(f"{path}?verdict=right&variants=2")

    assert texts_of(first, rows) == [str(name) for name in range(50)]
    assert texts_of(second, rows) == [str(name) for name in range(50, 100)]
    turning = [link["href"] for link in page_of(second).find(".split .pager a")]
    assert turning == ["?verdict=right&variants=1", "?verdict=right&variants=3"]
    assert texts_of(browser.get(f"{path}?variants=x"), rows)[0] == "0"


def test_words_are_those_of_the_readers_language(browser, person):
    run = scored(person, "use")
    path = f"/schemes/runs/{run.uuid}/"

    found = [
        page_of(browser.get(path, headers={"accept-language": code})).find("#items tbody tr")[0]
        for code in ("en", "ru")
    ]

    assert [row.find("td")[-2].text for row in found] == [
        "missing 5; too many 4",
        "не хватает: 5; лишнее: 4",
    ]


def test_contents_tell_their_language(browser, person):
    run = scored(person, "coscore", separator="-")

    cells = page_of(browser.get(f"/schemes/runs/{run.uuid}/")).find("#items td")

    assert [cell["lang"] for cell in cells if cell.text == "苹果"] == ["zh"]


def test_a_run_is_deleted_by_its_owner(browser, person):
    run = scored(person, "use")

    response = browser.post(f"/schemes/runs/{run.uuid}/drop/")

    assert (response["Location"], SchemeRun.objects.count()) == ("/schemes/use/", 0)


@pytest.mark.parametrize(
    ("slug", "name", "points"),
    [("qac", "responses", [0, 0, 1, 0, 0]), ("space2022", "predictions", [0] * 4)],
)
def test_an_empty_file_of_a_system_is_one_without_answers(browser, slug, name, points):
    form = {**form_of(slug, **{name: ""}), f"{name}_file": SimpleUploadedFile("none.txt", b"")}

    browser.post(f"/schemes/{slug}/", form)
    do_all()

    assert list(SchemeRun.objects.get().items.values_list("points", flat=True)) == points


@pytest.mark.parametrize(
    ("predictions", "error"),
    [
        ("[1, {}]", "predictions, line 1, record 1: The record must be a JSON object."),
        (
            '{"data": {"a": [], "b": []}}',
            "There is no split “test”; present are: a, b. Choose one.",
        ),
    ],
)
def test_answers_nothing_can_be_scored_with_are_refused_at_their_field(browser, predictions, error):
    response = browser.post("/schemes/use/", form_of("use", predictions=predictions))

    assert errors_of(response) == {"Answers of the model": error}
