"""How the log tells of what strangers send: a line each, for they may send as much as they like."""

from __future__ import annotations

import logging


class Brief(logging.Filter):
    """Leaves the traceback out: it shows the way through Django, the same every time."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.exc_info = record.exc_text = None
        return True
