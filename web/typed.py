"""Which fields people type and which a page fills in by itself, read off the fields themselves:
off the widgets of forms, and off what templates write by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from django import forms
from django.conf import settings
from django.forms.utils import pretty_name
from django.utils.translation import gettext

FIELD: Final = re.compile(r'<(input|select|textarea|button)\b((?:[^>"]|"[^"]*")*)>')
NAME: Final = re.compile(r'\bname="([\w-]+)"')
ID: Final = re.compile(r'\bid="([^"]+)"')
LABEL: Final = re.compile(r'<label[^>]*\bfor="([^"]+)"[^>]*>\s*{% trans "([^"]+)" %}')
TYPE: Final = re.compile(r'\btype="([\w-]+)"')
FILLED_IN: Final = frozenset(("select", "button", "hidden", "checkbox", "radio", "submit", "file"))
"""Elements and types of fields that nobody types."""


@cache
def filled_in() -> frozenset[str]:
    """The names of fields that are nowhere typed: hidden, ticked, chosen or pressed.

    A form that only reads what a template writes by hand knows less of a field than that template.
    """
    written = list(_of_templates())
    names = {name for name, _is_typed in written}
    found = written + [each for each in _of_forms(forms.BaseForm) if each[0] not in names]
    return frozenset(name for name, _is_typed in found) - {name for name, typed in found if typed}


@cache
def labels() -> Mapping[str, tuple[Any, ...]]:
    """What fields are called, by their names, off the same two; words of templates untranslated."""
    found: dict[str, set[Any]] = {}
    for path in _templates():
        text = path.read_text(encoding="utf-8")
        called = dict(LABEL.findall(text))
        for _element, attributes in FIELD.findall(text):
            at, name = ID.search(attributes), NAME.search(attributes)
            if at and name and at[1] in called:
                found.setdefault(name[1], set()).add(called[at[1]])
    for name, field in _fields_of(forms.BaseForm):
        found.setdefault(name, set()).add(field.label or pretty_name(name))
    return {name: tuple(several) for name, several in found.items()}


def called(name: str) -> str:
    """What a field is called for the reader; of several words the shortest, which say least."""
    words = {gettext(str(each)) for each in labels().get(name, ())}
    return min(words, key=lambda each: (len(each), each), default="")


def _of_forms(form: type[forms.BaseForm]) -> Iterator[tuple[str, bool]]:
    for name, field in _fields_of(form):
        yield name, _is_typed_in(field.widget)


def _fields_of(form: type[forms.BaseForm]) -> Iterator[tuple[str, forms.Field]]:
    yield from getattr(form, "base_fields", {}).items()
    for each in form.__subclasses__():
        yield from _fields_of(each)


def _is_typed_in(widget: forms.Widget) -> bool:
    chosen = (forms.CheckboxInput, forms.Select, forms.RadioSelect, forms.FileInput)
    return not (widget.is_hidden or isinstance(widget, chosen))


def _of_templates() -> Iterator[tuple[str, bool]]:
    for path in _templates():
        for element, attributes in FIELD.findall(path.read_text(encoding="utf-8")):
            kind = TYPE.search(attributes) if element == "input" else None
            for name in NAME.findall(attributes):
                yield name, (kind[1] if kind else element) not in FILLED_IN


def _templates() -> Iterator[Path]:
    for folder in settings.TEMPLATES[0]["DIRS"]:
        yield from Path(folder).rglob("*.html")
