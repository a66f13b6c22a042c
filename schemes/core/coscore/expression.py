"""An expression's text -> its tree, by Python's parser and a list of what may stand in it.

Source: 2.2.1.1 to 2.2.1.5. Nothing is ever evaluated by Python: the tree is made of nodes of our
own, and what is not on the list is refused with its column. Readings: schemes.md 2.3, 16 to 18.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isinf
from typing import Any, Final

from schemes.core.coscore import nodes
from schemes.core.coscore.errors import ExpressionError
from schemes.core.coscore.limits import MAX_DEPTH, MAX_TERMS
from schemes.core.coscore.nodes import Node
from schemes.core.coscore.problems import shown
from schemes.core.coscore.scanning import OF_ATOMS, OF_BLANKS, OPERATORS, STAR, scan

CHAINED: Final[Sequence[Mapping[type[ast.operator], str]]] = (
    {ast.Add: "+", ast.Sub: "-"},
    {ast.Mult: "*", ast.Div: "/"},
)
"""Operators that stand on one level, and so in one chain."""
SIGNS: Final[Mapping[type[ast.unaryop], str]] = {ast.USub: "-", ast.UAdd: "+"}
COMPARED: Final[Mapping[type[ast.cmpop], str]] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Lt: "<",
    ast.LtE: "<=",
}
ARGUMENTS: Final = dict.fromkeys("TLQF", (1, 1)) | {
    "G": (2, 2),
    "M": (2, 2),
    "U": (2, 2),
    "A": (0, MAX_TERMS),
    "X": (1, MAX_TERMS),
}
"""The least and the most arguments of an operator."""


def parse(expression: str) -> Node:
    """Read an expression. Raises ``ExpressionError``, and nothing else, for any text."""
    plain = scan(expression)
    margin = len(plain) - len(plain.lstrip(" "))
    line = plain[margin:]
    try:
        tree = ast.parse(line, mode="eval").body
    except SyntaxError as error:
        column = margin + (error.offset or 1) if line.isascii() else None
        raise ExpressionError("not-an-expression", column) from None
    except (RecursionError, MemoryError):
        raise ExpressionError("too-deep", None, limit=MAX_DEPTH) from None
    return _Reader(line, margin).read(tree, 0)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Turns Python's tree into ours; ``margin`` blanks stood before ``line``."""

    line: str
    margin: int

    def read(self, tree: ast.expr, depth: int) -> Node:
        if depth >= MAX_DEPTH:
            raise self._error("too-deep", tree, limit=MAX_DEPTH)
        for kind, reader in READERS:
            if isinstance(tree, kind):
                return reader(self, tree, depth + 1)
        raise self._error("construct-not-allowed", tree)

    def constant(self, tree: ast.Constant, _depth: int) -> Node:
        value = tree.value
        if isinstance(value, str):
            raise self._error("text-in-quotes", tree)
        if not isinstance(value, int | float):
            raise self._error("construct-not-allowed", tree)
        if isinstance(value, float) and isinf(value):
            raise self._error("number-too-big", tree)
        return nodes.Constant(*self._place(tree), value)

    def name(self, tree: ast.Name, _depth: int) -> Node:
        raise self._error("operator-alone", tree, operator=tree.id)

    def call(self, tree: ast.Call, depth: int) -> Node:
        operator = tree.func.id if isinstance(tree.func, ast.Name) else ""
        if operator not in OPERATORS or tree.keywords:
            raise self._error("not-an-operator", tree)
        least, most = ARGUMENTS[operator]
        self._refuse_length(tree.args, tree)
        if not least <= len(tree.args) <= most:
            count = f"{least}" if least == most else f"{least}–{most}"
            raise self._error("argument-count", tree, operator=operator, count=count)
        if operator in OF_BLANKS:
            return self._blank(operator, tree)
        if operator in OF_ATOMS:
            atom = self._atom(operator, tree.args[0])
            return nodes.Ask(*self._place(tree), operator, atom, self.read(tree.args[1], depth))
        return nodes.Call(*self._place(tree), operator, self._all(tree.args, depth))

    def arithmetic(self, tree: ast.BinOp, depth: int) -> Node:
        """A whole chain at once: a sum of many terms is long, not deep."""
        signs = next((signs for signs in CHAINED if type(tree.op) in signs), None)
        if signs is None:
            raise self._error("construct-not-allowed", tree)
        steps: list[tuple[str, ast.expr]] = []
        first: ast.expr = tree
        while isinstance(first, ast.BinOp) and type(first.op) in signs:
            steps.append((signs[type(first.op)], first.right))
            first = first.left
        self._refuse_length((first, *steps), tree)
        start = self.read(first, depth)
        rest = tuple((sign, self.read(right, depth)) for sign, right in reversed(steps))
        return nodes.Chain(*self._place(tree), start, rest)

    def sign(self, tree: ast.UnaryOp, depth: int) -> Node:
        operand = self.read(tree.operand, depth)
        if isinstance(tree.op, ast.Not):
            return nodes.Negation(*self._place(tree), operand)
        if type(tree.op) not in SIGNS:
            raise self._error("construct-not-allowed", tree)
        return nodes.Signed(*self._place(tree), SIGNS[type(tree.op)], operand)

    def comparison(self, tree: ast.Compare, depth: int) -> Node:
        self._refuse_length((tree.left, *tree.ops), tree)
        if not all(type(each) in COMPARED for each in tree.ops):
            raise self._error("construct-not-allowed", tree)
        signs = [COMPARED[type(each)] for each in tree.ops]
        steps = tuple(zip(signs, self._all(tree.comparators, depth), strict=True))
        return nodes.Comparison(*self._place(tree), self.read(tree.left, depth), steps)

    def junction(self, tree: ast.BoolOp, depth: int) -> Node:
        self._refuse_length(tree.values, tree)
        word = "and" if isinstance(tree.op, ast.And) else "or"
        return nodes.Junction(*self._place(tree), word, self._all(tree.values, depth))

    def choice(self, tree: ast.IfExp, depth: int) -> Node:
        test, yes, no = self._all((tree.test, tree.body, tree.orelse), depth)
        return nodes.Choice(*self._place(tree), test, yes, no)

    def _all(self, trees: Sequence[ast.expr], depth: int) -> tuple[Node, ...]:
        return tuple(self.read(each, depth) for each in trees)

    def _blank(self, operator: str, tree: ast.Call) -> Node:
        """T(n), T('*') or T(*): the number of a blank is written, not computed (16)."""
        argument = tree.args[0]
        star = isinstance(argument, ast.Name) and argument.id == STAR
        value = argument.value if isinstance(argument, ast.Constant) else None
        if star or value == "*":
            return nodes.Blank(*self._place(tree), operator, None)
        if type(value) is not int:
            negative = isinstance(argument, ast.UnaryOp) and isinstance(argument.op, ast.USub)
            code = "negative-blank" if negative else "not-a-blank"
            raise self._error(code, argument, operator=operator)
        return nodes.Blank(*self._place(tree), operator, value)

    def _atom(self, operator: str, tree: ast.expr) -> str:
        value = tree.value if isinstance(tree, ast.Constant) else None
        if type(value) not in (int, str):
            raise self._error("not-an-atom", tree, operator=operator)
        return str(value)

    def _refuse_length(self, parts: Sequence[object], tree: ast.expr) -> None:
        if len(parts) > MAX_TERMS:
            raise self._error("too-many-terms", tree, limit=MAX_TERMS)

    def _error(self, code: str, tree: ast.expr, **fields: object) -> ExpressionError:
        start, end = self._place(tree)
        what = self.line[start - self.margin : end - self.margin].replace(STAR, "*")
        return ExpressionError(code, start + 1, **fields, what=shown(what))

    def _place(self, tree: ast.expr) -> tuple[int, int]:
        return self._column(tree.col_offset), self._column(tree.end_col_offset or 0)

    def _column(self, offset: int) -> int:
        """Python counts bytes of UTF-8, people count signs."""
        if not self.line.isascii():
            offset = len(self.line.encode()[:offset].decode())
        return offset + self.margin


READERS: Final[Sequence[tuple[type[ast.expr], Callable[[_Reader, Any, int], Node]]]] = (
    (ast.Constant, _Reader.constant),
    (ast.Name, _Reader.name),
    (ast.Call, _Reader.call),
    (ast.BinOp, _Reader.arithmetic),
    (ast.UnaryOp, _Reader.sign),
    (ast.Compare, _Reader.comparison),
    (ast.BoolOp, _Reader.junction),
    (ast.IfExp, _Reader.choice),
)
"""All that may stand in an expression. Whatever is not here does not exist in the language."""
