"""When a request was there whole: before anybody had time for it."""

from __future__ import annotations

import time
from typing import Final

from django.http import HttpRequest

ARRIVED: Final = "razbor.arrived"
"""Under this name our server tells it, by ``time.monotonic()`` of its process; no header can."""


def seconds_since(request: HttpRequest) -> float:
    """How long a request has been here; 0 where another server received it, which does not tell."""
    arrived = request.META.get(ARRIVED)
    return max(0.0, time.monotonic() - arrived) if isinstance(arrived, float) else 0.0
