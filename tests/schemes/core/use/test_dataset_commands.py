"""`razbor score use --check` and `--prompts`: a data set without predictions."""

from __future__ import annotations

import json

from tests.schemes.core.use.exams import as_document, variant

INPUTS = {"task": "Найдите сову.", "text": "Сова спит.", "choices": "", "additional_text": ""}


def dataset():
    return [{"instruction": "{task}\n{text}", "inputs": INPUTS, **each} for each in variant()]


def test_the_check_of_a_sound_data_set_ends_with_0(write, run):
    write(data=as_document(dataset()))

    assert run("use", "--check", "data.json") == (
        0,
        "data.json: tasks: 30, variants: 1 (of 34 points each), problems: 0\n",
        "",
    )


def test_the_check_of_another_names_its_problems_and_ends_with_1(write, run):
    records = dataset()
    records[3]["meta"]["score"] = 5
    write(data=as_document(records))

    place = "data.json, line 1, record 4, id 3, meta.score"
    assert run("use", "--check", "data.json") == (
        1,
        (
            f"{place}: The score of task 4 must be 1.\n"
            "data.json: tasks: 30, variants: 1 (of 34 points each), problems: 1\n"
        ),
        "",
    )
    status, out, _ = run("use", "--check", "data.json", "--json")
    assert (status, json.loads(out)) == (
        1,
        {
            "tasks": 30,
            "variants": 1,
            "split": "test",
            "problems": [
                {
                    "code": "score-differs",
                    "file": "key",
                    "record": 4,
                    "line": 1,
                    "id": "3",
                    "field": "meta.score",
                    "message": "The score of task 4 must be 1.",
                }
            ],
        },
    )


def test_the_check_of_an_unusable_file_ends_with_2(write, run):
    write(data="{}")

    status, out, err = run("use", "--check", "data.json")

    assert (status, out, err.count("\n")) == (2, "", 1)


def test_prompts_are_written_one_a_line(write, run):
    write(
        data=as_document(dataset()[1:2]),
        more='{"text": ["Скажи: {task}", "{text}"]}',
    )

    status, out, err = run("use", "--prompts", "data.json", "--instructions", "more.json")

    expected = {"id": "1", "variant": "0", "id_task": "2", "type": "text"}
    assert (status, err) == (0, "")
    assert [json.loads(line) for line in out.splitlines()] == [
        {**expected, "number": 1, "text": "Скажи: Найдите сову."},
        {**expected, "number": 2, "text": "Сова спит."},
    ]


def test_prompts_take_the_records_own_instructions_and_name_those_without(write, run):
    records = dataset()[:2]
    del records[0]["instruction"]
    write(data=as_document(records))

    status, out, err = run("use", "--prompts", "data.json")

    assert (status, json.loads(out)["text"]) == (1, "Найдите сову.\nСова спит.")
    assert err == (
        "data.json, line 1, record 1, id 0, instruction: The field is missing. Add it.\n"
    )


def test_bad_instructions_are_refused_before_anything_is_written(write, run):
    write(data=as_document(dataset()), more='{"text": ["{x}"]}')

    status, out, err = run("use", "--prompts", "data.json", "--instructions", "more.json")

    assert (status, out) == (2, "")
    assert err == (
        "razbor: more.json: text[0]: The instruction names {x}. "
        "Use {task}, {text}, {choices} or {additional_text}.\n"
    )
