"""How uvicorn serves the gateway: no connection stays that neither asks nor reads."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from contest.gateway.limits import ARRIVAL, FAREWELL, LARGEST_MESSAGE


class Socket(WebSocketsSansIOProtocol):
    """A websocket whose client is cut off if it does not take the last that was said to it."""

    async def run_asgi(self) -> None:
        await super().run_asgi()
        self.loop.call_later(FAREWELL, self.transport.abort)


class Requests(H11Protocol):
    """A connection of a client that is cut off if no request of it arrives whole."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.loop.call_later(ARRIVAL, self._cut_off_the_idle, None)

    def _cut_off_the_idle(self, former: object) -> None:
        """``former``: the request that was the latest when this was asked before."""
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            return
        is_idle = self.cycle is None or self.cycle.response_complete
        if is_idle and self.cycle is former:
            self.transport.abort()
        else:
            self.loop.call_later(ARRIVAL, self._cut_off_the_idle, self.cycle)


SERVED: Final[Mapping[str, Any]] = {
    "lifespan": "on",
    "http": Requests,
    "ws": Socket,
    "ws_max_size": LARGEST_MESSAGE,
    "ws_per_message_deflate": False,
    "ws_ping_interval": None,  # programs ping by themselves, and a visit ends their silence
    "access_log": False,  # addresses bear keys
    "log_level": "warning",
    "server_header": False,
    "timeout_graceful_shutdown": 5,
}
"""What uvicorn is told, beside where it listens."""
