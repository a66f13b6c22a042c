"""Prompts are put together as in the seed's examples, with words of our own."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemes.core.use.errors import RecordError, UnusableFileError
from schemes.core.use.problems import Problems, Source
from schemes.core.use.prompts import Prompt, prompts_of, read_instructions, render
from tests.schemes.core.use.exams import as_csv, as_document, record, variant

INPUTS = {
    "task": "Найдите сову.",
    "text": "(1) Сова спит.",
    "choices": "1) да\n2) нет",
    "additional_text": "Отзыв (А)____",
}
INSTRUCTIONS = {
    "multiple_choice": {
        "based_on_text": ['Текст: "{text}"\nЗадание: {task}\nВарианты ответа:\n{choices}\nОтвет:'],
        "options_within_text": ['Задание: {task}\nТекст: "{text}"\nОтвет:'],
        "independent_options": ["Задание: {task}\nВарианты ответа:\n{choices}\nОтвет:"],
    },
    "text": ['Задание: "{task}"\n"{text}"\nОтвет:', "{task} {text}"],
    "matching": [
        "{text}\n{task}\nРецензии: {additional_text}\nСписок терминов:\n{choices}\nОтвет:"
    ],
}
RENDERED = {
    "multiple_choice_based_on_text": [
        'Текст: "(1) Сова спит."\nЗадание: Найдите сову.\nВарианты ответа:\n1) да\n2) нет\nОтвет:'
    ],
    "multiple_choice_options_within_text": [
        'Задание: Найдите сову.\nТекст: "(1) Сова спит."\nОтвет:'
    ],
    "multiple_choice_independent_options": [
        "Задание: Найдите сову.\nВарианты ответа:\n1) да\n2) нет\nОтвет:"
    ],
    "text": [
        'Задание: "Найдите сову."\n"(1) Сова спит."\nОтвет:',
        "Найдите сову. (1) Сова спит.",
    ],
    "matching": [
        (
            "(1) Сова спит.\nНайдите сову.\nРецензии: Отзыв (А)____\nСписок терминов:\n"
            "1) да\n2) нет\nОтвет:"
        )
    ],
}
TASK_OF = {"text": "5", "matching": "26"}


def asked(kind, **more):
    fields = record(TASK_OF.get(kind, "9"), number=7, variant=3)
    fields["meta"]["type"] = kind
    return {"inputs": INPUTS, **fields, **more}


def prompts(records, instructions=None):
    problems = Problems(Source.KEY)
    given_ones = instructions and read_instructions(json.dumps(instructions))
    found = list(prompts_of(as_document(records), problems, instructions=given_ones))
    return found, [(each.code, each.place.record, each.place.field) for each in problems.named()]


@pytest.mark.parametrize("kind", RENDERED)
def test_each_kind_is_rendered_with_every_instruction_of_its_own(kind):
    found, problems = prompts([asked(kind)], INSTRUCTIONS)

    assert problems == []
    assert found == [
        Prompt("7", "3", TASK_OF.get(kind, "9"), kind, number, text)
        for number, text in enumerate(RENDERED[kind], 1)
    ]


def test_without_instructions_each_record_has_its_own():
    found, problems = prompts([asked("text", instruction="Вот: {text}\n")])

    assert ([each.text for each in found], problems) == (["Вот: (1) Сова спит."], [])


def test_ten_instructions_of_five_kinds_are_fifty():
    many = {
        **{kind: ["{task}"] * 10 for kind in ("text", "matching")},
        "multiple_choice": {name: ["{task}"] * 10 for name in INSTRUCTIONS["multiple_choice"]},
    }

    assert sum(map(len, read_instructions(json.dumps(many)).values())) == 50


def test_a_list_under_multiple_choice_serves_its_three_types():
    three = {kind: ["{task}"] * 5 for kind in ("text", "matching", "multiple_choice")}

    found, problems = prompts([asked(kind) for kind in RENDERED], three)

    assert (len(found), problems) == (25, [])


def test_braces_of_inputs_stay_and_doubled_ones_of_instructions_become_single():
    inputs = {**INPUTS, "text": "{task} {{x}}"}

    assert render("{{{text}}} {{task}}", inputs) == "{{task} {{x}}} {task}"


def test_an_input_that_is_left_out_is_empty():
    assert render("{task}|{choices}|", {"task": "x"}) == "x||"


@pytest.mark.parametrize("slot", ["question", "task2", "__class__", "0"])
def test_an_unknown_slot_is_refused(slot):
    with pytest.raises(RecordError, match="unknown-slot"):
        render(f"{{{slot}}}", INPUTS)


@pytest.mark.parametrize(
    "instruction", ["{task.__class__}", "{task!r}", "{}", "{", "}", "{ task }"]
)
def test_nothing_but_names_in_braces_is_replaced(instruction):
    assert render(instruction, INPUTS) == instruction


@given(st.text(), st.text())
def test_any_input_is_put_in_as_it_is(task, text):
    assert render("a{task}b{text}c", {"task": task, "text": text}) == f"a{task}b{text}c"


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({}, ("no-field", 1, "instruction")),
        ({"instruction": 5}, ("not-a-string", 1, "instruction")),
        ({"instruction": "{x}"}, ("unknown-slot", 1, "instruction")),
        ({"instruction": "", "inputs": 5}, ("not-an-object-field", 1, "inputs")),
        ({"instruction": "", "inputs": {"task": 5}}, ("not-a-string", 1, "inputs.task")),
        ({"outputs": 5}, ("not-a-string", 1, "outputs")),
    ],
)
def test_a_record_that_cannot_be_rendered_is_named_and_the_others_are(fields, problem):
    found, problems = prompts([asked("text", **fields), asked("text", instruction="{task}")])

    assert ([each.text for each in found], problems) == (["Найдите сову."], [problem])


def test_a_record_without_inputs_is_named():
    found, problems = prompts(variant()[:1], INSTRUCTIONS)

    assert (found, problems) == ([], [("no-field", 1, "inputs")])


def test_a_type_without_instructions_is_named():
    found, problems = prompts([asked("matching")], {"text": ["{task}"]})

    assert (found, problems) == ([], [("no-instruction", 1, "meta.type")])


@pytest.mark.parametrize(
    ("instructions", "code", "fields"),
    [
        ([], "instructions-shape", {"path": ""}),
        ({"text": "x"}, "instructions-shape", {"path": "text"}),
        ({"text": []}, "instructions-shape", {"path": "text"}),
        ({"matching": ["x", " "]}, "instructions-shape", {"path": "matching[1]"}),
        ({"multiple_choice": 1}, "instructions-shape", {"path": "multiple_choice"}),
        (
            {"multiple_choice": {"based_on_text": [1]}},
            "instructions-shape",
            {"path": "multiple_choice.based_on_text[0]"},
        ),
        ({"text": ["{x}"]}, "instructions-slot", {"path": "text[0]", "name": "x"}),
    ],
)
def test_instructions_of_another_shape_are_refused(instructions, code, fields):
    with pytest.raises(UnusableFileError) as caught:
        read_instructions(json.dumps(instructions))

    assert (caught.value.code, caught.value.fields) == (code, fields)


def test_instructions_that_are_no_json_are_refused():
    with pytest.raises(UnusableFileError, match="not-json"):
        read_instructions("{")


def test_a_table_has_no_inputs_and_is_refused():
    with pytest.raises(UnusableFileError, match="no-columns"):
        list(prompts_of(as_csv(variant()), Problems(Source.KEY)))
