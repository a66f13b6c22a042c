from __future__ import annotations

from django.template import Origin
from django.template.loaders import filesystem

from web.core.folding import fold


class Loader(filesystem.Loader):
    """Our own pages: laid out for whoever reads the template, folded for whoever reads the page."""

    def get_contents(self, origin: Origin) -> str:
        source = super().get_contents(origin)
        return fold(source) if origin.name.endswith(".html") else source
