"""The one renderer of a marked essay: flat pieces that never nest, text given back exactly.

Offsets are carried by ``data-s``, the code point a piece begins at; ``data-m`` names the
fragments over it, outer before inner. How the classes are painted, static/css/essay.css says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Final, NamedTuple

from django import template
from django.template import Context
from django.utils.safestring import SafeString, mark_safe

from annotator.core.painting import Ink, Paint, Run, lanes, paint
from annotator.core.values import Kind, Markup

register = template.Library()

LINE: Final = re.compile(r"[^\n]*\n|[^\n]+")
CHIPS: Final = {Paint.MISTAKE: "r", Paint.BOTH: "y", Paint.CORRECTION: "b"}


@register.simple_tag
def essay_text(markup: Markup) -> SafeString:
    """The lines of an essay with its fragments painted."""
    return _paragraphs(essay_lines(markup))


@register.simple_tag
def compared_text(markup: Markup, inks: Mapping[int, Ink]) -> SafeString:
    """The same text painted by what differs from another markup; ``inks`` by fragments' ids."""
    return _paragraphs(_painted(markup, _ComparedPainter(markup, inks)))


@register.simple_tag(takes_context=True)
def other_markup(context: Context, number: int | str) -> str:
    """The address of the same page with another markup shown, all else in it kept."""
    query = context["request"].GET.copy()
    query.pop("markup", None)
    if number:
        query["markup"] = str(number)
    return f"?{query.urlencode()}"


class Line(NamedTuple):
    """A line of an essay on a page: what stands within its paragraph."""

    pieces: SafeString
    is_blank: bool


def essay_lines(markup: Markup) -> Iterator[Line]:
    """The painted lines of an essay."""
    return _painted(markup, _Painter(markup))


def _painted(markup: Markup, painter: _Painter) -> Iterator[Line]:
    """The lines as a painter writes them; every word is escaped by it."""
    for line in _lines(paint(markup)):
        pieces = "".join(map(painter.html, line))
        is_blank = not any(piece.text.strip() for piece in line)
        yield Line(mark_safe(pieces), is_blank)  # noqa: S308 - words are escaped by the painter


def _paragraphs(lines: Iterable[Line]) -> SafeString:
    html = "".join(
        f'<p class="par{" blank" if line.is_blank else ""}">{line.pieces}</p>' for line in lines
    )
    return mark_safe(html)  # noqa: S308 - pieces that are safe already


class Piece(NamedTuple):
    """A run, or the part of it that stands on one line."""

    run: Run
    start: int
    text: str

    @property
    def is_first(self) -> bool:
        return self.start == self.run.span.start

    @property
    def is_last(self) -> bool:
        return self.start + len(self.text) == self.run.span.end


def _lines(runs: tuple[Run, ...]) -> Iterator[list[Piece]]:
    """Cut runs at line ends; a line keeps its line feed."""
    line: list[Piece] = []
    for run in runs:
        start = run.span.start
        for text in LINE.findall(run.text):
            line.append(Piece(run, start, text))
            start += len(text)
            if text.endswith("\n"):
                yield line
                line = []
    if line:
        yield line


class _Painter:
    """Writes the pieces of one markup."""

    def __init__(self, markup: Markup) -> None:
        self._fragments = markup.fragments
        self._ids = [str(fragment.id) for fragment in markup.fragments]
        self._lanes = lanes(markup)
        self._lines = {index: self._line(index) for index in self._lanes}

    def html(self, piece: Piece) -> str:
        run, words = piece.run, escape(piece.text, quote=False)
        if not run.over:
            return f'<span data-s="{piece.start}">{words}</span>'
        names = " ".join(self._classes(piece))
        ids = " ".join([self._ids[index] for index in run.over])
        tag = escape(" ".join(run.tags)) if run.tags and piece.is_last else ""
        more = f' data-tag="{tag}"{self._rows(piece)}' if tag else self._rows(piece)
        return f'<span class="{names}" data-s="{piece.start}" data-m="{ids}"{more}>{words}</span>'

    def _line(self, index: int) -> str:
        """The line under a mistake: its colour and its lane."""
        return f"{'i' if self._fragments[index].is_correction else 'm'}{self._lanes[index]}"

    def _rows(self, _piece: Piece) -> str:
        """What only a comparison says of a piece."""
        return ""

    def _classes(self, piece: Piece) -> Iterator[str]:
        run = piece.run
        yield "f"
        if run.blocks:
            yield f"g{run.block_step}"
        if run.paint in CHIPS:
            yield f"{CHIPS[run.paint]}{run.step}"
        for index in run.over:
            if index in self._lines:
                yield self._lines[index]
        if piece.is_first and self._has_block(run.begins):
            yield "bs"
        if piece.is_last and self._has_block(run.ends):
            yield "be"

    def _has_block(self, indices: tuple[int, ...]) -> bool:
        return any(self._fragments[index].kind is Kind.BLOCK for index in indices)


class _ComparedPainter(_Painter):
    """Writes the pieces of a markup that stands beside another one.

    The innermost difference colours a piece, each fragment has its line; blocks have corners
    only. ``data-rows`` names the rows of differences that begin at a piece.
    """

    def __init__(self, markup: Markup, inks: Mapping[int, Ink]) -> None:
        self._inks = [inks[fragment.id] for fragment in markup.fragments]
        super().__init__(markup)

    def _classes(self, piece: Piece) -> Iterator[str]:
        run, inks = piece.run, self._inks
        yield "f"
        differing = [i for i in run.over if i in self._lanes and self._differs(i)]
        if differing:
            yield f"h-{inks[differing[-1]].name}"
        for index in run.over:
            if index in self._lines:
                yield self._lines[index]
        begins = self._blocks(run.begins) if piece.is_first else []
        ends = self._blocks(run.ends) if piece.is_last else []
        yield from ["bs"] * bool(begins) + ["be"] * bool(ends)
        if begins or ends:
            yield f"k-{inks[(begins or ends)[-1]].name}"

    def _line(self, index: int) -> str:
        return f"u{self._lanes[index]}-{self._inks[index].name}"

    def _rows(self, piece: Piece) -> str:
        begun = piece.run.begins if piece.is_first else ()
        numbers = " ".join(str(self._inks[index].number) for index in begun if self._differs(index))
        return f' data-rows="{numbers}"' if numbers else ""

    def _differs(self, index: int) -> bool:
        return self._inks[index].is_shown and self._inks[index].name != "same"

    def _blocks(self, indices: tuple[int, ...]) -> list[int]:
        return [index for index in indices if self._fragments[index].kind is Kind.BLOCK]
