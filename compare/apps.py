from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CompareConfig(AppConfig):
    name = "compare"
    verbose_name = _("Comparison")

    def ready(self) -> None:
        from compare import (  # noqa: PLC0415 - they register themselves
            panels,  # noqa: F401
            receivers,  # noqa: F401
        )
