"""The channel of files: a message is there whole, or not yet.

kombu opens the file readers look for and then writes into it. Who takes it in between reads
nothing, and the worker stops with an error: so it is written beside, and renamed.
"""

from __future__ import annotations

import uuid
from pathlib import Path
from time import monotonic
from typing import Any

from kombu.exceptions import ChannelError
from kombu.transport import filesystem
from kombu.utils.json import dumps


class Channel(filesystem.Channel):
    """kombu's, but for the way a message gets into its folder."""

    def _put(self, queue: str, payload: dict[str, Any], **_: Any) -> None:
        # readers take what ends in .msg, in the order of names
        name = f"{round(monotonic() * 1000)}_{uuid.uuid4()}.{queue}"
        written = Path(self.data_folder_out, f"{name}.new")
        try:
            written.write_text(dumps(payload), "utf-8")
            written.rename(written.with_suffix(".msg"))
        except OSError as error:
            message = f"Cannot add file {written} to directory"
            raise ChannelError(message) from error


class Transport(filesystem.Transport):
    Channel = Channel
