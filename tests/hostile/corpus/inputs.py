from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Input(Generic[Value]):
    """One hostile input: what is sent, under which name a failure is told, and why it is here."""

    name: str
    why: str
    value: Value

    def __str__(self) -> str:
        return self.name


def inputs(why: str, named: dict[str, Any]) -> tuple[Input[Any], ...]:
    """Inputs that are here for one and the same reason."""
    return tuple(Input(name, why, value) for name, value in named.items())
