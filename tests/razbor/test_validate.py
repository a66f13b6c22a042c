"""`razbor validate`: every problem of every file, one a line."""

from __future__ import annotations

import pytest

NOT_IN_CLASSIFIER = "The code “А.нет” is not in the classifier of this subject. Check its spelling."
META = {"uuid": "u", "theme": "t", "year": 2020, "subject": "eng", "test": "e"}
FRAGMENT = {"id": 1, "startSelection": 0, "endSelection": 3, "type": "А.грамм", "group": "error"}
WHOLE = {"meta": META, "text": "She have", "selections": [FRAGMENT]}
EMPTY = "Nothing stands here, though the format asks for it. Fill it in."


def test_a_code_with_a_line_break_is_one_line_of_the_report(folder, run):
    fragment = {"id": 1, "startSelection": 0, "endSelection": 1, "type": "А\nб", "group": "error"}
    folder(a__json={"meta": META, "text": "x", "selections": [fragment]})

    sentence = (
        "fragment 1: The code “А\\nб” is not in the classifier of this subject. Check its spelling."
    )
    assert run("validate", "a.json") == (1, f"a.json: {sentence}\n", "")


def test_an_empty_file_is_called_empty(folder, run):
    folder(a__json="\n")

    assert run("validate", "a.json") == (2, "", "razbor: a.json: the file is empty.\n")


def test_files_after_one_that_cannot_be_read_are_checked_too(folder, run):
    folder(a__json="{", b__json=WHOLE, d__json={**WHOLE, "colour": "red"})

    status, out, err = run("validate", "a.json", "b.json", "c.json", "d.json")

    assert status == 2
    assert err == (
        "razbor: a.json: line 1, column 2: This is not JSON. "
        "Look at the quotes, commas and brackets here.\n"
        "razbor: c.json: there is no such file. Check the name.\n"
    )
    assert out == (
        "b.json: no problems\nd.json: colour: The key is not part of the format and was ignored. "
        "Check its spelling.\n"
    )


def test_every_problem_of_a_refused_file_is_told_with_the_number_it_has_there(folder, run):
    wrong = [{**FRAGMENT, "endSelection": 99}, {**FRAGMENT, "startSelection": "x"}]
    unknown, crossed = {**FRAGMENT, "type": "А.нет"}, {**FRAGMENT, "endSelection": 5}
    crossing = {**FRAGMENT, "startSelection": 4, "endSelection": 8}
    selections = [*wrong, unknown, crossed, crossing]
    folder(a__json={**WHOLE, "meta": {**META, "theme": ""}, "selections": selections})

    status, out, err = run("validate", "a.json")

    assert (status, err) == (2, "")
    assert out.splitlines() == [
        "a.json: selections[0]: The bounds 0–99 lie outside the text of 8 characters.",
        (
            "a.json: selections[1].startSelection: "
            "A value of another type is expected here: whole number."
        ),
        f"a.json: meta.theme: {EMPTY}",
        f"a.json: fragment 3: {NOT_IN_CLASSIFIER}",
        "a.json: fragment 5: The fragment crosses fragment 4. Nest one in the other.",
    ]


@pytest.mark.parametrize("empty", [None, ""])
@pytest.mark.parametrize("field", META)
def test_a_field_the_json_format_does_not_let_be_empty_is_asked_for(folder, run, field, empty):
    folder(a__json={**WHOLE, "meta": {**META, field: empty}})

    assert run("validate", "a.json") == (1, f"a.json: meta.{field}: {EMPTY}\n", "")


@pytest.mark.parametrize("field", ["id", "class", "taskText", "category", "expert"])
def test_other_fields_may_be_empty(folder, run, field):
    folder(a__json={**WHOLE, "meta": {**META, field: ""}})

    assert run("validate", "a.json") == (0, "a.json: no problems\n", "")


def test_a_file_without_meta_and_text_is_asked_for_all_of_it_in_one_line(folder, run):
    folder(a__json={"text": " "})

    asked_for = ", ".join([*(f"meta.{field}" for field in META), "text"])
    assert run("validate", "a.json") == (1, f"a.json: {asked_for}: {EMPTY}\n", "")


def test_an_experts_file_names_the_expert(folder, run):
    folder(**{"0001_exp02__json": WHOLE})

    assert run("validate", "0001_exp02.json") == (
        1,
        f"0001_exp02.json: meta.expert: {EMPTY}\n",
        "",
    )


def test_bracket_text_may_leave_all_but_the_subject_empty(folder, run):
    folder(a__txt="Предмет: английский\n\nShe have", b__txt="She have")

    assert run("validate", "a.txt", "b.txt") == (
        1,
        f"a.txt: no problems\nb.txt: Предмет: {EMPTY}\n",
        "",
    )
    assert run("validate", "b.txt", "--subject", "eng") == (0, "b.txt: no problems\n", "")


@pytest.mark.parametrize("text", ["She (\\ А.грамм \\ have \\)", "She have *)"])
def test_what_parse_wrote_is_accepted(folder, run, text):
    folder(a__txt=f"Предмет: английский\n\n{text}")
    _status, written, _err = run("parse", "a.txt", "--json")
    folder(b__json=written)

    assert run("validate", "b.json") == (0, "b.json: no problems\n", "")


def test_a_file_that_is_no_object_or_holds_no_essay_is_told_once(folder, run):
    folder(a__json=[], b__txt="Предмет: английский\n\n")

    assert run("validate", "a.json", "b.txt") == (
        2,
        (
            "a.json: One JSON object with “text” and “selections” is expected, and this "
            "is a list. Put "
            f"its fragments into “selections”.\nb.txt: text: {EMPTY}\n"
        ),
        "",
    )


def test_an_essay_alone_is_right_and_said_to_have_no_markup(folder, run):
    folder(a__json={"meta": META, "text": "She have"})

    told = "a.json: no problems\na.json: no markup in it, an essay alone.\n"
    assert run("validate", "a.json") == (0, told, "")
