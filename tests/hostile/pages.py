"""What a page holds: its words, its warnings, and whatever could run in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

from django.contrib import admin


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


TAGS = _words(
    "html head meta title link script body a header main footer nav aside section article div p "
    "span b i em strong small q code pre br hr h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table caption "
    "colgroup col thead tbody tfoot tr th td form fieldset legend label input textarea select "
    "option optgroup button details summary template svg symbol use path circle rect line g sup "
    "sub time abbr kbd mark output progress noscript search img dialog datalist"
)
"""Tags that templates write. Any other one came out of somebody's text."""

ADDRESSES = _words(
    "href src action formaction xlink:href data poster background cite ping manifest "
    "hx-get hx-post hx-put hx-patch hx-delete hx-ws hx-sse"
)
SCRIPTS = ("/static/", "/admin/jsi18n/")
OF_ADMIN = frozenset(
    comment
    for path in (Path(admin.__file__).parent / "templates").rglob("*.html")
    for comment in re.findall("<!--(.*?)-->", path.read_text("utf-8"), re.DOTALL)
)
"""Comments in the templates of Django's admin. Any other one came out of somebody's text."""
RUNNING = re.compile(r"(data-)?(on|hx-on|hx-vars|hx-ext).*|srcdoc|style", re.IGNORECASE)
OUTSIDE = re.compile(r"[\x00-\x20]*([a-z][a-z0-9+.\-\s]*:|//|\\\\)", re.IGNORECASE)
DRAWN_ICON = "data:image/svg+xml,%3Csvg xmlns="
"""The icon of every page, which asks the server for nothing."""

EMPTY = _words("meta link input br hr img col path circle rect line use")


class Page(HTMLParser):
    """Reads a page; ``dangers`` says what in it could run or lead away."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.words: list[str] = []
        self.attributes: list[str] = []
        self.dangers: list[str] = []
        self.sentences: list[str] = []
        self.title: list[str] = []
        self._open: list[tuple[str, dict[str, str]]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.attributes += given.values()
        if tag not in TAGS:
            self.dangers.append(f"<{tag}>")
        if _runs(tag, given) and not given.get("src", "").startswith(SCRIPTS):
            self.dangers.append(f"<script> {given}")
        if tag == "meta" and "http-equiv" in given:
            self.dangers.append(f"<meta http-equiv={given['http-equiv']}>")
        self.dangers += [f"<{tag} {name}=…>" for name in _dangerous(given)]
        if tag not in EMPTY:
            self._open.append((tag, given))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in EMPTY:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        for place in range(len(self._open) - 1, -1, -1):
            if self._open[place][0] == tag:
                del self._open[place:]
                return

    def handle_data(self, data: str) -> None:
        if self._open and _runs(*self._open[-1]) and data.strip():
            self.dangers.append(f"<script>{data[:60]}")
        self.words.append(data)
        if not data.strip():
            return
        if any(_warns(tag, given) for tag, given in self._open):
            self.sentences.append(data.strip())
        elif any(tag in ("h1", "p") for tag, _ in self._open):
            self.title.append(data.strip())

    def handle_comment(self, data: str) -> None:
        if data not in OF_ADMIN:
            self.dangers.append(f"<!--{data[:60]}")

    def handle_decl(self, decl: str) -> None:
        if decl.lower() != "doctype html":
            self.dangers.append(f"<!{decl[:60]}")

    def unknown_decl(self, data: str) -> None:
        self.dangers.append(f"<![{data[:60]}")

    def handle_pi(self, data: str) -> None:
        self.dangers.append(f"<?{data[:60]}")

    @property
    def text(self) -> str:
        return "".join(self.words)

    def shows(self, text: str) -> bool:
        """True when the text stands on the page as it is: in words, or in a field."""
        return text in self.text or any(text in value for value in self.attributes)


def _runs(tag: str, given: dict[str, str]) -> bool:
    """A script; data a script of ours reads is none."""
    return tag == "script" and given.get("type") != "application/json"


def _dangerous(given: dict[str, str]) -> Iterator[str]:
    for name, value in given.items():
        if given.get("rel") == "icon" and value.startswith(DRAWN_ICON):
            continue
        leads_out = name in ADDRESSES and OUTSIDE.match(value)
        computed = name.startswith("hx-") and value.lstrip().lower().startswith(("js", "java"))
        odd = not re.fullmatch(r"[a-zA-Z:-]+\d*", name)
        if RUNNING.fullmatch(name) or leads_out or computed or odd:
            yield f"{name}={value[:40]}"


def _warns(tag: str, given: dict[str, str]) -> bool:
    classes = given.get("class", "").split()
    listed = tag in ("ul", "ol") and "errorlist" in classes
    return listed or given.get("role") == "alert" or "bad" in classes or "errornote" in classes
