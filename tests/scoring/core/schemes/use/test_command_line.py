"""`razbor score use`: what is printed, where, and with which exit status."""

import io
import json
import sys

import pytest

from razbor import words
from razbor.commands import score as dispatcher
from razbor.main import main
from scoring.core.schemes.use.messages import READINGS, REASONS, SENTENCES
from tests.scoring.core.schemes.use.exams import (
    answer,
    as_archive,
    as_document,
    as_lines,
    record,
    right_answers,
    variant,
)

INPUTS = {"task": "Найдите сову.", "text": "Сова спит.", "choices": "", "additional_text": ""}


NOT_JSON = "This is not JSON. Look at the quotes, commas and brackets here."
EMPTY_KEY = "The key is empty, so nothing could be right. Write the right answer."


class Marked:
    """A catalogue that marks every message it is asked for."""

    def gettext(self, message):
        return f"<{message}>"


@pytest.fixture(autouse=True)
def in_english(monkeypatch):
    monkeypatch.setattr(words, "_catalogue", words.gettext.NullTranslations())


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder, **files):
    for name, contents in files.items():
        data = contents if isinstance(contents, bytes) else contents.encode()
        (folder / f"{name}.json").write_bytes(data)


def run(capsys, *arguments):
    status = main(["score", "use", *arguments])
    printed = capsys.readouterr()
    return status, printed.out, printed.err


GOLD = ("--answer", "gold.json", "--prediction", "pred.json")


def lossy():
    answers = {each["meta"]["id"]: each for each in right_answers(variant(3))}
    answers[90]["outputs"] = "2,4"
    answers[91]["outputs"] = "филин"
    answers[109]["outputs"] = "2"
    answers[119]["outputs"] = "4,1,3"
    del answers[92]
    return list(answers.values())


def test_the_figures_the_lost_points_and_the_readings(folder, capsys):
    write(folder, gold=as_document(variant(3)), pred=as_document([*lossy(), answer("x", "1")]))

    status, out, err = run(capsys, *GOLD)

    assert (status, err) == (0, "")
    assert out == (
        "grade_norm 0.765 (people in 2019: 0.701)\n"
        "variant  points  of  not in the key  no prediction\n"
        "      3      26  34               –              3\n"
        "\n"
        "variant  task  id   points  of  because of\n"
        "      3     1   90       0   1  missing 5; too many 4\n"
        "      3     2   91       0   1  read as “филин”; accepted: сова\n"
        "      3     3   92       0   1  no prediction\n"
        "      3    16  109       1   2  missing 5\n"
        "      3    26  119       0   4  expected 4 numbers, got 3\n"
        "\n"
        "pred.json, line 1, record 30, id x: The key has no task of this id. "
        "The answer was ignored.\n"
        "reading: task 26 with another number of entries than four gives 0, not a point for each "
        "entry in its place: 1\n"
        "reading: a task without a prediction gives 0: 1\n"
    )


def test_a_perfect_prediction_lost_nothing(folder, capsys):
    write(folder, gold=as_document(variant()), pred=as_document(right_answers(variant())))

    assert run(capsys, *GOLD) == (
        0,
        (
            "grade_norm 1.000 (people in 2019: 0.701)\n"
            "variant  points  of  not in the key  no prediction\n"
            "      0      34  34               –              –\n"
            "No task lost points.\n"
        ),
        "",
    )


def test_the_train_split_has_no_grade_norm(folder, capsys):
    key = variant()[:2]
    write(folder, gold=as_document(key, "train"), pred=as_document(right_answers(key), "train"))

    status, out, _ = run(capsys, *GOLD, "--split", "train")

    assert status == 0
    assert "grade_norm 0" not in out
    assert "gold.json: The variants of the train split are not whole" in out


def test_json_has_the_whole_score(folder, capsys):
    key = [record("16", number=5, variant=2), record("9", number=6, variant=2)]
    write(folder, gold=as_document(key), pred=as_lines([answer(5, "2,4"), answer(7, "1")]))

    status, out, err = run(capsys, *GOLD, "--json")

    found = json.loads(out)
    (reading_missing, reading_34) = found.pop("readings")
    (incomplete, unknown) = found.pop("warnings")
    assert (status, err) == (0, "")
    assert found == {
        "grade_norm": 1 / 34,
        "variants": {
            "2": {
                "points": 1,
                "max": 34,
                "missing": [
                    *"12345678"[:7],
                    *(f"8_{part}" for part in range(5)),
                    *map(str, [10, 11, 12, 13, 14, 15, *range(17, 27)]),
                ],
                "unanswered": ["9"],
            }
        },
        "tasks": [
            {
                "id": "6",
                "variant": "2",
                "id_task": "9",
                "type": "multiple_choice_independent_options",
                "points": 0,
                "max": 1,
                "answered": False,
                "reason": {"code": "no-prediction", "message": "no prediction"},
                "readings": ["missing-is-zero"],
            },
            {
                "id": "5",
                "variant": "2",
                "id_task": "16",
                "type": "multiple_choice_independent_options",
                "points": 1,
                "max": 2,
                "answered": True,
                "reason": {
                    "code": "numbers-differ",
                    "missing": ["5"],
                    "extra": ["4"],
                    "missing_count": 1,
                    "extra_count": 1,
                    "message": "missing 5; too many 4",
                },
                "readings": [],
            },
        ],
    }
    assert unknown == {
        "code": "unknown-id",
        "file": "prediction",
        "record": 2,
        "line": 2,
        "id": "7",
        "message": "The key has no task of this id. The answer was ignored.",
    }
    assert (incomplete["code"], incomplete["file"]) == ("incomplete-variant", "key")
    assert reading_missing == {
        "code": "missing-is-zero",
        "count": 1,
        "message": "reading: a task without a prediction gives 0",
    }
    assert (reading_34["code"], reading_34["count"]) == ("incomplete-by-34", 1)


@pytest.mark.parametrize(
    ("options", "expected"), [((), 32), (("--lenient",), 33), (("--lenient", "--yo"), 34)]
)
def test_the_options_are_off_by_default(folder, capsys, options, expected):
    key = variant()
    key[1]["outputs"] = "ёж"
    answers = right_answers(key)
    answers[0]["outputs"], answers[1]["outputs"] = "2; 5", "еж"
    write(folder, gold=as_document(key), pred=as_document(answers))

    _, out, _ = run(capsys, *GOLD, *options, "--json")

    assert json.loads(out)["variants"]["0"]["points"] == expected


def test_an_archive_and_standard_input_are_read(folder, capsys, monkeypatch):
    write(folder, gold=as_document(variant()))
    submission = as_archive({"USE.json": as_document(right_answers(variant()))})
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(submission)))

    status, out, _ = run(capsys, "--answer", "gold.json", "--prediction", "-")

    assert (status, out.splitlines()[0]) == (0, "grade_norm 1.000 (people in 2019: 0.701)")


WHOLE = as_document(variant())
UNUSABLE = [
    (
        '{"data": {"dev": [], "train": []}}',
        "[]",
        "gold.json: There is no split “test”; present are: dev, train. Choose one with --split.",
    ),
    (
        WHOLE,
        as_document([], "dev"),
        "pred.json: There is no split “test”; present are: dev. Choose one with --split.",
    ),
    (
        '{"data":\n{"test": [}',
        "[]",
        f"gold.json: line 2, column 11: {NOT_JSON}",
    ),
    (
        as_document([record("9", number=899, key="")]),
        "[]",
        f"gold.json, line 1, record 1, id 899, outputs: {EMPTY_KEY}",
    ),
    ("[]", "[]", "gold.json: No task can be scored. Check the file and the split."),
    (WHOLE, "", "pred.json: The file is empty."),
    (
        WHOLE,
        as_archive({"BPS.json": ""}),
        "pred.json: The archive has no USE.json; it has: BPS.json.",
    ),
]


@pytest.mark.parametrize(("gold", "pred", "line"), UNUSABLE)
def test_unusable_files_are_told_in_one_line_and_nothing_is_written(
    folder, capsys, gold, pred, line
):
    write(folder, gold=gold, pred=pred)

    for options in ((), ("--json",)):
        assert run(capsys, *GOLD, *options) == (2, "", f"razbor: {line}\n")


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (("--answer", "none.json"), "none.json: No such file or directory. Check the name."),
        (("--check", "gold.json"), "Give --answer and --prediction, or --check, or --prompts."),
        (("--instructions", "x"), "--instructions belongs to --prompts."),
    ],
)
def test_unusable_options_are_told_in_one_line_and_nothing_is_written(
    folder, capsys, options, line
):
    write(folder, gold=WHOLE, pred="[]")

    assert run(capsys, *GOLD, *options) == (2, "", f"razbor: {line}\n")


@pytest.mark.parametrize("arguments", [(), ("--answer", "x"), ("--json",), ("--prediction", "x")])
def test_without_files_it_says_what_to_give(capsys, arguments):
    assert run(capsys, *arguments) == (
        2,
        "",
        "razbor: Give --answer and --prediction, or --check, or --prompts.\n",
    )


def dataset():
    return [{"instruction": "{task}\n{text}", "inputs": INPUTS, **each} for each in variant()]


def test_the_check_of_a_sound_data_set_ends_with_0(folder, capsys):
    write(folder, data=as_document(dataset()))

    assert run(capsys, "--check", "data.json") == (
        0,
        "data.json: 30 tasks of 1 variants of 34 points, problems: 0\n",
        "",
    )


def test_the_check_of_another_names_its_problems_and_ends_with_1(folder, capsys):
    records = dataset()
    records[3]["meta"]["score"] = 5
    write(folder, data=as_document(records))

    place = "data.json, line 1, record 4, id 3, meta.score"
    assert run(capsys, "--check", "data.json") == (
        1,
        (
            f"{place}: The score of task 4 must be 1.\n"
            "data.json: 30 tasks of 1 variants of 34 points, problems: 1\n"
        ),
        "",
    )
    status, out, _ = run(capsys, "--check", "data.json", "--json")
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


def test_the_check_of_an_unusable_file_ends_with_2(folder, capsys):
    write(folder, data="{}")

    status, out, err = run(capsys, "--check", "data.json")

    assert (status, out, err.count("\n")) == (2, "", 1)


def test_prompts_are_written_one_a_line(folder, capsys):
    write(
        folder,
        data=as_document(dataset()[1:2]),
        more='{"text": ["Скажи: {task}", "{text}"]}',
    )

    status, out, err = run(capsys, "--prompts", "data.json", "--instructions", "more.json")

    expected = {"id": "1", "variant": "0", "id_task": "2", "type": "text"}
    assert (status, err) == (0, "")
    assert [json.loads(line) for line in out.splitlines()] == [
        {**expected, "number": 1, "text": "Скажи: Найдите сову."},
        {**expected, "number": 2, "text": "Сова спит."},
    ]


def test_prompts_take_the_records_own_instructions_and_name_those_without(folder, capsys):
    records = dataset()[:2]
    del records[0]["instruction"]
    write(folder, data=as_document(records))

    status, out, err = run(capsys, "--prompts", "data.json")

    assert (status, json.loads(out)["text"]) == (1, "Найдите сову.\nСова спит.")
    assert err == (
        "data.json, line 1, record 1, id 0, instruction: The field is missing. Add it.\n"
    )


def test_bad_instructions_are_refused_before_anything_is_written(folder, capsys):
    write(folder, data=as_document(dataset()), more='{"text": ["{x}"]}')

    status, out, err = run(capsys, "--prompts", "data.json", "--instructions", "more.json")

    assert (status, out) == (2, "")
    assert err == (
        "razbor: more.json: text[0]: The instruction names {x}. "
        "Use {task}, {text}, {choices} or {additional_text}.\n"
    )


def test_every_word_goes_through_the_catalogue(folder, capsys, monkeypatch):
    monkeypatch.setattr(words, "_catalogue", Marked())
    write(folder, gold=as_document(variant(3)), pred=as_document([*lossy(), answer("x", "1")]))

    _, out, _ = run(capsys, *GOLD)

    messages = [*SENTENCES.values(), *REASONS.values(), *READINGS.values()]
    assert "<grade_norm 0.765 (people in 2019: 0.701)>" in out
    assert "<variant>  <points>  <of>  <not in the key>  <no prediction>" in out
    assert "<missing 5>; <too many 4>" in out
    assert "pred.json, <line 1>, <record 30>, <id x>: <The key has no task of this id." in out
    assert sum(f"<{message}>" in out for message in messages) == 4


def test_every_language_has_the_words_of_help(capsys, monkeypatch):
    monkeypatch.setattr(words, "_catalogue", Marked())

    for arguments, word in [
        (["score", "--help"], "<Score with another scoring system: use, coscore.>"),
        (["score", "use", "--help"], "<ё and е are one letter>"),
    ]:
        with pytest.raises(SystemExit) as caught:
            main(arguments)
        assert caught.value.code == 0
        assert word in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("arguments", [["score"], ["score", "nothing"], ["score", "use", "--no"]])
def test_an_unknown_system_or_option_is_refused(capsys, arguments):
    with pytest.raises(SystemExit) as caught:
        main(arguments)

    assert caught.value.code == 2
    assert capsys.readouterr().out == ""


def test_every_system_is_a_module_of_the_commands():
    assert all(name.startswith("razbor.commands.score_") for name in dispatcher.SCHEMES.values())
