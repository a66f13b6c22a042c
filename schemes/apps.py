from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SchemesConfig(AppConfig):
    name = "schemes"
    verbose_name = _("Scoring systems")

    def ready(self) -> None:
        from schemes import navigation  # noqa: F401, PLC0415 - it registers itself
