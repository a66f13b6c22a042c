"""The worked cases of tests/golden, read as values of the core."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from annotator.core.classifier import classifier_of, every_classifier
from annotator.core.codec import markup_from_json
from annotator.core.values import Markup, Subject

FOLDER: Final = Path(__file__).parents[2] / "golden"


def cases(name: str) -> list[dict[str, Any]]:
    """Every line of a file of worked cases."""
    lines = (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def name_of(case: dict[str, Any]) -> str:
    return case["id"]


def markup_of(selections: list[Any], text: str, subject: Subject | None = None) -> Markup:
    """The fragments of a case; without a subject the codes of all subjects are known."""
    classifier = classifier_of(subject) if subject else every_classifier()
    markup, problems = markup_from_json(selections, text=text, classifier=classifier)
    assert not any(problem.blocks for problem in problems)
    assert len(markup.fragments) == len(selections)
    return markup
