"""Problems for programs: a code, a sentence and every place that is known."""

from __future__ import annotations

import re
from typing import Any, Final

from annotator.core.fragment_json import FRAGMENT_TEXTS
from annotator.core.messages import describe, place_of
from annotator.core.problems import Problem
from web.core.sentences import Translate

ITEM: Final = re.compile(r"selections\[([0-9]+)\]")
KEYS: Final = {
    "empty-type": "type",
    "bad-error-type": "type",
    "bad-subtype": "subtype",
    "empty-correction": "correction",
    "bad-tag": "tag",
    "err-unique-tag": "tag",
}
"""Problem of one fragment -> the key of the exchange format it is in."""
ELEMENTS: Final = {name: key for key, name in FRAGMENT_TEXTS.items()}


def problem_as_json(problem: Problem, translate: Translate) -> dict[str, Any]:
    """A problem with its sentence in the reader's language and its place."""
    return {
        "code": problem.code,
        "message": describe(problem, translate),
        "place": place_of(problem, translate),
        "path": _path_of(problem),
        "fragment": _fragment_of(problem),
        "blocks": problem.blocks,
    }


def _path_of(problem: Problem) -> str | None:
    """The value in what was sent; of a fragment that does not fit, the key that is at fault."""
    if problem.path is not None or problem.fragment is None:
        return problem.path
    element = KEYS.get(problem.code) or ELEMENTS.get(str(problem.fields.get("element")), "")
    return f"selections[{problem.fragment - 1}].{element}".rstrip(".")


def _fragment_of(problem: Problem) -> int | None:
    """Its number from 1, be the place told as a path or not."""
    item = ITEM.match(problem.path or "")
    return int(item[1]) + 1 if item else problem.fragment
