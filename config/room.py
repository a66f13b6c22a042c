"""Room for the frames of deep calls.

CPython lays frames in pieces of 16 KB and gives a piece back as soon as its first frame ends. What
calls deeply, as every answer does, crosses such a border over and over: each time memory is asked
of the system and given back. A frame below that claims much makes the piece so large that all the
others lie in it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar

Given = ParamSpec("Given")
Answer = TypeVar("Answer")
CLAIMED: Final = 70_000
"""Values a frame says it may hold, 8 bytes each: the piece has a megabyte, half of it is left."""


def with_room(
    function: Callable[Given, Answer], *given: Given.args, **named: Given.kwargs
) -> Answer:
    """Call a function upon a frame that claims room; it answers and raises as ever."""
    return function(*given, **named)


with_room.__code__ = with_room.__code__.replace(co_stacksize=CLAIMED)
