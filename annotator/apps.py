from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AnnotatorConfig(AppConfig):
    name = "annotator"
    verbose_name = _("Markup")

    def ready(self) -> None:
        from annotator import receivers  # noqa: F401, PLC0415 - registers itself
