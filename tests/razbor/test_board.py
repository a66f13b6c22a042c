"""`razbor board`: a folder as a table, and what is refused of a case."""

from __future__ import annotations

import json
import sys
from pathlib import Path

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
PARTIAL = (
    "{}: ranked by 1 of 2 essays alone; on the platform who leaves out more than a twentieth has "
    "no rank\n"
)


def person(**changed):
    return {"participants": [{**CASE["participants"][0], **changed}]}


def test_a_folder_of_folders_is_a_board(folder, run):
    path = folder(**{f"1_exp0{number}__txt": TEXT for number in (1, 2)})
    for name, text in (("hedgehog", TEXT), ("lynx", OTHER)):
        (path / name).mkdir()
        (path / name / "1.txt").write_text(text, "utf-8")

    assert run("board", ".") == (0, SHOWN, "")


def test_without_numpy_a_board_names_what_brings_it(folder, run, monkeypatch):
    essays = {f"{number:02}": TEXT for number in range(10)}
    path = folder(**{f"{each}_exp0{n}__txt": TEXT for each in essays for n in (1, 2)})
    (path / "hedgehog").mkdir()
    for each, text in essays.items():
        (path / "hedgehog" / f"{each}.txt").write_text(text, "utf-8")
    monkeypatch.setitem(sys.modules, "numpy", None)
    monkeypatch.delitem(sys.modules, "scoring.core.bootstrap", raising=False)

    status, printed, _told = run("board", ".")

    assert (status, printed.splitlines()[-1]) == (
        0,
        "How sure the ranks are needs numpy: pip install razbor[bulk]",
    )


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("named", [".", "final"])
def test_an_unpacked_archive_of_finals_is_a_board_where_each_markup_counts_once(run, named):
    for place, text in (
        ("experts/1_exp001", TEXT),
        ("experts/1_exp002", TEXT),
        ("participants/hedgehog/1", TEXT),
        ("participants/lynx/1", OTHER),
    ):
        path = Path("final", place + ".txt")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        path.with_suffix(".json").write_text(run("parse", path, "--json")[1], "utf-8")
    Path("SHA256SUMS").touch()

    assert run("board", named) == (0, SHOWN, "")


PLAIN = "Предмет: история\n\nРеформа и Царь"
NONE_MARKED = "razbor: {}: no marked files ID.json or ID.txt here.\n"
NO_EXPERT = "no markup of an expert, hence not counted: {}\n"
NOBODY = (
    "razbor: .: no essay an algorithm has marked was marked by an expert. Put the experts’ files "
    "ID_expNN.json or ID_expNN.txt here.\n"
)
NOT_UTF_8 = "razbor: lynx: {}: byte 0 is not UTF-8. Save the file in that encoding.\n"
NOTHING_LEFT = "razbor: .: no essay is left to make a board of. Correct the files named above.\n"


@pytest.fixture
def tree(folder):
    """A folder with two experts' markups of one essay, and whatever else is named."""
    root = folder(**{f"1_exp0{number}__txt": TEXT for number in (1, 2)})

    def write(**files):
        for name, contents in files.items():
            path = root / name.replace("__", ".").replace("ǀ", "/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(contents if isinstance(contents, bytes) else contents.encode())
        return root

    return write


@pytest.mark.parametrize(
    ("files", "errors"),
    [
        ({}, "razbor: .: no folders of algorithms here. Put the files of each into its own.\n"),
        ({"lynxǀx__md": "x"}, NONE_MARKED.format("lynx")),
        ({"lynxǀ1__txt": PLAIN}, NONE_MARKED.format("lynx")),
        (
            {"lynxǀ2__txt": TEXT},
            "lynx: no markup of the algorithm: 1\nlynx: " + NO_EXPERT.format(2) + NOBODY,
        ),
        ({"lynxǀ1__txt": b"\xff"}, NOT_UTF_8.format("lynx/1.txt") + NOTHING_LEFT),
        (
            {"lynxǀ1__txt": TEXT, "lynxǀ1__TXT": OTHER},
            "razbor: lynx: lynx/1.TXT and lynx/1.txt are one author’s markups of one essay. "
            "Keep one of them.\n" + NOTHING_LEFT,
        ),
    ],
)
def test_a_folder_that_makes_no_board_is_refused_with_place_and_remedy(tree, run, files, errors):
    tree(**files)

    assert run("board", ".") == (2, "", errors)


@pytest.mark.parametrize(
    ("files", "status", "notes"),
    [
        ({"x__md": "x", "7__txt": TEXT}, 0, "not used: 7.txt, x.md\n"),
        ({"lynxǀx__md": "x"}, 0, "lynx: not used: x.md\n"),
        ({"lynxǀ9__txt": OTHER}, 0, "lynx: " + NO_EXPERT.format(9)),
        (
            {"2_exp01__txt": TEXT},
            0,
            "hedgehog: no markup of the algorithm: 2\nlynx: no markup of the algorithm: 2\n"
            + PARTIAL.format("hedgehog")
            + PARTIAL.format("lynx"),
        ),
        ({"lynxǀ2__txt": b"\xff"}, 2, NOT_UTF_8.format("lynx/2.txt")),
    ],
)
def test_what_a_board_leaves_out_is_told_by_name(tree, run, files, status, notes):
    tree(hedgehogǀ1__txt=TEXT, lynxǀ1__txt=OTHER)
    tree(**files)

    assert run("board", ".") == (status, SHOWN, notes)


def test_a_markup_of_an_essay_no_expert_marked_is_no_essay_of_the_board(tree, run):
    tree(lynxǀ1__txt=TEXT, lynxǀ9__txt=OTHER)

    _status, out, _errors = run("board", ".", "--json")

    assert json.loads(out)["essays"] == 1


def test_an_essay_nobody_answered_counts_among_the_essays_and_for_the_experts(tree, run):
    tree(lynxǀ1__txt=TEXT, **{f"2_exp0{n}__txt": text for n, text in ((1, TEXT), (2, OTHER))})

    _status, out, _errors = run("board", ".", "--json")

    made = json.loads(out)
    assert (made["essays"], made["STER"]) == (2, 40)  # of two essays 80 and 0


def test_an_essay_whose_only_markups_cannot_be_read_is_named_and_left_out(tree, run):
    tree(hedgehogǀ1__txt=TEXT, lynxǀ1__txt=OTHER, **{"2_exp01__txt": b"\xff"})

    status, out, errors = run("board", ".")

    assert (status, out) == (2, SHOWN)
    assert errors.startswith("razbor: 2_exp01.txt: byte 0 is not UTF-8.")


@pytest.mark.parametrize("command", ["board", "star"])
def test_a_folder_the_system_does_not_let_us_look_for_is_named(run, command):
    name = "a" * 300

    assert run(command, name) == (2, "", f"razbor: {name}: File name too long.\n")


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
@pytest.mark.parametrize("key", ["hardness", "essays", "accuracy"])
def test_a_number_that_is_none_is_refused_with_its_place(folder, run, key, number):
    changed = {
        "hardness": {"hardness": "HERE"},
        "essays": {"essays": {"1": {"experts": ["HERE"]}}},
        "accuracy": person(accuracy={"1": ["HERE"]}),
    }[key]
    line = json.dumps({**CASE, **changed}).replace('"HERE"', number)
    folder(cases__jsonl=line + "\n")

    status, out, errors = run("board", "--jsonl", "cases.jsonl")

    assert (status, "rows" in out) == (2, False)
    place = f"line 1, column {line.index(number) + 1}"
    assert f"The number {number} cannot be used. Write a finite one." in out + errors
    assert place in out + errors


@pytest.mark.parametrize("number", ["NaN", "1e999"])
def test_a_markup_with_a_number_that_is_none_is_left_out_by_its_place(tree, run, number):
    text = '{"text": "Реформа и Царь", "selections": [{"startSelection": HERE}]}'
    tree(hedgehogǀ1__txt=TEXT, lynxǀ1__json=text.replace("HERE", number))

    status, out, errors = run("board", ".")

    assert (status, "nan" in out.casefold()) == (2, False)
    assert f"lynx/1.json: line 1, column 62: The number {number} cannot be used." in errors


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
    assert told == f"razbor: boards.jsonl, line 1: {error}\n"


@pytest.mark.parametrize("seed", ["-1", "x", "1.5", str(2**63)])
def test_a_seed_that_is_none_is_refused(folder, run, seed):
    folder(boards__jsonl=json.dumps(CASE))

    hint = "razbor: --seed: give a whole number from 0 to 9223372036854775807, such as 7.\n"
    assert run("board", f"--seed={seed}", "--jsonl", "boards.jsonl") == (2, "", hint)
