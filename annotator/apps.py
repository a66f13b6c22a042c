from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AnnotatorConfig(AppConfig):
    name = "annotator"
    verbose_name = _("Markup")

    def ready(self) -> None:
        from annotator import (  # noqa: PLC0415 - they register themselves
            navigation,  # noqa: F401
            panels,  # noqa: F401
            receivers,  # noqa: F401
        )
