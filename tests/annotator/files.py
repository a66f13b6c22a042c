"""Files for tests of the import: names and contents, archives made of them."""

from __future__ import annotations

import io
import json
import stat
import warnings
import zipfile

from annotator.core.messages import sentence_of
from annotator.services.archives import NamedBytes, read_uploads

TEXT = "Some people think that sport unite people, while others does not agree."
MARKED = (
    "Предмет: английский\nТема: Sport unites people\nK3: 2\n\n"
    "Some people (\\ А.лекс \\ think >> believe \\) that sport unite people, "
    "while others does not agree."
)
PLAIN = f"Предмет: английский\nТема: Sport unites people\n\n{TEXT}"


def named(name, text=PLAIN):
    """A file of UTF-8 text."""
    return NamedBytes(name, text.encode())


def exchanged(name, text=TEXT, *, selections=(), criteria=None, **meta):
    """A file of the exchange format."""
    body = {
        "meta": {"subject": "eng", "theme": "Sport unites people", **meta},
        "text": text,
        "selections": list(selections),
        "criteria": criteria or {},
    }
    return named(name, json.dumps(body, ensure_ascii=False))


def selection(start, end, code="А.грамм", **fields):
    """A fragment as the exchange format writes it."""
    return {
        "id": 1,
        "startSelection": start,
        "endSelection": end,
        "type": code,
        "group": "error",
        **fields,
    }


def zipped(*members, compression=zipfile.ZIP_DEFLATED):
    """An archive of (name or ZipInfo, contents), in their order."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the same name twice
        for name, contents in members:
            data = contents if isinstance(contents, bytes) else contents.encode()
            archive.writestr(name, data)
    return stream.getvalue()


def link(name):
    """A member that is a symbolic link."""
    member = zipfile.ZipInfo(name)
    member.create_system = 3
    member.external_attr = (stat.S_IFLNK | 0o777) << 16
    return member


def told(problems):
    """The sentences of problems, in English."""
    return " ".join(sentence_of(problem, str) for problem in problems)


def unpacked(data, name="essays.zip"):
    """What comes out of one uploaded archive: names with their contents or refusals."""
    return [
        (file.name, told(file.refusal) or file.data)
        for file in read_uploads([(name, io.BytesIO(data))])
    ]


def upload(name, contents):
    """A file as a browser sends it."""
    stream = io.BytesIO(contents if isinstance(contents, bytes) else contents.encode())
    stream.name = name
    return stream
