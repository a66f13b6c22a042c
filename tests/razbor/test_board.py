"""`razbor board`: a folder as a table, and what is refused of a case."""

from __future__ import annotations

import json

import pytest

CASE = {
    "id": 1,
    "hardness": 1,
    "essays": {"1": {"experts": [80, 60]}},
    "participants": [{"name": "lynx", "state": "ranked", "accuracy": {"1": [70, 50]}}],
}
TEXT = "Предмет: история\n\n(*СЯП\\ Реформа *) и Царь"
OTHER = "Предмет: история\n\nРеформа и (*СЯП\\ Царь *)"
SHOWN = """\
rank  algorithm   STAR  95 %  ranks    OTAR  essays
   1  hedgehog   80.00  –     –      100.00       1
   2  lynx        0.00  –     –        0.00       1

Experts among themselves, STER: 80.00
How sure the ranks are is told from 10 essays on.
"""


def person(**changed):
    return {"participants": [{**CASE["participants"][0], **changed}]}


def test_a_folder_of_folders_is_a_board(folder, run):
    path = folder(**{f"1_exp0{number}__txt": TEXT for number in (1, 2)})
    for name, text in (("hedgehog", TEXT), ("lynx", OTHER)):
        (path / name).mkdir()
        (path / name / "1.txt").write_text(text, "utf-8")

    assert run("board", ".") == (0, SHOWN, "")


def test_a_folder_without_folders_is_refused(folder, run):
    folder(a__txt=TEXT)

    hint = "razbor: .: no folders of algorithms here. Put the files of each into its own.\n"
    assert run("board", ".") == (2, "", hint)


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"hardness": 1.5}, "hardness: The hardness H is a number from 0 to 1."),
        ({"hardness": True}, "hardness: The hardness H is a number from 0 to 1."),
        ({"essays": []}, "essays: A JSON object is expected here."),
        ({"essays": {"1": {}}}, "essays.1: The key “experts” is missing. Add it."),
        (
            {"essays": {"1": {"experts": [101]}}},
            "essays.1.experts[0]: An accuracy is a number from 0 to 100, in percent.",
        ),
        ({"participants": {}}, "participants: A list is expected here."),
        (
            {"participants": [*CASE["participants"], *CASE["participants"]]},
            "participants[1].name: The name “lynx” stands twice. Keep one of them.",
        ),
        (
            person(name=""),
            "participants[0].name: The string is empty. Write a name.",
        ),
        (
            person(state="no-answers"),
            "participants[0].state: “no-answers” is none of these: ranked, annulled, excluded.",
        ),
        (
            person(accuracy={"2": [1]}),
            "participants[0].accuracy.2: The essay “2” is not among “essays”. Add it there.",
        ),
        (
            person(accuracy={"1": ["70"]}),
            "participants[0].accuracy.1[0]: An accuracy is a number from 0 to 100, in percent.",
        ),
        (person(team="x"), "participants[0]: The key “team” is unknown. Check its spelling."),
    ],
)
def test_a_bad_case_is_refused_by_its_place(folder, run, changed, error):
    folder(boards__jsonl=json.dumps({**CASE, **changed}) + "\n")

    status, printed, told = run("board", "--jsonl", "boards.jsonl")

    assert (status, json.loads(printed)) == (2, {"id": 1, "error": error})
    assert told == ("razbor: boards.jsonl, line 1: the case cannot be used; its answer says why.\n")


@pytest.mark.parametrize("seed", ["-1", "x", "1.5", str(2**64)])
def test_a_seed_that_is_none_is_refused(folder, run, seed):
    folder(boards__jsonl=json.dumps(CASE))

    hint = "razbor: --seed: give a whole number from 0 on, such as 7.\n"
    assert run("board", f"--seed={seed}", "--jsonl", "boards.jsonl") == (2, "", hint)
