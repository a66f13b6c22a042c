"""The records that seed 001 shows, one of each type: fields, tasks and points are as it says."""

from __future__ import annotations

import json

import pytest

from schemes.core.use.exam import MAXIMA, TYPES
from schemes.core.use.prompts import read_instructions, render
from tests.schemes.core.use.exams import answer, scored

BASED_ON_TEXT = "multiple_choice_based_on_text"
OPTIONS_WITHIN_TEXT = "multiple_choice_options_within_text"
INDEPENDENT_OPTIONS = "multiple_choice_independent_options"
EXAMPLES = [
    ("праздничного", {"id": 1988, "id_task": "5", "variant": 104, "score": 1, "type": "text"}),
    ("8,1,9,7", {"id": 899, "id_task": "26", "variant": 29, "score": 4, "type": "matching"}),
    ("1,3", {"id": 0, "id_task": "1", "variant": 100, "score": 1, "type": BASED_ON_TEXT}),
    ("1,2", {"id": 377, "id_task": "15", "variant": 11, "score": 1, "type": OPTIONS_WITHIN_TEXT}),
    ("9", {"id": 1007, "id_task": "8_0", "variant": 0, "score": 1, "type": INDEPENDENT_OPTIONS}),
]

NUMBERS = (
    "Ответом к заданию является число или последовательность чисел, перечисленных через запятую "
    "без пробелов."
)
PROMPTS = {
    "multiple_choice": {
        "based_on_text": [
            (
                f"Прочитайте текст и выполните задание по тексту. {NUMBERS}\n"
                'Текст: "{text}"\nЗадание: {task}\nВарианты ответа:\n{choices}\nОтвет:'
            )
        ],
        "options_within_text": [
            (
                f"Прочитайте текст задания и выполните его указания. {NUMBERS}\n"
                'Задание: {task}\nТекст: "{text}"\nОтвет:'
            )
        ],
        "independent_options": [
            f"Задание: {{task}}\nВарианты ответа:\n{{choices}}\n{NUMBERS}\nОтвет:"
        ],
    },
    "text": [
        (
            'Задание: "{task}"\n"{text}"\nВыполни задание и запиши в качестве ответа слово или '
            "несколько слов в нижнем регистре без пробелов, запятых и других символов.\nОтвет:"
        )
    ],
    "matching": [
        (
            "Прочитайте текст, в котором использованы различные языковые средства: "
            '"{text}"\nВыполните задание по тексту: {task} Ответом на задание является '
            "последовательность цифр, записанных через запятую без пробелов в порядке, "
            "соответствующем буквам АБВГ.\nРецензии: {additional_text}\nСписок терминов:\n"
            "{choices}\nОтвет:"
        )
    ],
}
"""«Промпты»: the example of its file."""


@pytest.mark.parametrize(("key", "meta"), EXAMPLES)
def test_a_record_of_each_type_gets_its_score_for_its_own_key(key, meta):
    found = scored([{"outputs": key, "meta": meta}], [answer(meta["id"], key)])

    (outcome,) = found.outcomes
    assert (outcome.points, outcome.task.maximum) == (meta["score"], meta["score"])
    assert [problem.code for problem in found.warnings] == ["incomplete-variant"]


def test_five_points_for_a_task_are_those_of_the_five_parts_of_task_8():
    assert (max(MAXIMA.values()), sum(MAXIMA[f"8_{part}"] for part in range(5))) == (4, 5)


def test_the_file_of_prompts_serves_every_type():
    instructions = read_instructions(json.dumps(PROMPTS))

    assert set(instructions) == set(TYPES) - {"multiple_choice"}
    assert all(len(each) == 1 for each in instructions.values())


def test_a_prompt_of_the_seed_is_filled_with_the_inputs_of_a_record():
    inputs = {"task": "Запишите слово.", "text": "ОДЕЛИ", "choices": "", "additional_text": ""}

    assert render(PROMPTS["text"][0], inputs) == (
        'Задание: "Запишите слово."\n"ОДЕЛИ"\nВыполни задание и запиши в качестве ответа слово '
        "или несколько слов в нижнем регистре без пробелов, запятых и других символов.\nОтвет:"
    )
