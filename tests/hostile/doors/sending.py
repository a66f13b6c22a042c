"""How what is sent comes to be: cases with their answers, forms with files."""

from __future__ import annotations

from collections.abc import Iterator

from tests.hostile.verdicts import Case
from tests.hostile.visitor import Answer

Sent = Iterator[tuple[Case, Answer]]
MULTIPART = "multipart/form-data; boundary=border"


def decoded(text: str) -> str:
    """A text as a form brings it: what UTF-8 has no bytes for comes as replacement signs."""
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def with_files(fields: dict[str, str], files: list[tuple[str, str, bytes]]) -> bytes:
    """A form with files, as browsers write it; the files' names are told as they are."""
    pieces = [
        f'Content-Disposition: form-data; name="{name}"\r\n\r\n{value}'.encode()
        for name, value in fields.items()
    ]
    for name, file_name, data in files:
        told = file_name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
        head = f'Content-Disposition: form-data; name="{name}"; filename="{told}"\r\n\r\n'
        pieces.append(head.encode("utf-8", "surrogatepass") + data)
    return b"".join(b"--border\r\n" + piece + b"\r\n" for piece in pieces) + b"--border--\r\n"
