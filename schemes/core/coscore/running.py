"""An expression's tree -> a function of an answer, put together once and called often.

Source: 2.2.1; readings: schemes.md 2.3, 1, 3 to 5 and 14 to 18. Such a function gives a finite
value or raises ``AnswerError`` with the column of what it stumbled over; nothing else comes out.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any, Final

from schemes.core.coscore import nodes
from schemes.core.coscore.answer import Answer, filled, is_empty, number_of
from schemes.core.coscore.errors import AnswerError
from schemes.core.coscore.limits import MAX_ANSWER
from schemes.core.coscore.nodes import Node
from schemes.core.coscore.values import Number, Value

Run = Callable[[Answer], Value]
Watch = Callable[[Node, Run], Run]
"""Puts something around the function of a node: the trace looks on from there."""

COMPARE: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
}
COMPUTE: Final[Mapping[str, Callable[[Any, Any], Number]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}
OF_ONE: Final[Mapping[str, Callable[[str], Value]]] = {
    "T": str,
    "L": len,
    "Q": is_empty,
    "F": number_of,
}
OF_ALL: Final[Mapping[str, Run]] = {
    "T": lambda answer: answer.joined,
    "L": lambda answer: len(answer.joined),
    "Q": lambda answer: filled(answer.blanks),
    "F": lambda answer: number_of(answer.joined),
}


def unwatched(_node: Node, run: Run) -> Run:
    """Nobody looks on."""
    return run


def build(node: Node, watch: Watch = unwatched) -> Run:
    """The function of a node and of all below it."""
    parts = [build(part, watch) for part in node.parts]
    return watch(node, BUILDERS[type(node)](node, parts))


def computed(
    compute: Callable[[Any, Any], Number], one: Number, other: Number, column: int | None = None
) -> Number:
    """``compute(one, other)``, always finite; whatever keeps it from that is an ``AnswerError``."""
    try:
        result = compute(one, other)
    except ZeroDivisionError:
        raise AnswerError("division-by-zero", column=column) from None
    except OverflowError:
        raise AnswerError("number-too-big", column=column) from None
    if isinstance(result, float) and not isfinite(result):
        raise AnswerError("number-too-big", column=column)
    return result


def _constant(node: nodes.Constant, _parts: list[Run]) -> Run:
    value = node.value
    return lambda _answer: value


def _blank(node: nodes.Blank, _parts: list[Run]) -> Run:
    number = node.number
    if number is None:
        return OF_ALL[node.operator]
    of_one, column = OF_ONE[node.operator], node.start + 1

    def run(answer: Answer) -> Value:
        blanks = answer.blanks
        if number >= len(blanks):
            raise AnswerError("no-such-blank", column=column, number=number, count=len(blanks))
        return of_one(blanks[number])

    return run


def _ask(node: nodes.Ask, parts: list[Run]) -> Run:
    atom, column = node.atom, node.text.start + 1
    which = 0 if node.operator == "G" else 1
    (text_of,) = parts

    def run(answer: Answer) -> Value:
        text = text_of(answer)
        if not isinstance(text, str):
            raise AnswerError("not-a-text", column=column, atom=atom)
        return answer.verdict(atom, text)[which]

    return run


def _call(node: nodes.Call, parts: list[Run]) -> Run:
    if node.operator == "A":
        return lambda answer: sum(1 for part in parts if part(answer))
    choose = min if node.operator == "U" else max
    columns = [argument.start + 1 for argument in node.arguments]

    def run(answer: Answer) -> Value:
        pairs = zip(parts, columns, strict=True)
        return choose(_number(part(answer), column) for part, column in pairs)

    return run


def _chain(node: nodes.Chain, parts: list[Run]) -> Run:
    first, *rest = parts
    steps = [
        (sign, COMPUTE[sign], part, operand.start + 1)
        for (sign, operand), part in zip(node.steps, rest, strict=True)
    ]

    def run(answer: Answer) -> Value:
        value = first(answer)
        for sign, compute, part, column in steps:
            other = part(answer)
            if isinstance(value, str) or isinstance(other, str):
                value = _joined(value, other, sign, column)
            else:
                value = computed(compute, value, other, column)
        return value

    return run


def _signed(node: nodes.Signed, parts: list[Run]) -> Run:
    (part,) = parts
    column = node.operand.start + 1
    if node.sign == "-":
        return lambda answer: -_number(part(answer), column)
    return lambda answer: +_number(part(answer), column)


def _comparison(node: nodes.Comparison, parts: list[Run]) -> Run:
    first, *rest = parts
    steps = [
        (sign not in ("==", "!="), COMPARE[sign], part, operand.start + 1)
        for (sign, operand), part in zip(node.steps, rest, strict=True)
    ]

    def run(answer: Answer) -> Value:
        left = first(answer)
        for is_order, compare, part, column in steps:
            right = part(answer)
            if is_order and isinstance(left, str) != isinstance(right, str):
                raise AnswerError("text-against-number", column=column)
            if not compare(left, right):
                return False
            left = right
        return True

    return run


def _junction(node: nodes.Junction, parts: list[Run]) -> Run:
    *before, last = parts
    decisive = node.word == "or"

    def run(answer: Answer) -> Value:
        for part in before:
            value = part(answer)
            if bool(value) is decisive:
                return value
        return last(answer)

    return run


def _negation(_node: nodes.Negation, parts: list[Run]) -> Run:
    (part,) = parts
    return lambda answer: not part(answer)


def _choice(_node: nodes.Choice, parts: list[Run]) -> Run:
    test, yes, no = parts
    return lambda answer: yes(answer) if test(answer) else no(answer)


BUILDERS: Final[Mapping[type[Node], Callable[[Any, list[Run]], Run]]] = {
    nodes.Constant: _constant,
    nodes.Blank: _blank,
    nodes.Ask: _ask,
    nodes.Call: _call,
    nodes.Chain: _chain,
    nodes.Signed: _signed,
    nodes.Comparison: _comparison,
    nodes.Junction: _junction,
    nodes.Negation: _negation,
    nodes.Choice: _choice,
}


def _number(value: Value, column: int) -> Number:
    if isinstance(value, str):
        raise AnswerError("text-in-arithmetic", column=column)
    return value


def _joined(value: Value, other: Value, sign: str, column: int) -> str:
    """Two texts, one after the other (17)."""
    if not (isinstance(value, str) and isinstance(other, str) and sign == "+"):
        raise AnswerError("text-in-arithmetic", column=column)
    if len(value) + len(other) > MAX_ANSWER:
        raise AnswerError("text-too-long", column=column, limit=MAX_ANSWER)
    return value + other
