from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.template import Origin, Template
from django.template.loaders import base, cached, filesystem

from web.constants import with_constants
from web.core.folding import fold


class Loader(filesystem.Loader):
    """Our own pages: laid out for whoever reads the template, folded for whoever reads the page."""

    def get_contents(self, origin: Origin) -> str:
        source = super().get_contents(origin)
        return fold(source) if origin.name.endswith(".html") else source


class _Constants(base.Loader):
    """What every page has in common is put together as soon as a template was read."""

    def get_template(self, name: str, skip: Iterable[Origin] | None = None) -> Template:
        template: Any = super().get_template(name, skip)  # type: ignore[arg-type]
        with_constants(template.nodelist)
        return template  # type: ignore[no-any-return]


class Cached(cached.Loader, _Constants):
    """Templates are read once in a process."""
