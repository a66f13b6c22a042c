"""Documents everybody reads (R 12.3): our own Markdown as pages, whose links lead to such pages."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final
from urllib.parse import urldefrag, urlsplit

from django.conf import settings
from django.urls import reverse
from markdown_it import MarkdownIt
from markdown_it.token import Token

from schemes.adapters import SCHEMES

FOLDER: Final = settings.BASE_DIR / "docs"
PUBLIC_DOCUMENTS: Final = {
    "comparison": "comparison.md",
    "contest-data": "contest-data.md",
    "markup": "rules/markup.md",
    "original": "rules/original.md",
    "sessions": "rules/sessions.md",
    "taking-part": "participating.md",
    **{slug: f"schemes/{slug}.md" for slug in SCHEMES},
}
"""The files by their addresses."""
NAMES: Final = {path: name for name, path in PUBLIC_DOCUMENTS.items()}


@dataclass(frozen=True, slots=True)
class Document:
    """A document in English: its title, and what stands below it as HTML that is escaped."""

    title: str
    body: str


@cache
def document_named(name: str) -> Document:
    """A public document. Raises ``KeyError`` for a name that is none."""
    path = PUBLIC_DOCUMENTS[name]
    return rendered((FOLDER / path).read_text("utf-8"), path)


def rendered(text: str, path: str) -> Document:
    """Markdown of a file at ``path`` below the documents; HTML in it is text like any other."""
    reader = MarkdownIt("js-default")
    tokens = reader.parse(text)
    title = ""
    if tokens and tokens[0].tag == "h1":
        title, tokens = tokens[1].content, tokens[3:]
    body = list(_fit(tokens, path))
    return Document(title, reader.renderer.render(body, reader.options, {}))


def _fit(tokens: list[Token], path: str) -> Iterator[Token]:
    """With anchors at headings, links of ours, tables that scroll, and no style in an attribute."""
    for index, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", _anchor(tokens[index + 1].content))
        if token.attrs.pop("style", "") == "text-align:right":
            token.attrSet("class", "num")
        if token.children is not None:
            token.children = list(_linked(token.children, path))
        if token.type == "table_open":
            yield Token("scroll_open", "div", 1, attrs={"class": "scroll"}, block=True)
        yield token
        if token.type == "table_close":
            yield Token("scroll_close", "div", -1, block=True)


def _linked(tokens: list[Token], path: str) -> Iterator[Token]:
    """Without links to what is no page of ours: their words stay."""
    is_dropped = False
    for token in tokens:
        if token.type == "link_open":
            address = _address(str(token.attrGet("href") or ""), path)
            is_dropped = address is None
            token.attrs["href"] = address or ""
        if not (is_dropped and token.type in ("link_open", "link_close")):
            yield token


def _address(target: str, path: str) -> str | None:
    """Where a link of a document leads on the site; ``None``: nowhere."""
    if urlsplit(target).scheme:
        return target
    file, anchor = urldefrag(target)
    place = f"#{anchor}" if anchor else ""
    if not file:
        return place or None
    name = NAMES.get(posixpath.normpath(posixpath.join(posixpath.dirname(path), file)))
    return reverse("contest:document", args=[name]) + place if name else None


def _anchor(heading: str) -> str:
    """The name of a heading, as links in our documents spell it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
