"""How far an essay set is, and what that allows: the one table.

``PREPARING``: nothing is handed out, neither to experts nor to participants. ``OPEN``: checks are
given, algorithms' markups come in. ``CLOSED``: no new checks and no new markups by algorithms; what
was given may still be submitted. ``ARCHIVED``: lists pass it over by default, and nothing comes in.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final


class SetState(StrEnum):
    """How far an essay set is. The values are stable codes."""

    PREPARING = "preparing"
    OPEN = "open"
    CLOSED = "closed"
    ARCHIVED = "archived"


STEPS: Final[Mapping[SetState, tuple[SetState, ...]]] = {
    SetState.PREPARING: (SetState.OPEN,),
    SetState.OPEN: (SetState.CLOSED,),
    SetState.CLOSED: (SetState.OPEN, SetState.ARCHIVED),
    SetState.ARCHIVED: (SetState.CLOSED,),
}
"""Where each state may lead to; nothing that was handed out is ever being prepared again."""


def may_become(state: SetState, wanted: SetState) -> bool:
    """True where a set of this state may be brought into the wanted one."""
    return wanted in STEPS[state]
