"""An essay without a markup is not one that lacks mistakes: it is refused, with what is missing."""

from __future__ import annotations

import pytest

FRAGMENT = {"id": 1, "startSelection": 0, "endSelection": 1, "type": "А.грамм", "group": "error"}
ESSAY = {"meta": {"subject": "eng"}, "text": "x"}
MARKED = {**ESSAY, "selections": [FRAGMENT]}
MISSPELT = {**ESSAY, "selection": [FRAGMENT]}
REFUSED = (
    "a.json: selection: The key is not part of the format and was ignored. Check its spelling.\n"
    "razbor: a.json: “selections” is missing. A markup without fragments is an empty list.\n"
)


@pytest.mark.parametrize(
    "arguments",
    [
        ["grade", "a.json"],
        ["compare", "a.json", "b.json"],
        ["compare", "b.json", "a.json"],
        ["third", "b.json", "a.json"],
    ],
    ids=" ".join,
)
def test_json_without_selections_is_no_markup(folder, run, arguments):
    folder(a__json=MISSPELT, b__json=MARKED)

    assert run(*arguments) == (2, "", REFUSED)


def test_an_empty_list_is_a_markup_without_fragments(folder, run):
    folder(a__json={**ESSAY, "selections": []})

    status, out, err = run("grade", "a.json", "--json")

    assert (status, err) == (0, "")
    assert (
        out == '{"criteria": {"K1": 0, "K2": 1, "K3": 3, "K4": 3, "K5": 2}, "total": 9, "K": 6}\n'
    )


def test_a_key_nobody_knows_is_told_beside_the_points(folder, run):
    fragment = {**FRAGMENT, "subtipe": "арт"}
    folder(a__json={**ESSAY, "selections": [fragment]})

    status, out, err = run("grade", "a.json", "--json")

    assert (status, out[:12]) == (0, '{"criteria":')
    assert err == (
        "a.json: selections[0].subtipe: The key is not part of the format and was ignored. "
        "Check its spelling.\n"
    )
