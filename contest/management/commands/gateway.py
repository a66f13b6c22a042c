from __future__ import annotations

import resource
import socket
import sys
from typing import Any, Final

import uvicorn
from django.core.management.base import BaseCommand, CommandParser

from contest.gateway.application import Gateway
from contest.gateway.serving import SERVED

SWITCH: Final = 0.001
"""Seconds a thread works while another one waits for its turn: each answer takes many turns."""


class Command(BaseCommand):
    help = "Serve the doors of exchange sessions that wait: Socket.IO, and the next file by poll."
    requires_system_checks: list[str] = []  # they load every page; programs wait meanwhile

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8100)
        parser.add_argument("--fd", type=int, help="a socket that listens already")

    def handle(self, *, host: str, port: int, fd: int | None, **_: Any) -> None:
        raise_limit_of_files()
        sys.setswitchinterval(SWITCH)
        sockets = None if fd is None else [socket.socket(fileno=fd)]
        where = sockets[0].getsockname()[1] if sockets else port
        config = uvicorn.Config(Gateway(f"gateway:{where}"), host=host, port=port, **SERVED)
        uvicorn.Server(config).run(sockets=sockets)


def raise_limit_of_files() -> None:
    """As many connections as the system allows: each is an open file."""
    _soft, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
