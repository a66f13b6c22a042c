"""Which fields people type and which a page fills in by itself, read off the fields themselves:
off the widgets of forms, and off what templates write by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from django import forms
from django.conf import settings

FIELD: Final = re.compile(r'<(input|select|textarea|button)\b((?:[^>"]|"[^"]*")*)>')
NAME: Final = re.compile(r'\bname="([\w-]+)"')
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


def _of_forms(form: type[forms.BaseForm]) -> Iterator[tuple[str, bool]]:
    for name, field in getattr(form, "base_fields", {}).items():
        yield name, _is_typed_in(field.widget)
    for each in form.__subclasses__():
        yield from _of_forms(each)


def _is_typed_in(widget: forms.Widget) -> bool:
    chosen = (forms.CheckboxInput, forms.Select, forms.RadioSelect, forms.FileInput)
    return not (widget.is_hidden or isinstance(widget, chosen))


def _of_templates() -> Iterator[tuple[str, bool]]:
    for folder in settings.TEMPLATES[0]["DIRS"]:
        for path in Path(folder).rglob("*.html"):
            for element, attributes in FIELD.findall(path.read_text(encoding="utf-8")):
                kind = TYPE.search(attributes) if element == "input" else None
                for name in NAME.findall(attributes):
                    yield name, (kind[1] if kind else element) not in FILLED_IN
