from __future__ import annotations

import os
from typing import Any

from django.core.handlers.wsgi import WSGIRequest
from django.core.wsgi import get_wsgi_application
from django.utils.http import parse_header_parameters

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


class Request(WSGIRequest):
    """A request whose Content-Type cannot be read has none: Django would end in a fault."""

    def __init__(self, environ: dict[str, Any]) -> None:
        try:
            parse_header_parameters(environ.get("CONTENT_TYPE", ""))
        except (ValueError, LookupError):
            environ["CONTENT_TYPE"] = ""
        super().__init__(environ)


application = get_wsgi_application()
application.request_class = Request
