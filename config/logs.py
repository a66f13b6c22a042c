"""How the log tells of what strangers send: a line each, for they may send as much as they like; of
addresses without what opens something.
"""

from __future__ import annotations

import logging
import re
from typing import Final


class Brief(logging.Filter):
    """Leaves the traceback out: it shows the way through Django, the same every time."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.exc_info = record.exc_text = None
        return True


SECRET: Final = re.compile(
    r"(?P<named>token(?:=|%3D))[^&\s]+"
    r"|(?:(?<=/)|(?<=%2F))(?:[0-9a-f]{64}|[0-9a-z]+-[0-9a-f]{32})(?![\w-])"
    r"|(?:(?<![\w-])|(?<=%2F)|(?<=%3D))[A-Za-z0-9_-]{43}(?![\w-])",
    re.ASCII | re.IGNORECASE,
)
"""What opens something: a key in an address, as of a client of the original that came to the web,
not to the gateway, and what the links of letters bear.
"""


def without_secrets(address: str) -> str:
    """An address as the log tells it: of what opens something no more than that it stood there."""
    return SECRET.sub(lambda found: f"{found['named'] or ''}***", address)
