from __future__ import annotations

import ast
from pathlib import Path

import pytest

import annotator.services
import contest.services
from annotator.core.file_words import AS_SAID, FILE_SENTENCES
from annotator.core.messages import SENTENCES, describe, sentence_of
from annotator.core.problems import Problem, from_json, to_json
from annotator.services.refusals import MarkupConflict, told_by, unfit

SERVICES = [Path(each.__file__).parent for each in (annotator.services, contest.services)]


def codes_of_the_services():
    """The codes that a service names, whatever it makes of them."""
    for path in (path for folder in SERVICES for path in folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            name = getattr(getattr(node, "func", None), "id", "")
            if name in {"unfit", "Problem"} and isinstance(node.args[0], ast.Constant):
                yield node.args[0].value


def test_every_code_of_a_service_has_a_sentence_and_every_sentence_is_needed():
    assert {*codes_of_the_services(), AS_SAID} - set(SENTENCES) == set(FILE_SENTENCES)


@pytest.mark.parametrize(
    "problem",
    [
        Problem("is-empty"),
        Problem("no-essay"),
        Problem("other-text", fields={"essay": "0001"}),
        Problem("unknown-code", number=2, line=5, column=16, blocks=False, fields={"word": "x"}),
        Problem("unknown-key", path="essay.metrics", blocks=False),
        Problem("crossing-kept", fragment=2, fields={"other": 1}),
    ],
)
def test_what_is_kept_of_a_problem_is_the_problem(problem):
    assert from_json(to_json(problem)) == problem


def test_a_refusal_is_told_by_its_code_and_values():
    refusal = unfit("is-of-a-kind", kind="picture")

    assert refusal.told == (Problem("is-of-a-kind", fields={"kind": "picture"}),)
    assert told_by(refusal) == refusal.told
    sentence = "The file is no text but a picture. Save the essay as text in UTF-8."
    assert str(refusal) == sentence_of(refusal.told[0], str) == sentence


def test_a_refusal_without_a_code_is_told_as_it_was_said():
    (problem,) = told_by(MarkupConflict("Changed in another tab."))

    assert describe(problem, str) == "Changed in another tab."
