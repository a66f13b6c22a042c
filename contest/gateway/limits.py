"""How long and how much the gateway waits for, in one place."""

from __future__ import annotations

from typing import Final

from contest.core.packets import PING_INTERVAL, PING_TIMEOUT

TURN: Final = 1.0
"""Seconds between two looks of the look-out; sooner where a file opens in between."""
SOONEST: Final = 0.01
"""Seconds from one look to the next at least."""
RENEWAL: Final = 2_000_000
"""Microseconds between two signs of life and two renewals of the leases."""
LONGEST_POLL: Final = 25.0
"""Seconds a request waits for a file, less than what servers on the way allow."""
ANSWERS: Final = 50
"""So many answers share a transaction."""
POLLS: Final = 4
"""Requests for a file of one participant that are served at a time."""
INTRODUCTION: Final = 10.0
"""Seconds in which a connection says whose it is."""
STRANGERS: Final = 400
"""So many connections that have not said whose they are stand at a time; then silent ones go."""
UNHEARD: Final = (PING_INTERVAL + PING_TIMEOUT) / 1000
"""Seconds after which a client that writes nothing is gone."""
NONSENSE: Final = 20
"""Packets nobody can read, after which their connection is closed."""
INBOX: Final = 16
"""So many messages of a client wait to be taken before more of them are read."""
OUTBOX: Final = 64
"""So many packets wait for a client that does not read; then it is dropped."""
PATIENCE: Final = 20.0
"""Seconds a packet may take to be written."""
FAREWELL: Final = 10.0
"""Seconds a client has to take what is left when its visit is over."""
ARRIVAL: Final = 10.0
"""Seconds in which a request, or the next one of the same connection, arrives whole."""
LARGEST_MESSAGE: Final = 4_000_000
"""Bytes of a message after which its connection is closed."""
