"""Templates are written one element a line and read without these lines.

A line break, with the blanks around it, is nothing beside an element or a tag of the template, and
one blank between two words. So a template may be laid out for its reader, and the page has no blank
that nobody meant: words stay glued to what they belong to, and a page stays small. A blank that is
meant stands within its line, or is written ``{{ " " }}`` on one of its own.
"""

from __future__ import annotations

import re
from typing import Final

_TAG: Final = r"{%.*?%}|{{.*?}}|{#.*?#}"
_QUOTED: Final = rf'"(?:{_TAG}|[^"])*"' + "|" + rf"'(?:{_TAG}|[^'])*'"
_PIECE: Final = re.compile(
    r"(?P<kept>{%\s*(?P<tag>blocktrans|blocktranslate|comment|verbatim)\b(?s:.*?){%\s*end(?P=tag)\s*%}"
    r"|<(?P<name>pre|textarea|script|style)\b(?s:.*?)</(?P=name)>)"
    rf"|(?P<element></?[a-zA-Z!](?:{_TAG}|{_QUOTED}|[^>\"'])*>)"
    rf"|{_TAG}"
)
_EDGES: Final = re.compile(r"\A[^\S\n]*\n\s*|[^\S\n]*\n\s*\Z")
_BREAK: Final = re.compile(r"[^\S\n]*\n\s*")
_END: Final = re.compile(r"\s*\n\s*(?=/?>\Z)")


def fold(source: str) -> str:
    """The template as it is read; folding it again changes nothing.

    What stands in ``blocktrans``, ``comment`` and ``verbatim``, in preformatted text, scripts and
    styles is kept letter by letter.
    """
    folded = []
    end = 0
    for piece in _PIECE.finditer(source):
        folded += [_words(source[end : piece.start()]), _piece(piece)]
        end = piece.end()
    return "".join([*folded, _words(source[end:])])


def _words(text: str) -> str:
    return _BREAK.sub(" ", _EDGES.sub("", text))


def _piece(piece: re.Match[str]) -> str:
    return _BREAK.sub(" ", _END.sub("", piece[0])) if piece["element"] else piece[0]
