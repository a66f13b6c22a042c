from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from django.contrib.staticfiles.storage import HashedFilesMixin
from whitenoise.storage import CompressedManifestStaticFilesStorage

_, _IMPORTS = HashedFilesMixin._js_module_import_aggregation_patterns
IMPORT: Final = re.compile(r'@import url\("([\w-]+\.css)"\);\n')


class ModuleManifestStorage(CompressedManifestStaticFilesStorage):
    """Names files by their contents and rewrites the imports of our own ES modules accordingly.

    Ours only: in comments of htmx's extensions Django would find imports that are none.
    """

    support_js_module_import_aggregation = True
    _js_module_import_aggregation_patterns = ("js/*.js", _IMPORTS)

    def post_process(self, paths: dict[str, Any], dry_run: bool = False) -> Iterator[Any]:
        """Our style sheets take in what they import: one request where there were several."""
        whole = {name: self._with_imports(name, paths) for name in paths if name[:4] == "css/"}
        for name, css in ({} if dry_run else whole).items():
            with self.open(name, "w") as collected:
                collected.write(css)
            paths[name] = (self, name)
        yield from super().post_process(paths, dry_run)

    def _with_imports(self, name: str, paths: dict[str, Any]) -> str:
        source, path = paths[name]
        with source.open(path) as file:
            css: str = file.read().decode()
        return IMPORT.sub(lambda found: self._with_imports(f"css/{found[1]}", paths), css)
