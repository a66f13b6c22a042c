from __future__ import annotations

from django.contrib.staticfiles.storage import HashedFilesMixin
from whitenoise.storage import CompressedManifestStaticFilesStorage

_, _IMPORTS = HashedFilesMixin._js_module_import_aggregation_patterns


class ModuleManifestStorage(CompressedManifestStaticFilesStorage):
    """Names files by their contents and rewrites the imports of our own ES modules accordingly.

    Ours only: in comments of htmx's extensions Django would find imports that are none.
    """

    support_js_module_import_aggregation = True
    _js_module_import_aggregation_patterns = ("js/*.js", _IMPORTS)
