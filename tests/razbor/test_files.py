"""What the commands say of real files of the original platform."""

from __future__ import annotations

import json

from razbor.main import main
from tests.annotator.files import exchanged, selection


def said(capsys, *arguments):
    """Exit status, what stands on the standard output, and the errors."""
    status = main(list(arguments))
    out, err = capsys.readouterr()
    return status, out.splitlines(), err.splitlines()


def test_halves_and_lists_of_points_are_shown(tmp_path, capsys):
    file = tmp_path / "a.json"
    file.write_bytes(exchanged("a.json", criteria={"K3": "3.5", "K4": [1, 2]}).data)

    status, lines, _ = said(capsys, "parse", str(file))
    main(["parse", "--json", str(file)])

    assert (status, lines[-1]) == (0, "stated points: K3 3.5, K4 1; 2")
    assert json.loads(capsys.readouterr().out)["criteria"] == {"K3": 3.5, "K4": [1, 2]}


def test_star_finds_the_experts_of_an_essay_by_the_organisers_long_names(tmp_path, capsys):
    marks = [selection(0, 4)]
    for name in ("0000001.json", "0000001_ru_his_a___1861_exp061.json", "0000001_exp7.json"):
        (tmp_path / name).write_bytes(exchanged(name, selections=marks).data)
    unmarked = "0000001_ru_his_a___1861_noexp.json"
    (tmp_path / unmarked).write_bytes(exchanged(unmarked).data)

    _, lines, _ = said(capsys, "star", str(tmp_path))

    assert [line.split()[:2] for line in lines if line.startswith("0000001")] == [["0000001", "2"]]


def wrapper(folder, *experts):
    """A file of an essay with a markup of each expert."""
    markups = [{"id": 1, "expert": each, "selections": [selection(0, 4)]} for each in experts]
    meta = {"subject": "eng"}
    file = folder / "case.json"
    essay = {"meta": meta, "text": "Some people think.", "markups": markups}
    file.write_text(json.dumps({"essay": essay}), encoding="utf-8")
    return str(file)


def test_a_wrapper_with_one_markup_is_that_markup(tmp_path, capsys):
    file = wrapper(tmp_path, "exp1")

    main(["parse", "--json", file])

    read = json.loads(capsys.readouterr().out)
    assert (read["meta"]["expert"], read["selections"][0]["type"]) == ("exp1", "А.грамм")


def test_a_wrapper_with_several_markups_is_refused_with_the_remedy(tmp_path, capsys):
    file = wrapper(tmp_path, "exp1", "exp2")

    status, _, errors = said(capsys, "grade", file)

    sentence = f"{file}: the file holds 2 markups. Give each in a file of its own."
    assert (status, sentence in errors[-1]) == (2, True)


def test_validate_tells_a_failed_gate_once_and_outer_blanks_of_a_text(tmp_path, capsys):
    file = tmp_path / "a.json"
    criteria = {f"K{number}": 1 for number in range(1, 13)}
    file.write_bytes(exchanged("a.json", "Коротко.\n", criteria=criteria, subject="rus").data)

    status, lines, _ = said(capsys, "validate", str(file))

    names = ", ".join(criteria)
    assert (status, [line for line in lines if "meta." not in line]) == (
        1,
        [
            f"{file}: text: The text begins or ends with white space. Remove it.",
            (
                f"{file}: criteria: {names}: {', '.join('1' * 12)} is stated, "
                "but the markup gives 0, since the essay is too short."
            ),
        ],
    )
