"""What services refuse; caught at the edge by the base and told to the person."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Refused(Exception):
    """The request is understood and declined; ``str()`` says why and what to do.

    ``page``: the address of what it is about, where whoever asked finds how it stands; whoever
    knows addresses sets it (``about``), empty where the page it was sent from says as much.
    ``seconds``: after how long the same request may be answered otherwise, where that is known.
    """

    code = "refused"
    status = 422
    page = ""
    seconds: float | None = None

    def listed(self) -> list[dict[str, Any]]:
        """Each thing that is wrong, as a program reads it; none where one sentence says all."""
        return []


class Conflict(Refused):
    """What is asked for was seen as it is no more, or was asked for otherwise before."""

    code = "conflict"
    status = 409


class NotYet(Conflict):
    """What is asked for is being made: the same request is answered in a moment."""

    code = "not-yet"


@contextmanager
def about(page: str) -> Iterator[None]:
    """Refusals within this block lead to a page, unless they name another one."""
    try:
        yield
    except Refused as refused:
        refused.page = refused.page or page
        raise
