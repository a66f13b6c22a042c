"""The check of a data set finds what the seed describes otherwise."""

import json

import pytest

from schemes.core.use.messages import describe, describe_place
from schemes.core.use.validation import check_dataset
from tests.schemes.core.use.exams import as_csv, as_document, as_list, record, variant

INPUTS = {"task": "Найдите сову.", "text": "Сова спит.", "choices": "", "additional_text": ""}


def dataset(number=0):
    return [
        {"instruction": "{task}\n{text}\nОтвет:", "inputs": dict(INPUTS), **each}
        for each in variant(number)
    ]


def english(sentence):
    return sentence


def told(records, **options):
    return [
        f"{describe_place(each.place, english)}: {describe(each, english)}"
        for each in check_dataset(as_document(records), **options).problems
    ]


def changed(**fields):
    records = dataset()
    for name, value in fields.items():
        (records[5] if name in records[5] else records[5]["meta"])[name] = value
    return records


def test_a_whole_data_set_has_no_problems():
    checked = check_dataset(as_document(dataset(0) + dataset(1)))

    assert (checked.tasks, checked.variants, checked.problems) == (60, 2, ())
    assert checked.split == "test"


@pytest.mark.parametrize(
    ("fields", "where", "sentence"),
    [
        ({"instruction": 1}, "instruction", "The field must be a string. Put it in quotes."),
        ({"instruction": " "}, "instruction", "The field is empty. Fill it in."),
        (
            {"instruction": "{task} {question}"},
            "instruction",
            "The instruction names {question}. Use {task}, {text}, {choices} or {additional_text}.",
        ),
        ({"inputs": "x"}, "inputs", "The field must be a JSON object."),
        (
            {"inputs": {**INPUTS, "text": None}},
            "inputs.text",
            "The field must be a string. Put it in quotes.",
        ),
        (
            {"inputs": {name: "x" for name in INPUTS if name != "choices"}},
            "inputs.choices",
            "The field is missing. Add it.",
        ),
        ({"variant": "0"}, "meta.variant", "The field must be a whole number. Remove the quotes."),
        ({"id_task": 6}, "meta.id_task", "The field must be a string. Put it in quotes."),
        ({"score": 2}, "meta.score", "The score of task 6 must be 1."),
        ({"score": True}, "meta.score", "The score of task 6 must be 1."),
        ({"score": None}, "meta.score", "The field is missing. Add it."),
        (
            {"type": "multiple_choice_based_on_text", "outputs": "1"},
            "meta.type",
            "Task 6 of the exam is of the type text, not “multiple_choice_based_on_text”.",
        ),
    ],
)
def test_a_field_that_is_not_as_described_is_named(fields, where, sentence):
    assert told(changed(**fields)) == [f"line 1, record 6, id 5, {where}: {sentence}"]


def test_ids_are_whole_numbers():
    assert told(changed(id="5")) == [
        "line 1, record 6, id 5, meta.id: The field must be a whole number. Remove the quotes."
    ]


def test_a_key_that_is_not_written_with_commas_alone_is_named():
    records = dataset()
    records[0]["outputs"] = "2, 5"

    assert told(records) == [
        (
            "line 1, record 1, id 0, outputs: Write the key “2, 5” as numbers with commas and "
            "without blanks, as 1,3."
        )
    ]


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"type": "essay"}, "unknown-type"),
        ({"outputs": ""}, "empty-key"),
        ({"id_task": "27"}, "unknown-task"),
    ],
)
def test_a_task_that_cannot_be_scored_makes_its_variant_incomplete(fields, code):
    problems = check_dataset(as_document(changed(**fields))).problems

    assert [each.code for each in problems] == [code, "incomplete-variant"]
    assert problems[1].fields == {"name": "0", "tasks": ("6",)}


def test_doubles_are_named():
    records = [*dataset(), {**dataset()[5]}]
    records[-1]["meta"] = {**records[-1]["meta"], "id": 99}

    assert told(records) == [
        (
            "line 1, record 31, id 99: The variant has this task already, in record 6: 0 / 6. "
            "The last one counts."
        )
    ]
    assert told([*dataset(), dataset()[5]]) == [
        "line 1, record 31, id 5: The id was given before, in record 6. The last one counts."
    ]


def test_variants_of_the_train_split_need_not_be_whole():
    text = json.dumps({"data": {"train": dataset()[:3], "test": dataset()[:29]}})

    assert check_dataset(text, split="train").problems == ()
    assert [each.code for each in check_dataset(text).problems] == ["incomplete-variant"]


def test_a_key_alone_lacks_the_prompts_and_says_so_once():
    assert told(variant()) == [
        "instruction: No record has this field: prompts cannot be made of the file.",
        "inputs: No record has this field: prompts cannot be made of the file.",
    ]


def test_a_record_that_lacks_what_others_have_is_named():
    records = dataset()
    del records[5]["inputs"]

    assert told(records) == ["line 1, record 6, id 5, inputs: The field is missing. Add it."]


def test_a_table_is_checked_without_types():
    columns = ("id", "variant", "id_task", "type", "score", "outputs")

    problems = check_dataset(as_csv(variant(), columns=columns)).problems

    assert {each.code for each in problems} == {"no-field-anywhere"}


def test_a_file_without_tasks_is_a_problem():
    assert [each.code for each in check_dataset("[]").problems] == ["no-tasks"]
    assert "no-tasks" in {
        each.code for each in check_dataset(as_list([record("9", key="")])).problems
    }
