"""What a page shows, for tests: elements by a simple selector, and their visible words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any, Final

VOID: Final = {"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr", "use"}
APART: Final = {
    *(
        "article",
        "dd",
        "div",
        "dl",
        "dt",
        "h1",
        "h2",
        "h3",
        "header",
        "label",
        "li",
        "ol",
        "option",
    ),
    *("p", "section", "summary", "table", "tbody", "td", "th", "thead", "tr", "ul"),
}
"""Elements that stand apart from the words around them."""
STEP: Final = re.compile(r"([.#]?)([\w-]+)|\[([\w-]+)(?:=\"?([^\]\"]*)\"?)?\]")


@dataclass
class Element:
    """An element of a page; text stands among its children as strings."""

    tag: str
    attributes: dict[str, str]
    children: list[Element | str] = field(default_factory=list)

    def __getitem__(self, name: str) -> str:
        return self.attributes[name]

    @property
    def raw(self) -> str:
        """All its text, white space untouched."""
        return "".join(each if isinstance(each, str) else each.raw for each in self.children)

    @property
    def text(self) -> str:
        """Its words as they are seen, separated by single spaces."""
        return " ".join(self._spaced().split())

    def find(self, selector: str) -> list[Element]:
        """The elements a selector of tags, classes, ids and attributes finds, in order."""
        found = [self]
        for step in selector.split():
            below = (each for element in found for each in element.walk() if each.matches(step))
            found = list({id(each): each for each in below}.values())
        return found

    def one(self, selector: str) -> Element:
        """The only element a selector finds."""
        (found,) = self.find(selector)
        return found

    def _spaced(self) -> str:
        words = "".join(each if isinstance(each, str) else each._spaced() for each in self.children)
        is_apart = self.tag in APART or self.matches(".sub")  # a line of its own by its style
        return f" {words} " if is_apart else words

    def walk(self) -> Iterator[Element]:
        for child in self.children:
            if isinstance(child, Element):
                yield child
                yield from child.walk()

    def matches(self, step: str) -> bool:
        for sign, name, attribute, value in STEP.findall(step):
            if attribute:
                present = self.attributes.get(attribute)
                if present is None or (value and present != value):
                    return False
            elif sign == ".":
                if name not in self.attributes.get("class", "").split():
                    return False
            elif name != (self.attributes.get("id") if sign else self.tag):
                return False
        return True


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open = [Element("", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].children.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        places = [at for at, element in enumerate(self.open) if element.tag == tag]
        if places:
            del self.open[places[-1] :]

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def page_of(response: Any) -> Element:
    """The page of a response, or of a piece of HTML."""
    builder = _Builder()
    builder.feed(response if isinstance(response, str) else response.content.decode())
    builder.close()
    return builder.open[0]


def texts_of(response: Any, selector: str) -> list[str]:
    """The words of every element a selector finds."""
    return [element.text for element in page_of(response).find(selector)]
