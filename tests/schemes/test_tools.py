from __future__ import annotations

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from schemes.adapters import SCHEMES
from tests.factories import PersonFactory
from tests.pages import page_of, texts_of
from tests.schemes.core.use.exams import as_document, variant
from tests.schemes.inputs import RULE
from tests.schemes.test_docs import BLOCK, DOCS

pytestmark = pytest.mark.django_db
TOOLS = [(slug, name) for slug, scheme in SCHEMES.items() for name in scheme.tools]
HTMX = {"HX-Request": "true"}


@pytest.fixture
def browser(log_in):
    return log_in(PersonFactory())


@pytest.fixture
def ask(browser):
    """What a tool answers: the piece of the page."""

    def answer(slug, name, **fields):
        response = browser.post(f"/schemes/{slug}/tools/{name}/", fields, headers=HTMX)
        assert response.status_code == 200
        return page_of(response)

    return answer


def dataset(**more):
    records = variant()
    for record in records:
        record["instruction"] = "Задание: {task}\n{text}"
        record["inputs"] = {"task": "Впишите слово.", "text": "Сова.", "choices": ""}
        record["inputs"] |= {"additional_text": "", **more}
    return as_document(records)


@pytest.mark.parametrize(("slug", "name"), TOOLS)
def test_every_tool_has_a_page_that_works_without_scripts(browser, slug, name):
    page = page_of(browser.get(f"/schemes/{slug}/tools/{name}/"))

    (form,) = page.find("main form")
    assert (form["method"], form["action"]) == ("post", f"/schemes/{slug}/tools/{name}/")
    assert page.one("#answer b").text == "Nothing asked yet"


@pytest.mark.parametrize(("slug", "name"), TOOLS)
def test_a_tool_asked_nothing_names_the_field(browser, slug, name):
    response = browser.post(f"/schemes/{slug}/tools/{name}/", {})

    assert "This field is required." in page_of(response).one("#answer [role=alert]").text


def test_one_answer_to_a_task_gets_its_points_and_the_reason(ask):
    found = ask("use", "try", id_task="16", key="2,5", answer="2,4")

    assert [each.text for each in found.find("p")] == ["1 of 2", "missing 5; too many 4"]


def test_a_reading_that_matters_is_told(ask):
    found = ask("use", "try", id_task="1", key="2,5", answer="2, 5")

    (reading,) = found.find("li")
    assert [each.text for each in found.find("p")] == [
        "0 of 1",
        "missing 5; a blank stands in “2, 5”",
    ]
    assert reading.text.startswith("reading: numbers are separated by commas without blanks")


@pytest.mark.parametrize("separator", ["", "-"])
def test_the_documented_answer_of_coscore_is_read_as_it_stands_there(ask, separator):
    page = (DOCS / "coscore.md").read_text("utf-8")
    rule, table, *_others = BLOCK.findall(page)
    answer, _comma, score = table.splitlines()[1].partition(",")

    found = ask("coscore", "try", rule=rule, answer=answer, separator=separator)

    assert [each.text for each in found.find(".blanks q")] == answer.split("-")
    assert (found.one(".key").text, score) == ("10 / 10", "10")


def test_a_key_that_fits_no_task_is_refused(ask):
    found = ask("use", "try", id_task="26", key="2,5", answer="2,5")

    assert found.one("[role=alert]").text == "The key must have 4 numbers, and has 2."


def test_a_sound_data_set_has_no_problems(ask):
    found = ask("use", "check", dataset=dataset())

    assert found.one("p").text == "Tasks: 30, variants: 1 (of 34 points each)."
    assert found.one(".notice").text == "No problems."


def test_problems_of_a_data_set_are_named_with_their_places(ask):
    document = json.loads(dataset())
    del document["data"]["test"][3]
    document["data"]["test"][0]["meta"]["id"] = "0"

    found = ask("use", "check", dataset=json.dumps(document))

    assert found.one(".notice").text == "Problems: 2."
    assert [each.text for each in found.find("li")] == [
        "line 1, record 1, id 0, meta.id: The field must be a whole number. Remove the quotes.",
        "Variant 0 is not whole; the key has no task 4. Its points are divided by 34 all the same.",
    ]


def test_prompts_are_shown_as_a_model_gets_them(ask):
    found = ask("use", "prompts", dataset=dataset())

    first = found.find("article")[0]
    assert first.one("h3").text == "Variant 0, task 1, instruction 1"
    assert first.one("pre").raw == "Задание: Впишите слово.\nСова."
    assert first.one("pre")["lang"] == "ru"
    assert len(found.find("article")) == 30


def test_instructions_of_a_file_take_the_place_of_the_records_own(ask):
    instructions = json.dumps({"text": ["A: {task}", "B: {task}"]})

    found = ask("use", "prompts", dataset=dataset(), instructions=instructions)

    assert found.find("article")[1].one("pre").raw == "B: Впишите слово."


def test_a_rule_that_can_be_used_says_so(ask):
    found = ask("coscore", "check", rule=json.dumps(RULE))

    assert found.one(".notice").text == "The rule can be used."
    assert [each.text for each in found.find("li")] == []


def test_faults_of_a_rule_name_atom_and_combo(ask):
    rule = json.loads(json.dumps(RULE))
    rule["atoms"]["1"]["desc"] = "2:爱"
    rule["combos"]["A"]["combo"] = "M(9,T(0))"

    found = ask("coscore", "check", rule=json.dumps(rule))

    assert found.one(".notice").text == "The rule cannot be used yet."
    assert [each.text for each in found.find("li.blocks")] == [
        "atom 1: The threshold 2 is not between 0 and 1. Write one that is.",
        "combo A, column 1: Atom 9 is not defined. Define it or use another.",
    ]


def test_a_hostile_rule_is_refused_and_never_run(ask):
    rule = json.loads(json.dumps(RULE))
    rule["combos"]["A"]["combo"] = "().__class__.__base__.__subclasses__()"

    found = ask("coscore", "check", rule=json.dumps(rule))

    assert "combo A, column 3:" in found.one("li.blocks").text


def test_a_trace_has_every_combo_every_step_and_every_atom(ask):
    rule = json.dumps(RULE, ensure_ascii=False)

    found = ask("coscore", "try", rule=rule, answer="我要苹果\r\n爱祖国")

    combos, atoms = found.find("details")[:2], found.find("details")[2:]
    steps = [
        [cell.text for cell in row.find("td")] for combo in combos for row in combo.find("tbody tr")
    ]
    assert found.one("p.key").text == "5 / 10"
    assert [each.one("summary").text for each in combos] == ["A = 2 (value, 2)", "B = 3 (logic, 3)"]
    assert steps == [
        ["T(0)", "“我要苹果”"],
        ["M(0,T(0))", "1"],
        ["T(*)", "“我要苹果爱祖国”"],
        ["G(1,T(*))", "True"],
    ]
    assert [each.one("summary").text for each in atoms] == [
        "0 SM 我要苹果: True, 1",
        "1 OP 我要苹果爱祖国: True, 1.0",
    ]
    assert [each.text for each in found.find(".trace li span")] == [
        "no hit",
        "hit by “苹果”",
        "hit 3 of 3 characters",
    ]


def test_an_answer_that_cannot_be_scored_says_which_combo_and_why(ask):
    rule = json.loads(json.dumps(RULE))
    rule["combos"]["A"] = {"combo": "1/L(0)", "score": 1, "mode": "value"}

    found = ask("coscore", "try", rule=json.dumps(rule), answer="")

    assert found.one("p.key").text == "– / 10"
    assert found.one(".notice.bad").text.startswith("combo A, column 3: The divisor is 0")


def test_a_rule_that_cannot_be_used_is_not_tried(ask):
    found = ask("coscore", "try", rule="{}", answer="a")

    assert found.one(".notice").text == "The rule cannot be used yet."


def test_a_file_that_is_no_text_is_refused(browser):
    upload = SimpleUploadedFile("rule.json", b"\x9f\xfe")

    response = browser.post("/schemes/coscore/tools/check/", {"rule_file": upload})

    assert texts_of(response, "#answer [role=alert]") == [
        "Byte 0 is not UTF-8. Save the file in that encoding."
    ]
