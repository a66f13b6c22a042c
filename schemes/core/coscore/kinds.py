"""What an expression can give - a number, a truth, a text - and what is odd or hopeless in it.

``and``, ``or`` and ``if`` can give one thing for one answer and another for the next, so kinds are
decided while an answer is scored. What is certain beforehand is a warning when the rule is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from schemes.core.coscore import nodes
from schemes.core.coscore.nodes import Node
from schemes.core.coscore.values import Mode

Kinds = frozenset[str]
NUMBER: Final[Kinds] = frozenset(["number"])
TRUTH: Final[Kinds] = frozenset(["truth"])
TEXT: Final[Kinds] = frozenset(["text"])
NONE: Final[Kinds] = frozenset()
"""Of what fails for every answer."""

Oddity = tuple[str, int | None]
"""The code of a warning and the column it stands in."""


def kinds_of(tree: Node) -> Kinds:
    """All that an expression can give."""
    known: dict[int, Kinds] = {}
    for _oddity in _within(tree, known):
        pass
    return known[id(tree)]


def oddities(tree: Node, mode: Mode) -> Iterator[Oddity]:
    """Warnings about an expression: points 13 and 14, and what fails for every answer."""
    known: dict[int, Kinds] = {}
    yield from _within(tree, known)
    kinds = known[id(tree)]
    if kinds == TEXT:
        yield "always-text", None
    elif kinds == TRUTH and mode is Mode.VALUE:
        yield "truth-as-number", None
    elif kinds == NUMBER and mode is Mode.LOGIC:
        yield "number-as-truth", None


def _within(node: Node, known: dict[int, Kinds]) -> Iterator[Oddity]:
    """The oddities of a node and of all below it; notes the kinds of each in ``known``."""
    parts = node.parts
    for part in parts:
        yield from _within(part, known)
    kinds = [known[id(part)] for part in parts]
    known[id(node)] = _kinds(node, kinds)
    column = node.start + 1
    match node:
        case nodes.Ask() if not kinds[0] & TEXT:
            yield "never-a-text", column
        case nodes.Chain() if not known[id(node)]:
            yield "text-in-arithmetic", column
        case nodes.Signed() | nodes.Call(operator="U" | "X") if TEXT in kinds:
            yield "text-in-arithmetic", column
        case nodes.Comparison() if _mixed(kinds):
            yield "text-against-number", column


def _kinds(node: Node, parts: list[Kinds]) -> Kinds:
    """All that a node can give, its parts giving what they can."""
    match node:
        case nodes.Blank() | nodes.Ask():
            return _of_operator(node)
        case nodes.Chain(steps=steps):
            return _of_chain([sign for sign, _operand in steps], parts)
        case nodes.Comparison() | nodes.Negation() | nodes.Constant(value=bool()):
            return TRUTH
        case nodes.Junction() | nodes.Choice():
            return NONE.union(*(parts[1:] if isinstance(node, nodes.Choice) else parts))
        case nodes.Call(operator="U" | "X"):
            return NONE.union(*parts) - TEXT
    return NUMBER


def _of_operator(node: nodes.Blank | nodes.Ask) -> Kinds:
    if node.operator == "T":
        return TEXT
    of_one_blank = isinstance(node, nodes.Blank) and node.number is not None
    return TRUTH if node.operator == "G" or (node.operator == "Q" and of_one_blank) else NUMBER


def _of_chain(signs: list[str], parts: list[Kinds]) -> Kinds:
    texts = set(signs) == {"+"} and all(each >= TEXT for each in parts)
    numbers = all(each - TEXT for each in parts)
    return (TEXT if texts else NONE) | (NUMBER if numbers else NONE)


def _mixed(kinds: list[Kinds]) -> bool:
    """Is a text held against something that is never one?"""
    return any(
        (one == TEXT and not other & TEXT) or (other == TEXT and not one & TEXT)
        for one, other in pairwise(kinds)
    )
