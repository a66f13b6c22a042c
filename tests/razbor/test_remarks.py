"""A damaged markup is reckoned with as it is, and what is wrong with it is said."""

from __future__ import annotations

import json

import pytest

from razbor.commands import compare, grade

HEAD = "Предмет: английский\n\n"
MARKED = HEAD + "She (\\ А.грамм \\ have \\) a bike"
META = {"subject": "eng"}
NOT_IN_CLASSIFIER = (
    "The code “{}” is not in the classifier of this subject. Check its spelling.".format
)
IN_NONE = "The code “{}” is in no classifier. Check its spelling.".format
DAMAGED = {
    "А.грам": NOT_IN_CLASSIFIER("А.грам"),
    "A.грамм": NOT_IN_CLASSIFIER("A.грамм"),
    "П.логика": NOT_IN_CLASSIFIER("П.логика"),
    "": "The fragment has no code. Choose one.",
}


def fragment(code, **more):
    return {"startSelection": 4, "endSelection": 8, "type": code, "group": "error", **more}


def as_json(*fragments):
    return {"meta": META, "text": "She have a bike", "selections": list(fragments)}


@pytest.mark.parametrize("code", DAMAGED)
def test_a_damaged_code_of_a_file_is_named_once_by_every_command_that_counts(folder, run, code):
    folder(
        a__json=as_json(fragment("А.грамм"), fragment(code)),
        b__txt=MARKED,
        s__json=as_json(),
    )
    path = folder() / "set"
    path.mkdir()
    (path / "1.json").write_text(json.dumps(as_json(fragment(code))), "utf-8")
    (path / "1_exp01.txt").write_text(MARKED, "utf-8")
    told = f"a.json: fragment 2: {DAMAGED[code]}\n"

    for command in (
        ("grade", "a.json"),
        ("compare", "a.json", "b.txt"),
        ("third", "a.json", "b.txt"),
    ):
        status, _out, err = run(*command)
        assert (status, err) == (0, told)
    status, _out, err = run("star", "set")
    assert (status, err) == (0, f"set/1.json: fragment 1: {DAMAGED[code]}\n")


def test_a_subcode_of_another_code_is_named(folder, run):
    folder(a__json=as_json(fragment("А.грамм", subtype="нет")))

    status, _out, err = run("grade", "a.json")

    told = "The code А.грамм has no subcode “нет”. Choose one of its own."
    assert (status, err) == (0, f"a.json: fragment 1: {told}\n")


def test_what_the_reader_of_bracket_text_mended_is_told(folder, run):
    folder(a__txt=HEAD + "She (\\ А.грамм \\ have a bike", b__txt=MARKED)

    told = (
        "a.txt: line 3, column 5: The bracket is never closed; it ends with the text. Add “\\)”.\n"
    )
    assert run("compare", "a.txt", "b.txt")[::2] == (0, told)


def test_a_line_tells_its_remarks_and_a_clean_one_has_no_such_key(folder, run):
    clean = compare.SHAPE.example
    damaged = {**clean, "id": 2, "X": [fragment("А.грам")]}
    other = {**clean, "id": 3, "subject": "eng", "Y": [fragment("П.логика")]}
    folder(cases__jsonl="\n".join(map(json.dumps, (clean, damaged, other))))

    status, out, err = run("compare", "--jsonl", "cases.jsonl")

    answers = [json.loads(line) for line in out.splitlines()]
    assert (status, err) == (0, "")
    assert [each.get("remarks") for each in answers] == [
        None,
        [f"X: fragment 1: {IN_NONE('А.грам')}"],
        [f"Y: fragment 1: {NOT_IN_CLASSIFIER('П.логика')}"],
    ]


def test_the_answers_of_grade_and_star_tell_remarks_too(folder, run):
    graded = {**grade.SHAPE.example, "selections": [fragment("А.грам")]}
    essay = {
        "text": "She have a bike",
        "algorithm": [fragment("А.грамм")],
        "experts": [[], [fragment("А.грам")]],
    }
    folder(g__jsonl=json.dumps(graded), s__jsonl=json.dumps({"id": 1, "essays": [essay]}))

    _status, out, _err = run("grade", "--jsonl", "g.jsonl")
    assert json.loads(out)["remarks"] == [f"selections: fragment 1: {NOT_IN_CLASSIFIER('А.грам')}"]
    _status, out, _err = run("star", "--jsonl", "s.jsonl")
    assert json.loads(out)["remarks"] == [f"essays[0].experts[1]: fragment 1: {IN_NONE('А.грам')}"]


@pytest.mark.parametrize("command", ["compare", "grade", "star"])
def test_help_tells_where_the_remarks_of_a_line_stand(run, command):
    _status, out, _err = run(command, "--help")

    assert "“remarks” of the answer" in " ".join(out.split())


def test_texts_that_differ_for_what_was_mended_are_told_so(folder, run):
    folder(a__txt=HEAD + "She (\\ have \\) (\\ А.грамм a bike", b__txt=HEAD + "She has a bike")

    status, _out, err = run("compare", "a.txt", "b.txt")

    assert status == 2
    assert err.splitlines()[-1] == (
        "razbor: a.txt and b.txt are markups of different texts. Choose two of one essay. "
        "What was mended in a.txt may have changed the text: see the remarks."
    )
