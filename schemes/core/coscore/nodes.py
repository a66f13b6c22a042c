"""An expression as a small tree: what an answer is scored with, and all that may stand in it.

Source: 2.2.1. Every node knows where it stands in the expression (``start`` and ``end``, half-open,
in code points), so that errors and the trace can point there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from schemes.core.coscore.values import Number


@dataclass(frozen=True, slots=True)
class Node:
    """What every node has: its place in the expression."""

    start: int
    end: int

    @property
    def parts(self) -> tuple[Node, ...]:
        """The nodes it is made of, in the order they are written; of a choice the test first."""
        return ()


@dataclass(frozen=True, slots=True)
class Constant(Node):
    """A number, ``True`` or ``False`` (2.2.1.4)."""

    value: bool | Number


@dataclass(frozen=True, slots=True)
class Blank(Node):
    """T, L, Q or F of a blank, or of all blanks when ``number`` is ``None`` (2.2.1.1)."""

    operator: str
    number: int | None


@dataclass(frozen=True, slots=True)
class Ask(Node):
    """G or M: an atom's logic or value for a text (2.2.1.2)."""

    operator: str
    atom: str
    text: Node

    @property
    def parts(self) -> tuple[Node, ...]:
        return (self.text,)


@dataclass(frozen=True, slots=True)
class Call(Node):
    """U, A or X (2.2.1.3)."""

    operator: str
    arguments: tuple[Node, ...]

    @property
    def parts(self) -> tuple[Node, ...]:
        return self.arguments


@dataclass(frozen=True, slots=True)
class Chain(Node):
    """``first + a - b`` or ``first * a / b``, from left to right."""

    first: Node
    steps: tuple[tuple[str, Node], ...]

    @property
    def parts(self) -> tuple[Node, ...]:
        return (self.first, *(operand for _sign, operand in self.steps))


@dataclass(frozen=True, slots=True)
class Signed(Node):
    """``-operand`` or ``+operand``."""

    sign: str
    operand: Node

    @property
    def parts(self) -> tuple[Node, ...]:
        return (self.operand,)


@dataclass(frozen=True, slots=True)
class Comparison(Node):
    """``first < a < b``: each with its neighbour, all of them true."""

    first: Node
    steps: tuple[tuple[str, Node], ...]

    @property
    def parts(self) -> tuple[Node, ...]:
        return (self.first, *(operand for _sign, operand in self.steps))


@dataclass(frozen=True, slots=True)
class Junction(Node):
    """``a and b and c`` or ``a or b or c``: gives the operand that decides, as Python does."""

    word: str
    operands: tuple[Node, ...]

    @property
    def parts(self) -> tuple[Node, ...]:
        return self.operands


@dataclass(frozen=True, slots=True)
class Negation(Node):
    """``not operand``."""

    operand: Node

    @property
    def parts(self) -> tuple[Node, ...]:
        return (self.operand,)


@dataclass(frozen=True, slots=True)
class Choice(Node):
    """``yes if test else no``."""

    test: Node
    yes: Node
    no: Node

    @property
    def parts(self) -> tuple[Node, ...]:
        return (self.test, self.yes, self.no)


def within(node: Node) -> Iterator[Node]:
    """A node and all nodes below it, as they are written."""
    yield node
    for part in node.parts:
        yield from within(part)
