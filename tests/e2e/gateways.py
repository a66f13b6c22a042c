"""Gateways of a stack: one is killed, another one is there at once."""

from __future__ import annotations

import contextlib
import http.client

from config.run import listen
from config.supervisor import Child


def listens(gateway, patience=1):
    """Whether somebody answers at the gateway's address within so many seconds."""
    with contextlib.suppress(OSError, http.client.HTTPException):
        connection = http.client.HTTPConnection(
            "127.0.0.1", gateway.getsockname()[1], timeout=patience
        )
        with contextlib.closing(connection):
            connection.request("GET", "/healthz")
            return connection.getresponse().status == http.client.OK
    return False


def kill(child):
    """As if the machine had lost it; whoever tends the stack starts it anew."""
    child.process.kill()
    child.process.wait()


def twin_of(stack, child):
    """One more gateway, at an address of its own: the socket it listens on, once it is up."""
    listener = listen(0)
    command = [*child.command]
    command[command.index("--fd") + 1] = str(listener.fileno())
    twin = Child("twin", command, child.log.with_name("twin.log"), (listener.fileno(),))
    twin.environment = {**child.environment}
    stack.children["twin"] = twin
    stack.begin(twin)
    stack.until(lambda: listens(listener), "the twin is up")
    return listener
