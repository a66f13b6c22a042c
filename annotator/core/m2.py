"""M2, the format of corpora of corrections (CoNLL-2014, ERRANT): tokens and edits of them.

Each line of the essay that is not blank is a block: ``S`` and its tokens parted by blanks, then an
``A`` line for every mark that has its words in it. A token is a run of letters, digits and
underlines, which may hold apostrophes and hyphens between them; or one other sign that is no white
space. A mark covers every token it shares a sign with; one that goes over several lines is told in
each of them, its correction with the first. A mistake of the whole text has no tokens and is told
in the first block at ``-1 -1``, as M2 says of what stands nowhere. Semantic blocks are no
corrections and are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from annotator.core.values import Fragment, Kind, Markup, Span, in_reading_order

TOKEN: Final = re.compile(r"\w+(?:['’\-‐‑]\w+)*|[^\w\s]")
NOTHING: Final = "-NONE-"
"""Where a mark has no correction, or its line has no marks."""


def tokens_of(text: str) -> list[Span]:
    """The tokens of a text by their places, first to last."""
    return [Span(*found.span()) for found in TOKEN.finditer(text)]


def m2_of(markup: Markup) -> str:
    """The mistakes of a markup over the tokens of its lines.

    ``A 1 2|||А.грамм|||goes|||REQUIRED|||-NONE-|||0``: token 1, the code with its subcode, the
    tokens of the correction. Signs that part the fields become ``|``.
    """
    marks = [each for each in in_reading_order(markup.fragments) if each.kind is Kind.MISTAKE]
    whole = [each for each in marks if each.span is None]
    placed = [(each, *_place(each, markup.text)) for each in marks if each.span is not None]
    blocks = []
    for line in _lines(markup.text):
        tokens = tokens_of(markup.text[line.start : line.end])
        written = [_edit(-1, -1, each, _correction(each)) for each in whole]
        written += _edits(placed, line, tokens)
        whole = []
        words = _words(markup.text[line.start : line.end])
        blocks.append("\n".join([f"S {words}", *(written or [_edit_of_none()])]))
    return "".join(f"{block}\n\n" for block in blocks)


def _lines(text: str) -> Iterator[Span]:
    at = 0
    for line in text.split("\n"):
        if line.strip():
            yield Span(at, at + len(line))
        at += len(line) + 1


def _edits(
    marks: Sequence[tuple[Fragment, int, int]], line: Span, tokens: Sequence[Span]
) -> Iterator[str]:
    for mark, start, end in marks:
        is_gap_here = line.start <= start == end <= line.end
        if not is_gap_here and not (start < line.end and line.start < end):
            continue
        first, last = _tokens_under(start - line.start, end - line.start, tokens)
        yield _edit(first, last, mark, _correction(mark) if start >= line.start else NOTHING)


def _place(mark: Fragment, text: str) -> tuple[int, int]:
    """Where a mark begins and ends without its outer white space.

    Of white space alone: the gap before the next sign, or after the last one.
    """
    span = mark.span
    assert span is not None  # noqa: S101 - whole-text mistakes have no place
    covered = text[span.start : span.end]
    start = span.start + len(covered) - len(covered.lstrip())
    if start < span.end:
        return start, span.start + len(covered.rstrip())
    rest = text[span.end :]
    gap = span.end + len(rest) - len(rest.lstrip()) if rest.strip() else len(text.rstrip())
    return gap, gap


def _tokens_under(start: int, end: int, tokens: Sequence[Span]) -> tuple[int, int]:
    """The tokens a place shares a sign with; of an empty one the gap before a token."""
    first = sum(token.end <= start for token in tokens)
    last = sum(token.start < end for token in tokens)
    return first, max(first, last)


def _words(text: str) -> str:
    """A text as its tokens, parted by blanks."""
    return " ".join(text[each.start : each.end] for each in tokens_of(text))


def _correction(mark: Fragment) -> str:
    return _words(_field(mark.correction)) or NOTHING


def _edit(first: int, last: int, mark: Fragment, correction: str) -> str:
    code = _field(f"{mark.code} {mark.subcode}".strip())
    return f"A {first} {last}|||{code}|||{correction}|||REQUIRED|||{NOTHING}|||0"


def _edit_of_none() -> str:
    return f"A -1 -1|||noop|||{NOTHING}|||REQUIRED|||{NOTHING}|||0"


def _field(words: str) -> str:
    return re.sub(r"\|{2,}", "|", " ".join(words.split()))
