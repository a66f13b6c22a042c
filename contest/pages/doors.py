"""The doors of the exchange and where they are."""

from __future__ import annotations

from django.conf import settings

from contest.core.packets import NAMESPACE
from contest.models import ExchangeSession

Door = ExchangeSession.Door


def doors(home: str) -> list[dict[str, str]]:
    """Each door with its address; ``home`` is that of the REST door.

    Where a gateway runs, it serves the original's clients, and requests for the next file wait
    there.
    """
    rest = {"door": Door.REST.value, "address": home}
    if not settings.GATEWAY_URL:
        return [rest]
    gateway = settings.GATEWAY_URL.rstrip("/")
    rest["next"] = f"{gateway}/api/exchange/sessions/{{id}}/next/"
    return [rest, {"door": Door.SOCKETIO.value, "address": f"{gateway}{NAMESPACE}"}]
