"""`razbor star DIR`: which file is whose markup, and what is said of the others."""

from __future__ import annotations

import json

import pytest

HEAD = "Предмет: английский\n\n"
ESSAY = HEAD + "She have a bike"
MARKED = HEAD + "She (\\ А.грамм \\ have \\) a bike"
WIDER = HEAD + "(\\ А.грамм \\ She have \\) a bike"
META = {"subject": "eng"}
FRAGMENT = {"id": 1, "startSelection": 4, "endSelection": 8, "type": "А.грамм", "group": "error"}
AS_JSON = {"meta": META, "text": "She have a bike", "selections": [FRAGMENT]}
EMPTY = {**AS_JSON, "selections": []}
CHOOSE = "Choose with --system: alpha, my_beta.\n"
ALONE = {"meta": META, "text": "She have a bike"}


@pytest.fixture
def star(folder, run):
    """Figures by essay, the notes, and STAR itself, of a folder with these files."""

    def star_of(*options, **files):
        path = folder() / "set"
        path.mkdir(exist_ok=True)
        for name, contents in files.items():
            text = contents if isinstance(contents, str) else json.dumps(contents)
            (path / name.removeprefix("e").replace("__", ".")).write_text(text, "utf-8")
        status, out, err = run("star", "set", *options)
        rows = [line.split() for line in out.splitlines()[1:-2]]
        return status, {row[0]: row[1:3] for row in rows}, err

    return star_of


def test_an_unmarked_text_is_no_algorithm(star):
    files = {"e1__txt": ESSAY, "e1__json": AS_JSON, "e2__txt": ESSAY, "e3__json": ALONE}

    status, rows, err = star(e1_exp01__txt=MARKED, e2_exp01__txt=MARKED, **files)

    assert (status, rows) == (0, {"1": ["1", "80.00"]})
    assert err == (
        "unmarked, hence no algorithm’s: 1.txt, 2.txt, 3.json\nno markup of the algorithm: 2\n"
    )


def test_a_folder_of_unmarked_essays_has_no_algorithm(star):
    assert star(e1__txt=ESSAY, e1_exp01__txt=MARKED) == (
        2,
        {},
        "razbor: set: no marked files ID.json or ID.txt here.\n",
    )


def test_a_text_with_fragments_is_an_algorithms_markup(star):
    assert star(e1__txt=MARKED, e1_exp01__json=AS_JSON) == (0, {"1": ["1", "80.00"]}, "")


def test_the_files_of_one_algorithm_are_chosen_by_its_login(star):
    files = {"e1_alpha__json": AS_JSON, "e1_my_beta__txt": WIDER, "e1_exp01__txt": MARKED}

    assert star("--system", "alpha", **files) == (
        0,
        {"1": ["1", "80.00"]},
        "not used: 1_my_beta.txt\n",
    )
    assert star("--system", "my_beta") == (0, {"1": ["1", "70.00"]}, "not used: 1_alpha.json\n")
    assert star() == (
        2,
        {},
        f"razbor: set: no marked files ID.json or ID.txt here. {CHOOSE}",
    )
    assert star("--system", "gamma") == (
        2,
        {},
        f"razbor: set: no files ID_gamma.json or ID_gamma.txt here. {CHOOSE}",
    )


def test_an_essay_whose_name_has_an_underscore_is_known_by_its_experts(star):
    files = {"e2020_1__json": AS_JSON, "e2020_1_exp02__txt": MARKED}

    assert star(**files) == (0, {"2020_1": ["1", "80.00"]}, "")


def test_files_that_are_not_used_are_named_up_to_twenty(star):
    others = {f"enote{number:02}__md": "x" for number in range(21)}

    _status, _rows, err = star(e1__json=AS_JSON, e1_exp01__txt=MARKED, **others)

    names = ", ".join(f"note{number:02}.md" for number in range(20))
    assert err == f"not used: {names} (and more: 1)\n"


def test_it_is_said_when_nobody_marked_anything(star):
    assert star(e1__json=EMPTY, e1_exp01__txt=ESSAY) == (
        0,
        {"1": ["1", "100.00"]},
        "0 fragments in every file: the figures compare empty markups\n",
    )


@pytest.mark.parametrize(
    ("algorithm", "expert", "who"), [(EMPTY, MARKED, "algorithm"), (AS_JSON, ESSAY, "experts")]
)
def test_it_is_said_who_marked_nothing_at_all(star, algorithm, expert, who):
    _status, _rows, err = star(e1__json=algorithm, e1_exp01__txt=expert)

    assert err == f"0 fragments in every file of the {who}\n"


@pytest.mark.parametrize("login", ["", "_exp01"])
def test_two_files_of_one_author_are_refused(star, login):
    twins = {f"e1{login}__json": AS_JSON, f"e1{login}__txt": MARKED}

    status, rows, err = star(**{"e1__json": AS_JSON, "e1_exp01__txt": MARKED, **twins})

    assert (status, rows) == (2, {})
    assert err == (
        f"razbor: set/1{login}.json and set/1{login}.txt are one author’s markups of one essay. "
        "Keep one of them.\n"
    )


@pytest.mark.parametrize("twin", ["1_EXP01.txt", "1_ru_eng_gap-year_exp01.txt"])
def test_two_files_of_one_author_are_refused_however_they_are_named(folder, run, twin):
    folder(**{"1__json": AS_JSON, "1_exp01__txt": MARKED})
    (folder() / twin).write_text(MARKED, "utf-8")

    status, out, err = run("star", ".")

    names = " and ".join(sorted((twin, "1_exp01.txt")))
    told = f"razbor: {names} are one author’s markups of one essay. Keep one of them.\n"
    assert (status, err) == (2, told)
    assert "1_exp" not in out


def test_an_algorithms_file_with_an_organisers_long_name_belongs_to_its_essay(folder, run):
    for name in ("exp1", "exp2", "lynx"):
        path = folder() / f"0001_ru_eng_gap-year_{name}.json"
        path.write_text(json.dumps(AS_JSON), "utf-8")

    status, out, _err = run("star", ".", "--system", "lynx", "--json")

    assert (status, json.loads(out)["STAR"] is not None) == (0, True)


def test_an_essay_with_a_file_that_cannot_be_used_is_left_out_and_named(star, run):
    good = {"e1__json": AS_JSON, "e1_exp01__txt": MARKED}
    bad = {"e2__json": AS_JSON, "e2_exp01__json": "{", "e3__json": "[", "e3_exp01__txt": MARKED}
    told = [
        f"set/{name}: line 1, column 2: This is not JSON. "
        "Look at the quotes, commas and brackets here."
        for name in ("2_exp01.json", "3.json")
    ]

    status, rows, err = star(**good, **bad)
    _status, out, _err = run("star", "set", "--json")

    assert (status, rows) == (2, {"1": ["1", "80.00"]})
    assert err == "".join(f"razbor: {each}\n" for each in told)
    found = json.loads(out)
    assert [each["essay"] for each in found["per_essay"]] == ["1"]
    assert found["problems"] == [
        {"essay": "2", "message": told[0]},
        {"essay": "3", "message": told[1]},
    ]


def test_an_expert_of_another_subject_is_refused(star):
    other = {**AS_JSON, "meta": {"subject": "rus"}, "selections": []}

    told = (
        "razbor: set/1_exp01.json is of the subject rus, set/1.json of eng. "
        "Correct the one or the other.\n"
    )
    assert star(e1__json=AS_JSON, e1_exp01__json=other) == (2, {}, told)


@pytest.mark.parametrize("weight", ["nan", "-1", "inf", "1e999", "1e308", "x"])
def test_weights_that_average_nothing_are_refused_in_a_sentence(run, weight):
    told = "razbor: --weights: give seven numbers from 0 to 1000000, not all of them 0.\n"
    assert run("star", ".", "--weights", f"0,1,{weight},1,1,1,0") == (2, "", told)


@pytest.mark.parametrize("hardness", ["0,5", "2", "nan", "x"])
def test_a_hardness_that_is_no_number_is_refused_in_a_sentence(run, hardness):
    told = "razbor: --hardness: give a number from 0 to 1, such as 0.5.\n"
    assert run("star", ".", "--hardness", hardness) == (2, "", told)
