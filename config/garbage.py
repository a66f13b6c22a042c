"""How a process that stands looks for garbage: seldom, and not among what stays."""

from __future__ import annotations

import gc
from typing import Final

SELDOM: Final = (20_000, 20, 20)
"""So many new objects, and so many looks at the younger ones, bring a look; a save makes some
thousands, nearly none of them in a circle, and with Python's own 700 a fifteenth of it was looking.
"""


def stand() -> None:
    """The program is up: what is there is no garbage. To walk it stops every thread for 0.1 s."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*SELDOM)
