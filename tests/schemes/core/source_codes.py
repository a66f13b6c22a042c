"""The codes of problems and errors as the source of a scheme has them."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from string import Formatter

from schemes.core import collecting

CODE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)+")


def codes(core, makers):
    """The codes that are handed to any of some makers, in the files of a scheme."""
    return {code for path in core.rglob("*.py") for code in codes_in(path, makers)}


def codes_of_all():
    """The codes every scheme may have, from what the schemes share."""
    return codes_in(Path(collecting.__file__), {"_make"})


def codes_in(path, makers):
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in makers:
                found |= {code for each in node.args for code in strings(each)}
    return found


def strings(node):
    found = {each.value for each in ast.walk(node) if isinstance(each, ast.Constant)}
    return {each for each in found if isinstance(each, str) and CODE.fullmatch(each)}


def fields_of(sentence):
    """The fields a sentence has."""
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}
